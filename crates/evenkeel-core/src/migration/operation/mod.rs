//! One operation on one moved key, in `copy` and `settle`: lease, fetch, fill.
//!
//! An [`Operation`] is a state machine without I/O. It is told what happened ([`Event`]) and says what to do next
//! ([`Step`]): at most one answer for the client, and at most one command for a node or one wait. It has never more than
//! one command under way. A plain read is answered as soon as its value is known and fills behind the answer.
//!
//! ```text
//! read    lease at D ─▶ hit: answer
//!                   ├─▶ won:  fetch at S ─▶ value: answer ─▶ fill D under the lease ─▶ delete at S
//!                   │                    └▶ none:  release ─▶ miss (lease lost meanwhile: start again)
//!                   └─▶ held: read S ─▶ value: answer
//!                                    └▶ none: look at D once more ─▶ value: answer, else miss
//! update  as a read, fill included, but waits for a lease that is held ─▶ delete at S ─▶ act on what was seen at D
//! write   delete at S ─▶ write at D
//! ```
//!
//! The payload `V` is whatever the driver needs to fill with: bytes, flags and time to live in the proxy, a number in
//! the model. What the client asked for (the bytes of a `set`, the step of an `incr`) stays with the driver.

mod bring;
mod command;
mod read;
mod update;
mod write;

pub use command::{Answer, Command, Event, Failure, Lease, Next, Outcome, Seen, Side, Step};

use super::rules::Rules;

/// What is to be done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Answers with the value. `token`: the answer carries the target's CAS token, so it waits for the fill.
    Read { token: bool },
    /// Replaces whatever there is: `set`.
    Overwrite,
    /// Removes whatever there is. `tells`: the answer says whether there was a value.
    Delete { tells: bool },
    /// Depends on the value or its absence.
    Update(Update),
    /// The copier's: a read without a client.
    Move,
}

/// What an update does, by what it finds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Update {
    /// On a value.
    pub on_value: OnValue,
    /// Whether it acts where there is nothing (`add`) or answers that there is nothing (`incr`).
    pub on_nothing: bool,
}

/// What an update does on a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum OnValue {
    /// Acts on it: `incr`, `append`, `replace`, `touch`.
    Act,
    /// Answers that there is one: `add`.
    Refuse,
    /// Acts on it if its token is this one: `cas`. `None` is a token that no value at the target can have, because it
    /// was given out by another server.
    ActIf(Option<u64>),
}

/// How the source may be used, as far as the member's record says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Source {
    /// `copy`: read and deleted at.
    Live,
    /// `copy`, lost in the first step: deleted at, no longer read.
    NotRead,
    /// `copy`, lost in both steps: left alone.
    Lost,
    /// `settle`: no source has a moved key, and no lease is taken.
    Settled,
}

/// One operation on one moved key.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Operation<V> {
    kind: Kind,
    source: Source,
    rules: Rules,
    /// The source is known to hold nothing: nothing is ever written there in `copy`, so it stays so.
    source_clean: bool,
    /// The client has its answer; what goes on is done behind it.
    answered: bool,
    stage: Stage<V>,
}

/// What the operation waits for. S is the source, D the target.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Stage<V> {
    /// To be started.
    New,
    /// A look at D, with a lease if it is missing (without one in `settle`).
    Looking,
    /// Another's lease to become a value.
    Waiting(Lease),
    /// Another's lease to be taken away.
    TakingAway,
    /// What S has, under the lease.
    Fetching(Lease),
    /// What S has, without a lease.
    ReadingThrough(Through),
    /// One more look at D, after S had nothing.
    LookingOnceMore,
    /// The fill of D.
    Filling(V, Lease),
    /// The deletion at S of what D has now.
    DeletingCopy { moved: bool },
    /// The deletion at S of what is no value (stale, expired, a placeholder), under the lease.
    DeletingRest(Lease),
    /// The deletion at S before an update acts on what it saw at D.
    DeletingBefore(Seen<V>),
    /// The update at D.
    Acting(Seen<V>),
    /// The release of the lease, before the answer that there is nothing.
    Releasing,
    /// The release of the lease behind the answer.
    LettingGo,
    /// The deletion at S before a write at D.
    DeletingFirst,
    /// A look at S before it is deleted there.
    PeekingSource,
    /// The deletion at S of the value that was seen there.
    DeletingSeen,
    /// A look at D, without a lease; `found` if S had a value.
    PeekingTarget { found: bool },
    /// The removal at D of what was seen there.
    Removing { found: bool, value: bool },
    /// The write at D.
    Writing,
    /// The deletion at S after the write at D: only where [`Rule::SourceBeforeTarget`](super::Rule) is left out.
    DeletingAfterwards,
    /// Nothing.
    Over,
}

/// Why S is read without a lease.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Through {
    /// Another has the lease, or D grants none.
    NoLease,
    /// D is out of reach.
    NoTarget,
}

