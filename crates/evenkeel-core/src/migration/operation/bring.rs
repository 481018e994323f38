//! Bringing a key over: look or lease at the target, fetch at the source, fill under the lease.

use super::super::rules::Rule;
use super::{
    Answer, Command, Failure, Kind, Lease, Operation, Outcome, Seen, Side, Source, Stage, Step,
    Through,
};

impl<V: Clone> Operation<V> {
    /// Looks at D, taking the lease if there is nothing. In `settle` no lease is taken.
    pub(super) fn look(&mut self) -> Step<V> {
        let command = if self.source == Source::Settled {
            Command::Look
        } else {
            Command::LookOrLease
        };
        self.send(Stage::Looking, Side::Target, command)
    }

    pub(super) fn looked(&mut self, answer: Answer<V>) -> Step<V> {
        match answer {
            Answer::Value(item, lease) => self.hit(item, lease),
            Answer::Won(lease) if self.reads_source() => {
                self.send(Stage::Fetching(lease), Side::Source, Command::Look)
            }
            Answer::Won(lease) => self.nothing(Seen::Placeholder(lease)),
            Answer::Held(lease) => self.held(lease),
            Answer::Miss => self.nothing(Seen::Nothing),
            Answer::Refused if self.is_read() => self.read_through(Through::NoLease),
            Answer::NotSent | Answer::NoAnswer if self.is_read() => {
                self.read_through(Through::NoTarget)
            }
            _ => self.fail(Failure::Refused(Side::Target)),
        }
    }

    /// D has a value.
    fn hit(&mut self, item: V, lease: Lease) -> Step<V> {
        match self.kind {
            Kind::Update(update) => self.update_value(update, item, lease),
            // A filler may have died between its fill and its deletion, and `copy` would never end.
            Kind::Move if self.rules.keeps(Rule::CopierDeletesOnHit) => self.send(
                Stage::DeletingCopy { moved: false },
                Side::Source,
                Command::Delete,
            ),
            Kind::Move => self.finish(Outcome::Already),
            _ => self.finish(Outcome::Value(item, Some(lease.token))),
        }
    }

    /// Somebody else has the lease.
    fn held(&mut self, lease: Lease) -> Step<V> {
        match (self.source, self.kind) {
            (Source::Settled, _) => self.nothing(Seen::Placeholder(lease)),
            // A value at S is the latest, so a plain read need not wait for it to be brought over.
            (_, Kind::Read { token: false }) => self.read_through(Through::NoLease),
            _ => {
                self.stage = Stage::Waiting(lease);
                Step::wait()
            }
        }
    }

    pub(super) fn waited(&mut self, lease: Lease, patient: bool) -> Step<V> {
        if patient {
            return self.look();
        }
        self.send(Stage::TakingAway, Side::Target, Command::Remove(lease))
    }

    pub(super) fn took_away(&mut self, answer: Answer<V>) -> Step<V> {
        match answer {
            Answer::NoAnswer => self.fail(Failure::Refused(Side::Target)),
            _ => self.look(),
        }
    }

    pub(super) fn fetched(&mut self, lease: Lease, answer: Answer<V>) -> Step<V> {
        match answer {
            Answer::Value(item, _) => {
                let fill = self.send(
                    Stage::Filling(item.clone(), lease),
                    Side::Target,
                    Command::Fill(item.clone(), lease),
                );
                match self.kind {
                    Kind::Read { token: false } => {
                        self.answer_and(Outcome::Value(item, None), fill)
                    }
                    _ => fill,
                }
            }
            Answer::Miss => {
                self.source_clean = true;
                self.nothing(Seen::Placeholder(lease))
            }
            // What a lease left at S after an abort, and what must not be copied, is removed there.
            Answer::Spent | Answer::Won(_) | Answer::Held(_) => {
                self.send(Stage::DeletingRest(lease), Side::Source, Command::Delete)
            }
            _ => self.let_go(lease, Outcome::Failed(Failure::Refused(Side::Source))),
        }
    }

    pub(super) fn deleted_rest(&mut self, lease: Lease, answer: Answer<V>) -> Step<V> {
        match answer {
            Answer::Done | Answer::Miss => {
                self.source_clean = true;
                self.nothing(Seen::Placeholder(lease))
            }
            _ => self.let_go(lease, Outcome::Failed(Failure::Refused(Side::Source))),
        }
    }

    pub(super) fn filled(&mut self, item: V, lease: Lease, answer: Answer<V>) -> Step<V> {
        match answer {
            Answer::Done => self.send(
                Stage::DeletingCopy { moved: true },
                Side::Source,
                Command::Delete,
            ),
            Answer::Refused => {
                let outcome = match self.kind {
                    Kind::Read { .. } => Outcome::Value(item, None),
                    _ => Outcome::Refused,
                };
                self.let_go(lease, outcome)
            }
            Answer::NoAnswer => self.fail(Failure::Refused(Side::Target)),
            // The lease is lost; whoever is still waited for starts again.
            _ if self.answered => self.over(),
            _ => self.look(),
        }
    }

    /// D has the value, and the copy at S is deleted, or was not there.
    pub(super) fn deleted_copy(&mut self, moved: bool, answer: Answer<V>) -> Step<V> {
        let clean = matches!(answer, Answer::Done | Answer::Miss);
        self.source_clean |= clean;
        match self.kind {
            _ if self.answered => self.over(),
            Kind::Move if !clean => self.fail(Failure::Refused(Side::Source)),
            Kind::Move => self.finish(if moved {
                Outcome::Done
            } else {
                Outcome::Already
            }),
            Kind::Update(_) if !clean => self.fail(Failure::Refused(Side::Source)),
            // An update acts on what is at D now, and a read that needs D's token learns it there.
            _ => self.look(),
        }
    }

    /// There is no value at D; at S neither, unless it must not be read.
    pub(super) fn nothing(&mut self, seen: Seen<V>) -> Step<V> {
        match (self.kind, seen) {
            (Kind::Update(update), seen) => self.update_nothing(update, seen),
            (_, Seen::Placeholder(lease)) if self.source != Source::Settled => {
                self.send(Stage::Releasing, Side::Target, Command::Remove(lease))
            }
            _ => self.finish(Outcome::Nothing),
        }
    }

    /// The lease is released. If it was lost, somebody else may have brought the key over.
    pub(super) fn released(&mut self, answer: Answer<V>) -> Step<V> {
        match answer {
            Answer::Done => self.finish(Outcome::Nothing),
            Answer::NoAnswer => self.fail(Failure::Refused(Side::Target)),
            _ if self.is_read() && !self.rules.keeps(Rule::LostLeaseStartsAgain) => {
                self.finish(Outcome::Nothing)
            }
            _ => self.look(),
        }
    }

    pub(super) fn is_read(&self) -> bool {
        matches!(self.kind, Kind::Read { .. })
    }
}
