//! Runs an operation of the migration's rules to its end on a cluster that answers at once.

use super::cluster::Cluster;
use crate::migration::{Asked, Context, Item, ask, hear};
use evenkeel_core::migration::operation::{
    Answer, Command, Event, Kind, Next, Outcome, Side, Source,
};
use evenkeel_core::migration::{Operation, Rules};
use evenkeel_wire::memcached::compose::NodeKey;
use evenkeel_wire::memcached::{Expect, ReplyParser, ReplyStep};
use std::time::Duration;

/// Each node has one connection here, and it never ends.
const CONNECTION: u64 = 1;

/// Steps after which an operation is given up. The longest has about ten; without concurrency nothing repeats.
const MAX_STEPS: usize = 100;

/// One operation on a moved key.
pub(super) struct Job<'a> {
    pub(super) kind: Kind,
    pub(super) key: &'a [u8],
    /// The node of `current`, and the node of `to`.
    pub(super) nodes: (usize, usize),
    pub(super) source: Source,
    /// The client's own command, if it writes.
    pub(super) own: &'a [u8],
    pub(super) context: Context,
}

/// What the client is told; `None` if the key cannot be written in a line.
pub(super) fn operate(cluster: &mut Cluster, job: &Job<'_>) -> Option<Outcome<Item>> {
    let key = NodeKey::new(job.key)?;
    let mut operation = Operation::new(job.kind, job.source, Rules::default());
    let mut event = Event::Start { target_up: true };
    let mut outcome = None;
    for _ in 0..MAX_STEPS {
        let step = operation.step(event);
        outcome = outcome.or(step.answer);
        event = match step.next {
            Next::Over => return outcome,
            Next::Wait => Event::WaitOver { patient: false },
            Next::Send { to, command } => Event::Answer(send(cluster, job, key, to, &command)),
        };
    }
    outcome
}

fn send(
    cluster: &mut Cluster,
    job: &Job<'_>,
    key: NodeKey<'_>,
    side: Side,
    command: &Command<Item>,
) -> Answer<Item> {
    let mut request = Vec::new();
    let expect = match ask(&mut request, key, command, job.context) {
        Asked::Written(expect) => expect,
        Asked::ClientsOwn => {
            request.extend_from_slice(job.own);
            Expect::Stored
        }
    };
    let node = if side == Side::Source {
        job.nodes.0
    } else {
        job.nodes.1
    };
    let reply = cluster.exchange(node, &request);
    match ReplyParser::new().parse(reply, expect) {
        ReplyStep::Line(line) => {
            hear(side, command, &line, reply, CONNECTION).unwrap_or(Answer::NoAnswer)
        }
        ReplyStep::Incomplete | ReplyStep::Malformed => Answer::NoAnswer,
    }
}

/// The context of a demo: leases as short as they can be, and no dates.
pub(super) fn context() -> Context {
    Context {
        lease: Duration::from_secs(1),
        now: Duration::ZERO,
    }
}
