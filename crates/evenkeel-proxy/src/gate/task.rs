//! One operation with its bytes: what the worker sends for it, and what it hears.

use std::time::Duration;

use bytes::Bytes;
use evenkeel_core::migration::operation::{
    Answer, Command, Event, Kind, Lease, Next, Operation, Outcome, Seen, Side, Source, Step,
};
use evenkeel_core::migration::{Rule, Rules};
use evenkeel_wire::memcached::compose::NodeKey;
use evenkeel_wire::memcached::{Expect, Reply, Status};

use super::ask::{self, Wording};
use super::request::{Request, Verb};
use super::tell::{self, LastWord};
use crate::migration::{self, Context, Item};

/// Digits of the largest number that `ma` can answer with.
const LONGEST_NUMBER: usize = 20;

/// What every task of a worker shares.
#[derive(Debug, Clone, Copy)]
pub struct Shared {
    /// How long a lease lasts, in seconds.
    pub lease_seconds: u32,
    /// The rules in force.
    pub rules: Rules,
}

/// One operation on one moved key, for a client or for the copier.
#[derive(Debug)]
pub struct Task {
    key: Bytes,
    request: Option<Request>,
    operation: Operation<Item>,
    shared: Shared,
    /// The tag of the target's CAS tokens.
    tag: u16,
    /// The command that is under way.
    command: Option<(Side, Command<Item>)>,
    last: LastWord,
}

/// A whole reply of a node.
#[derive(Debug, Clone, Copy)]
pub struct Heard<'a> {
    /// The line, taken apart.
    pub reply: &'a Reply,
    /// The line and its data.
    pub bytes: &'a [u8],
    /// The connection on which it came.
    pub connection: u64,
}

/// What the worker is to do for a task.
#[derive(Debug)]
pub struct Do {
    /// The client's answer; empty if it asked for none.
    pub answer: Option<Answered>,
    /// What goes on.
    pub next: Todo,
}

/// How a task ended for whoever asked.
#[derive(Debug, PartialEq, Eq)]
pub struct Answered {
    /// What goes to the client. Values of the text dialect come without `END`.
    pub bytes: Vec<u8>,
    /// The outcome, for the copier and for counters.
    pub outcome: Outcome<Item>,
}

/// What goes on in a task.
#[derive(Debug)]
pub enum Todo {
    /// Send `bytes` and tell what is heard with [`Task::heard`]. With `only_on`, only on that connection; if it is
    /// gone, or the node is known to be down, tell [`Answer::NotSent`].
    Send {
        to: Side,
        bytes: Vec<u8>,
        expect: Expect,
        only_on: Option<u64>,
        /// Whether the end of its connection must be seen before an epoch is acknowledged, if it is given up.
        must_end: bool,
    },
    /// Wait a moment, then call [`Task::wait_over`].
    Wait,
    /// The task is over.
    Over,
}

impl Task {
    /// A client's. `tag` is the tag of the target's CAS tokens.
    pub fn for_client(request: Request, source: Source, tag: u16, shared: Shared) -> Self {
        let key = request.key.clone();
        let kind = request.kind(tag);
        Task::new(key, Some(request), kind, source, tag, shared)
    }

    /// The copier's.
    pub fn for_copier(key: Bytes, shared: Shared) -> Self {
        Task::new(key, None, Kind::Move, Source::Live, 0, shared)
    }

    /// The copier's, for a key that cannot be moved and is let go.
    pub fn that_drops(key: Bytes, shared: Shared) -> Self {
        Task::new(
            key,
            None,
            Kind::Delete { tells: false },
            Source::Live,
            0,
            shared,
        )
    }

    fn new(
        key: Bytes,
        request: Option<Request>,
        kind: Kind,
        source: Source,
        tag: u16,
        shared: Shared,
    ) -> Self {
        let operation = Operation::new(kind, source, shared.rules);
        Task {
            key,
            request,
            operation,
            shared,
            tag,
            command: None,
            last: LastWord::default(),
        }
    }

    /// The key that it is about.
    pub fn key(&self) -> &Bytes {
        &self.key
    }

    /// Begins. `now` is the time since 1970, here and below.
    pub fn start(&mut self, target_up: bool, now: Duration) -> Do {
        let step = self.operation.step(Event::Start { target_up });
        self.follow(step, None, now)
    }

    /// The node answered the command under way. `None` if its answer makes no sense: its connection must be closed, and
    /// the task be told [`Answer::NoAnswer`].
    pub fn heard(&mut self, heard: Heard<'_>, now: Duration) -> Option<Do> {
        let (side, command) = self.command.as_ref()?;
        let answer = self.answer_to(*side, command, heard)?;
        let command = self.command.take().map(|(_, command)| command)?;
        self.note(&heard, &command);
        let touched = match command {
            Command::Act(Seen::Value(item, _)) => Some(item),
            _ => None,
        };
        let step = self.operation.step(Event::Answer(answer));
        Some(self.follow(step, touched, now))
    }

