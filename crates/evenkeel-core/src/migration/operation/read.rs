//! Reading the source without a lease: where another has it, or the target grants none or is out of reach.

use super::{Answer, Command, Failure, Operation, Outcome, Side, Stage, Step, Through};

impl<V: Clone> Operation<V> {
    pub(super) fn read_through(&mut self, why: Through) -> Step<V> {
        if self.reads_source() {
            return self.send(Stage::ReadingThrough(why), Side::Source, Command::Look);
        }
        match why {
            Through::NoLease => self.look_once_more(),
            Through::NoTarget => self.fail(Failure::Refused(Side::Target)),
        }
    }

    pub(super) fn was_read_through(&mut self, why: Through, answer: Answer<V>) -> Step<V> {
        match (answer, why) {
            (Answer::Value(item, _), _) => self.finish(Outcome::Value(item, None)),
            (Answer::NotSent | Answer::NoAnswer | Answer::Refused, _) => {
                self.fail(Failure::Refused(Side::Source))
            }
            // What was at S may have been brought over since D was looked at.
            (_, Through::NoLease) => self.look_once_more(),
            (_, Through::NoTarget) => self.fail(Failure::Refused(Side::Target)),
        }
    }

    fn look_once_more(&mut self) -> Step<V> {
        self.send(Stage::LookingOnceMore, Side::Target, Command::Look)
    }

    pub(super) fn looked_once_more(&mut self, answer: Answer<V>) -> Step<V> {
        match answer {
            Answer::Value(item, lease) => self.finish(Outcome::Value(item, Some(lease.token))),
            Answer::NotSent | Answer::NoAnswer | Answer::Refused => {
                self.fail(Failure::Refused(Side::Target))
            }
            _ => self.finish(Outcome::Nothing),
        }
    }
}
