//! Overwrites and deletes: first at the source, and have that acknowledged, then at the target.
//!
//! A filler that takes its lease after the write at D reads S after the deletion there and finds nothing; one that took
//! it before has lost it. With D before S there is a gap in which a new lease reads the old value.

use super::super::rules::Rule;
use super::{Answer, Command, Failure, Kind, Operation, Outcome, Side, Source, Stage, Step};

impl<V: Clone> Operation<V> {
    pub(super) fn write(&mut self) -> Step<V> {
        if self.source == Source::Lost || !self.rules.keeps(Rule::SourceBeforeTarget) {
            return self.write_target(false);
        }
        match self.kind {
            // What S has while it must not be read may be older than what is gone from D: it counts as nothing.
            Kind::Delete { tells: true } if self.source == Source::Live => {
                self.send(Stage::PeekingSource, Side::Source, Command::Look)
            }
            _ => self.send(Stage::DeletingFirst, Side::Source, Command::Delete),
        }
    }

    pub(super) fn deleted_first(&mut self, answer: Answer<V>) -> Step<V> {
        match answer {
            Answer::Done | Answer::Miss => self.write_target(false),
            _ => self.fail(Failure::Refused(Side::Source)),
        }
    }

    pub(super) fn peeked_source(&mut self, answer: Answer<V>) -> Step<V> {
        match answer {
            Answer::Value(..) => self.send(Stage::DeletingSeen, Side::Source, Command::Delete),
            Answer::Miss => self.write_target(false),
            Answer::Spent | Answer::Won(_) | Answer::Held(_) => {
                self.send(Stage::DeletingFirst, Side::Source, Command::Delete)
            }
            _ => self.fail(Failure::Refused(Side::Source)),
        }
    }

    pub(super) fn deleted_seen(&mut self, answer: Answer<V>) -> Step<V> {
        match answer {
            Answer::Done => self.write_target(true),
            Answer::Miss => self.write_target(false),
            _ => self.fail(Failure::Refused(Side::Source)),
        }
    }

    /// S has nothing now; `found` if the operation removed a value there.
    pub(super) fn write_target(&mut self, found: bool) -> Step<V> {
        match self.kind {
            Kind::Delete { tells: true } => {
                self.send(Stage::PeekingTarget { found }, Side::Target, Command::Look)
            }
            Kind::Delete { tells: false } => {
                self.send(Stage::Writing, Side::Target, Command::Delete)
            }
            _ => self.send(Stage::Writing, Side::Target, Command::Overwrite),
        }
    }

    pub(super) fn peeked_target(&mut self, found: bool, answer: Answer<V>) -> Step<V> {
        match answer {
            Answer::Value(_, lease) => self.send(
                Stage::Removing { found, value: true },
                Side::Target,
                Command::Remove(lease),
            ),
            Answer::Held(lease) | Answer::Won(lease) => self.send(
                Stage::Removing {
                    found,
                    value: false,
                },
                Side::Target,
                Command::Remove(lease),
            ),
            Answer::Miss if found => self.finish(Outcome::Done),
            Answer::Miss => self.finish(Outcome::Nothing),
            _ if found => self.fail(Failure::Unknown),
            _ => self.fail(Failure::Refused(Side::Target)),
        }
    }

    pub(super) fn removed(&mut self, found: bool, value: bool, answer: Answer<V>) -> Step<V> {
        match answer {
            Answer::Done if found || value => self.finish(Outcome::Done),
            Answer::Done => self.finish(Outcome::Nothing),
            Answer::NoAnswer => self.fail(Failure::Unknown),
            // It is no longer what was seen, or the connection of its token is gone: nothing was removed, so look again.
            _ => self.write_target(found),
        }
    }

    pub(super) fn written(&mut self, answer: Answer<V>) -> Step<V> {
        let outcome = match answer {
            Answer::Done => Outcome::Done,
            Answer::Miss => Outcome::Nothing,
            Answer::Refused => Outcome::Refused,
            Answer::NotSent => return self.fail(Failure::Refused(Side::Target)),
            _ => return self.fail(Failure::Unknown),
        };
        if !self.rules.keeps(Rule::SourceBeforeTarget) && self.source == Source::Live {
            return self.send(Stage::DeletingAfterwards, Side::Source, Command::Delete);
        }
        self.finish(outcome)
    }

    pub(super) fn deleted_afterwards(&mut self, answer: Answer<V>) -> Step<V> {
        match answer {
            Answer::Done | Answer::Miss => self.finish(Outcome::Done),
            _ => self.fail(Failure::Unknown),
        }
    }
}