    fn answer_to(
        &self,
        side: Side,
        command: &Command<Item>,
        heard: Heard<'_>,
    ) -> Option<Answer<Item>> {
        let rules = self.shared.rules;
        if !rules.keeps(Rule::FillUnderLease) {
            // Without leases, whoever finds nothing may fill, and there is nothing to give back.
            match (command, heard.reply.status) {
                (Command::LookOrLease, Status::MetaMiss) => {
                    let connection = heard.connection;
                    return Some(Answer::Won(Lease {
                        token: 0,
                        connection,
                    }));
                }
                (Command::Remove(_), _) => return Some(Answer::Done),
                _ => {}
            }
        }
        migration::hear(side, command, heard.reply, heard.bytes, heard.connection)
    }

    /// What became of the command under way, if it was not answered.
    pub fn told(&mut self, answer: Answer<Item>, now: Duration) -> Do {
        self.command = None;
        let step = self.operation.step(Event::Answer(answer));
        self.follow(step, None, now)
    }

    /// The wait is over; `patient` while less than `lease_wait` has passed since its first wait.
    pub fn wait_over(&mut self, patient: bool, now: Duration) -> Do {
        let step = self.operation.step(Event::WaitOver { patient });
        self.follow(step, None, now)
    }

    /// It took too long.
    pub fn deadline(&mut self, now: Duration) -> Do {
        let step = self.operation.step(Event::Deadline);
        self.follow(step, None, now)
    }

    /// Keeps of a reply what a client's answer may need.
    fn note(&mut self, heard: &Heard<'_>, command: &Command<Item>) {
        let error = heard.reply.status.is_error();
        self.last = LastWord {
            error: error.then(|| Bytes::copy_from_slice(heard.reply.text.of(heard.bytes))),
            number: heard.data(),
            token: heard.number(b'c'),
            ttl: heard.number(b't'),
        };
        // A counter that was created is a store to the node, whose answer has no number.
        let created = match (command, self.request.as_ref().map(|request| request.verb)) {
            (
                Command::Act(Seen::Placeholder(_) | Seen::Nothing),
                Some(Verb::Count { create, .. }),
            ) => create,
            _ => None,
        };
        if let Some(create) = created {
            self.last.number = Some(create.initial.to_string().into());
            self.last.ttl = Some(if create.exptime > 0 {
                create.exptime
            } else {
                -1
            });
        }
    }

    fn follow(&mut self, step: Step<Item>, touched: Option<Item>, now: Duration) -> Do {
        let answer = step
            .answer
            .map(|outcome| self.answer(outcome, touched.as_ref()));
        match step.next {
            Next::Over => Do {
                answer,
                next: Todo::Over,
            },
            Next::Wait => Do {
                answer,
                next: Todo::Wait,
            },
            Next::Send { to, command } => match self.send(to, command, now) {
                Some(next) => Do { answer, next },
                // A key that no line can carry: nothing is sent, and the operation ends as failed.
                None => {
                    let failed = self.operation.step(Event::Deadline).answer;
                    let answer =
                        answer.or_else(|| failed.map(|outcome| self.answer(outcome, None)));
                    Do {
                        answer,
                        next: Todo::Over,
                    }
                }
            },
        }
    }

    fn answer(&self, outcome: Outcome<Item>, touched: Option<&Item>) -> Answered {
        let mut bytes = Vec::new();
        if let Some(request) = &self.request {
            tell::tell(&mut bytes, request, &outcome, touched, &self.last, self.tag);
        }
        Answered { bytes, outcome }
    }

    fn send(&mut self, to: Side, command: Command<Item>, now: Duration) -> Option<Todo> {
        let mut bytes = Vec::new();
        let with = Wording {
            key: NodeKey::new(&self.key)?,
            request: self.request.as_ref(),
            context: Context {
                lease: Duration::from_secs(self.shared.lease_seconds.into()),
                now,
            },
            rules: self.shared.rules,
        };
        let expect = ask::word(&mut bytes, &command, with)?;
        let bound = self.shared.rules.keeps(Rule::LeaseEndsWithItsConnection);
        let only_on = command
            .lease()
            .filter(|_| bound)
            .map(|lease| lease.connection);
        let must_end = command.must_end(to);
        self.command = Some((to, command));
        Some(Todo::Send {
            to,
            bytes,
            expect,
            only_on,
            must_end,
        })
    }
}

impl Heard<'_> {
    /// The data of `ma`: a number. Other data is the operation's.
    fn data(&self) -> Option<Bytes> {
        let len = self.reply.body_len? as usize;
        let data = self.bytes.get(self.reply.line_len..)?.get(..len)?;
        (len <= LONGEST_NUMBER).then(|| Bytes::copy_from_slice(data))
    }

    /// The number of a meta flag.
    fn number<N: std::str::FromStr>(&self, letter: u8) -> Option<N> {
        let flag = self.reply.flags(self.bytes).find(letter)?;
        std::str::from_utf8(flag.token).ok()?.parse().ok()
    }
}
