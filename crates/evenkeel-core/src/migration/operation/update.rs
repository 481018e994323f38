//! Updates: what depends on the old value or its absence acts on exactly what it saw, and never on a placeholder that
//! it did not mean.

use super::{
    Answer, Command, Failure, Lease, OnValue, Operation, Outcome, Seen, Side, Stage, Step, Update,
};

impl<V: Clone> Operation<V> {
    /// D has a value.
    pub(super) fn update_value(&mut self, update: Update, item: V, lease: Lease) -> Step<V> {
        let acts = match update.on_value {
            OnValue::Act => true,
            OnValue::Refuse => false,
            OnValue::ActIf(token) => token == Some(lease.token),
        };
        if !acts {
            return self.finish(Outcome::Exists);
        }
        self.clean_and_act(Seen::Value(item, lease))
    }

    /// D has no value, and what S has, if anything, is not to be read.
    pub(super) fn update_nothing(&mut self, update: Update, seen: Seen<V>) -> Step<V> {
        if !self.source_clean {
            return self.send(
                Stage::DeletingBefore(seen.clone()),
                Side::Source,
                Command::Delete,
            );
        }
        match seen {
            _ if update.on_nothing => self.act(seen),
            // The lease breaks before the answer that there is nothing, lest its holder bring a value back.
            Seen::Placeholder(lease) => {
                self.send(Stage::Releasing, Side::Target, Command::Remove(lease))
            }
            _ => self.finish(Outcome::Nothing),
        }
    }

    fn clean_and_act(&mut self, seen: Seen<V>) -> Step<V> {
        if self.source_clean {
            return self.act(seen);
        }
        self.send(Stage::DeletingBefore(seen), Side::Source, Command::Delete)
    }

    pub(super) fn deleted_before(&mut self, seen: Seen<V>, answer: Answer<V>) -> Step<V> {
        match (answer, seen, self.kind) {
            (Answer::Done | Answer::Miss, seen @ Seen::Value(..), _) => {
                self.source_clean = true;
                self.act(seen)
            }
            (Answer::Done | Answer::Miss, seen, super::Kind::Update(update)) => {
                self.source_clean = true;
                self.update_nothing(update, seen)
            }
            (_, Seen::Placeholder(lease), _) => {
                self.let_go(lease, Outcome::Failed(Failure::Refused(Side::Source)))
            }
            _ => self.fail(Failure::Refused(Side::Source)),
        }
    }

    fn act(&mut self, seen: Seen<V>) -> Step<V> {
        self.send(
            Stage::Acting(seen.clone()),
            Side::Target,
            Command::Act(seen),
        )
    }

    pub(super) fn acted(&mut self, seen: Seen<V>, answer: Answer<V>) -> Step<V> {
        match (answer, seen) {
            (Answer::Done, _) => self.finish(Outcome::Done),
            (Answer::Refused, Seen::Placeholder(lease)) => self.let_go(lease, Outcome::Refused),
            (Answer::Refused, _) => self.finish(Outcome::Refused),
            (Answer::NoAnswer, _) => self.fail(Failure::Unknown),
            // It is no longer what was seen, or the connection of its token is gone: nothing was done, so look again.
            _ => self.look(),
        }
    }
}