impl<V: Clone> Operation<V> {
    /// An operation on a moved key whose source may be used as `source` says.
    pub fn new(kind: Kind, source: Source, rules: Rules) -> Self {
        let source_clean = matches!(source, Source::Lost | Source::Settled);
        Operation {
            kind,
            source,
            rules,
            source_clean,
            answered: false,
            stage: Stage::New,
        }
    }

    /// What was asked for.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// Whether nothing is left to do, not even behind the answer.
    pub fn is_over(&self) -> bool {
        matches!(self.stage, Stage::Over)
    }

    /// Whether the client has its answer.
    pub fn is_answered(&self) -> bool {
        self.answered
    }

    /// Goes on. The first event is [`Event::Start`]; each later one answers the command or the wait of the step before.
    ///
    /// An event that nothing waited for ends the operation as failed: the driver lost count, and to guess what
    /// happened could cost a client the truth.
    pub fn step(&mut self, event: Event<V>) -> Step<V> {
        let stage = std::mem::replace(&mut self.stage, Stage::Over);
        match (stage, event) {
            (Stage::New, Event::Start { target_up }) => self.start(target_up),
            (Stage::Over, _) => Step::over(),
            (_, Event::Deadline) => self.fail(Failure::Late),
            (Stage::Waiting(lease), Event::WaitOver { patient }) => self.waited(lease, patient),
            (stage, Event::Answer(answer)) => self.answered_in(stage, answer),
            (_, Event::Start { .. } | Event::WaitOver { .. }) => self.fail(Failure::Late),
        }
    }

    fn start(&mut self, target_up: bool) -> Step<V> {
        if self.source == Source::Settled {
            return match self.kind {
                Kind::Overwrite | Kind::Delete { .. } => self.write_target(false),
                _ => self.look(),
            };
        }
        match self.kind {
            Kind::Read { .. } if !target_up => self.read_through(Through::NoTarget),
            _ if !target_up => self.fail(Failure::Refused(Side::Target)),
            Kind::Overwrite | Kind::Delete { .. } => self.write(),
            _ => self.look(),
        }
    }

    fn answered_in(&mut self, stage: Stage<V>, answer: Answer<V>) -> Step<V> {
        match stage {
            Stage::Looking => self.looked(answer),
            Stage::TakingAway => self.took_away(answer),
            Stage::Fetching(lease) => self.fetched(lease, answer),
            Stage::ReadingThrough(why) => self.was_read_through(why, answer),
            Stage::LookingOnceMore => self.looked_once_more(answer),
            Stage::Filling(item, lease) => self.filled(item, lease, answer),
            Stage::DeletingCopy { moved } => self.deleted_copy(moved, answer),
            Stage::DeletingRest(lease) => self.deleted_rest(lease, answer),
            Stage::DeletingBefore(seen) => self.deleted_before(seen, answer),
            Stage::Acting(seen) => self.acted(seen, answer),
            Stage::Releasing => self.released(answer),
            Stage::LettingGo => self.over(),
            Stage::DeletingFirst => self.deleted_first(answer),
            Stage::PeekingSource => self.peeked_source(answer),
            Stage::DeletingSeen => self.deleted_seen(answer),
            Stage::PeekingTarget { found } => self.peeked_target(found, answer),
            Stage::Removing { found, value } => self.removed(found, value, answer),
            Stage::Writing => self.written(answer),
            Stage::DeletingAfterwards => self.deleted_afterwards(answer),
            Stage::New | Stage::Waiting(_) | Stage::Over => self.fail(Failure::Late),
        }
    }

    /// Whether S may be asked for its value.
    fn reads_source(&self) -> bool {
        self.source == Source::Live && !self.source_clean
    }

    fn send(&mut self, stage: Stage<V>, to: Side, command: Command<V>) -> Step<V> {
        self.stage = stage;
        Step {
            answer: None,
            next: Next::Send { to, command },
        }
    }

    /// Ends, with the answer unless it was given before.
    fn finish(&mut self, outcome: Outcome<V>) -> Step<V> {
        self.stage = Stage::Over;
        let answer = (!self.answered).then_some(outcome);
        self.answered = true;
        Step {
            answer,
            next: Next::Over,
        }
    }

    fn fail(&mut self, failure: Failure) -> Step<V> {
        self.finish(Outcome::Failed(failure))
    }

    fn over(&mut self) -> Step<V> {
        self.stage = Stage::Over;
        Step::over()
    }

    /// Answers now and goes on behind the answer.
    fn answer_and(&mut self, outcome: Outcome<V>, then: Step<V>) -> Step<V> {
        let answer = (!self.answered).then_some(outcome);
        self.answered = true;
        Step {
            answer,
            next: then.next,
        }
    }

    /// Gives a lease back behind the answer, because nothing will be filled under it.
    fn let_go(&mut self, lease: Lease, outcome: Outcome<V>) -> Step<V> {
        let release = self.send(Stage::LettingGo, Side::Target, Command::Remove(lease));
        self.answer_and(outcome, release)
    }
}
