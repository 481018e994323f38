//! One move: a read without a client, by the rules of the migration.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use bytes::Bytes;
use evenkeel_core::migration::operation::{
    Answer, Command, Event, Kind, Next, Outcome, Side, Source, Step,
};
use evenkeel_core::migration::{Operation, Options, Rules};
use evenkeel_wire::memcached::compose::NodeKey;
use tokio::time::{Instant, sleep};

use super::link::{Failure, Links};
use super::member::Pass;
use crate::migration::{Asked, Context, Item, ask, hear};

/// How long to wait before another's lease is looked at again.
const LEASE_LOOK: Duration = Duration::from_millis(5);

/// Moves single keys.
pub struct Mover {
    links: Links,
}

/// How a move ended.
#[derive(Debug, Default)]
pub struct Moved {
    /// For whoever counts; `None` if the rules had nothing to tell.
    pub outcome: Option<Outcome<Item>>,
    /// The slowest answer of a node on the way.
    pub slowest: Duration,
}

/// A key, where it is and where it goes.
#[derive(Debug, Clone, Copy)]
pub struct Route<'a> {
    /// The key itself.
    pub key: &'a Bytes,
    /// The server that has it.
    pub source: &'a str,
    /// The server that is to have it.
    pub target: &'a str,
    /// What the operator chose.
    pub options: &'a Options,
    /// What the commands are begun under.
    pub pass: &'a Pass,
}

impl Mover {
    /// Moves over these connections.
    #[must_use]
    pub fn new(links: Links) -> Self {
        Mover { links }
    }

    /// The connections, for the leader's own deletions.
    #[must_use]
    pub fn links(&self) -> &Links {
        &self.links
    }

    /// Brings a key over, or finds out why not.
    pub async fn bring(&self, route: Route<'_>) -> Moved {
        self.run(Kind::Move, route).await
    }

    /// Lets go of a key that cannot be moved.
    pub async fn let_go(&self, route: Route<'_>) -> Moved {
        self.run(Kind::Delete { tells: false }, route).await
    }

    async fn run(&self, kind: Kind, route: Route<'_>) -> Moved {
        let mut moved = Moved::default();
        let mut operation = Operation::new(kind, Source::Live, Rules::default());
        let target_up = self.links.to(route.target).await.is_some();
        let lease_wait = Duration::from_millis(route.options.lease_wait_ms);
        let mut waited_since: Option<Instant> = None;
        let mut step = operation.step(Event::Start { target_up });
        loop {
            let Step { answer, next } = step;
            moved.outcome = answer.or(moved.outcome);
            let event = match next {
                Next::Over => return moved,
                Next::Wait => {
                    sleep(LEASE_LOOK).await;
                    let since = *waited_since.get_or_insert_with(Instant::now);
                    let patient = since.elapsed() < lease_wait;
                    if !patient {
                        // The lease is taken away now, and patience begins anew with the next one.
                        waited_since = None;
                    }
                    Event::WaitOver { patient }
                }
                Next::Send { to, command } => {
                    Event::Answer(self.send(to, &command, route, &mut moved.slowest).await)
                }
            };
            step = operation.step(event);
        }
    }

    async fn send(
        &self,
        to: Side,
        command: &Command<Item>,
        route: Route<'_>,
        slowest: &mut Duration,
    ) -> Answer<Item> {
        let server = match to {
            Side::Source => route.source,
            Side::Target => route.target,
        };
        let lease = command.lease();
        let link = self.links.to(server).await;
        let same = |number| lease.is_none_or(|lease| lease.connection == number);
        let (Some(link), Some(key)) = (
            link.filter(|link| same(link.number())),
            NodeKey::new(route.key),
        ) else {
            return Answer::NotSent;
        };
        let mut bytes = Vec::new();
        let context = Context {
            lease: Duration::from_secs(route.options.lease_seconds.into()),
            now: now(),
        };
        let Asked::Written(expect) = ask(&mut bytes, key, command, context) else {
            // No client has a command here, so there is nothing to send.
            return Answer::NotSent;
        };
        match link.ask(bytes, expect, route.pass).await {
            Ok(answer) => {
                *slowest = answer.took.max(*slowest);
                let heard = hear(to, command, &answer.reply, &answer.bytes, link.number());
                if heard.is_none() {
                    link.close();
                }
                heard.unwrap_or(Answer::NoAnswer)
            }
            Err(Failure::NotSent) => Answer::NotSent,
            Err(Failure::NoAnswer) => Answer::NoAnswer,
        }
    }
}

/// Since 1970, for the nodes' dates.
fn now() -> Duration {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default()
}
