//! A member: one worker of a proxy, which serves under a record and acknowledges its epoch.

use std::sync::Arc;

use super::operation::Source;
use super::record::{Epoch, Loss, Phase, Record};
use super::rules::{Rule, Rules};

/// What a member serves under, and what it began under which epoch.
///
/// To acknowledge an epoch is to say: nothing that I began under an earlier one can still reach a node. So a member
/// counts what it begins (an operation, a copier's move, a purge, a listing), and what of it was given up while a
/// command was under way stays counted until that command's connection has *ended*: our sending side shut down, and the
/// node's end of stream read. Closing alone proves nothing, for a slow node executes what it had received.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Member<T> {
    record: Arc<Record<T>>,
    rules: Rules,
    /// How many begun things are not over, per epoch, oldest first. Only epochs with something under way are here.
    under_way: Vec<(Epoch, u32)>,
    /// Whether commands of a former life of this member may still be under way.
    former_life: bool,
}

/// Proof that something was begun, and under which epoch. Give it back to [`Member::end`] once, when it is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[must_use = "what was begun stays counted until its ticket is given back"]
pub struct Ticket {
    epoch: Epoch,
}

/// What a member does with an operation on a moved key that arrives now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Serve {
    /// Send it to the node of `current`, as ever.
    Current,
    /// Keep it waiting in the proxy; begin nothing.
    Wait,
    /// Run an [`Operation`](super::Operation) with this source.
    Operate(Source),
}

impl<T> Member<T> {
    /// A member that serves for the first time. It must be registered before the record is read.
    pub fn new(record: Arc<Record<T>>, rules: Rules) -> Self {
        Member {
            record,
            rules,
            under_way: Vec::new(),
            former_life: false,
        }
    }

    /// A member whose former life may have left commands under way. It acknowledges nothing before
    /// [`former_life_is_over`](Self::former_life_is_over).
    pub fn restarted(record: Arc<Record<T>>, rules: Rules) -> Self {
        Member {
            former_life: rules.keeps(Rule::AcknowledgeWhenDrained),
            ..Member::new(record, rules)
        }
    }

    /// `late_grace` has passed since the restart.
    pub fn former_life_is_over(&mut self) {
        self.former_life = false;
    }

    /// The record that it serves under.
    pub fn record(&self) -> &Arc<Record<T>> {
        &self.record
    }

    /// Goes over to a newer record; an older one is ignored.
    ///
    /// `unticketed` is how many commands are under way that were begun without a ticket, as all are in stable, where
    /// counting each would cost every request something. They are counted now, under the epoch that ends.
    pub fn learn(&mut self, record: Arc<Record<T>>, unticketed: u32) {
        if record.epoch <= self.record.epoch {
            return;
        }
        if unticketed > 0 {
            self.add(self.record.epoch, unticketed);
        }
        self.record = record;
    }

    /// What to do with an operation on a moved key whose source is the server `source`.
    pub fn serve(&self, source: &str) -> Serve {
        let Some(migration) = &self.record.migration else {
            return Serve::Current;
        };
        match migration.phase {
            Phase::Purge => Serve::Current,
            Phase::Hold => Serve::Wait,
            Phase::Settle => Serve::Operate(Source::Settled),
            Phase::Copy => Serve::Operate(match self.record.loss(source) {
                None => Source::Live,
                Some(Loss::NotRead) => Source::NotRead,
                Some(Loss::NotDeleted) => Source::Lost,
            }),
        }
    }

    /// Begins something under the record's epoch.
    pub fn begin(&mut self) -> Ticket {
        let epoch = self.record.epoch;
        self.add(epoch, 1);
        Ticket { epoch }
    }

    /// The ticket of a command that was begun before the last [`learn`](Self::learn), which counted it as unticketed.
    pub fn ticket_of(&self, epoch: Epoch) -> Ticket {
        Ticket { epoch }
    }

    /// It is over: every command was answered, or its connection has ended.
    pub fn end(&mut self, ticket: Ticket) {
        if let Some(at) = self
            .under_way
            .iter()
            .position(|(epoch, _)| *epoch == ticket.epoch)
        {
            self.under_way[at].1 -= 1;
            if self.under_way[at].1 == 0 {
                self.under_way.remove(at);
            }
        }
    }

    /// A command of what `of` stands for was given up while a node may still execute it. It is counted on its own, and
    /// its ticket must be ended when its connection has ended.
    pub fn give_up(&mut self, of: Ticket) -> Option<Ticket> {
        if !self.rules.keeps(Rule::WaitForEndOfStream) {
            return None;
        }
        self.add(of.epoch, 1);
        Some(of)
    }

    /// The epoch that may be acknowledged now, or `None` while something of an earlier one may still reach a node.
    pub fn acknowledges(&self) -> Option<Epoch> {
        let epoch = self.record.epoch;
        let drained = !self.former_life
            && self
                .under_way
                .first()
                .is_none_or(|(begun, _)| *begun >= epoch);
        (drained || !self.rules.keeps(Rule::AcknowledgeWhenDrained)).then_some(epoch)
    }

    /// How many begun things are not over that keep the record's epoch from being acknowledged. `status` shows it.
    pub fn draining(&self) -> u32 {
        self.under_way
            .iter()
            .filter(|(epoch, _)| *epoch < self.record.epoch)
            .map(|(_, count)| count)
            .sum()
    }

    fn add(&mut self, epoch: Epoch, count: u32) {
        match self.under_way.iter_mut().find(|(begun, _)| *begun == epoch) {
            Some(entry) => entry.1 += count,
            None => {
                let at = self.under_way.partition_point(|(begun, _)| *begun < epoch);
                self.under_way.insert(at, (epoch, count));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(epoch: Epoch) -> Arc<Record<()>> {
        Arc::new(Record {
            epoch,
            ..Record::first(())
        })
    }

    #[test]
    fn an_epoch_is_acknowledged_when_everything_begun_earlier_is_over() {
        let mut member = Member::new(record(1), Rules::default());
        let early = member.begin();
        member.learn(record(2), 0);
        let late = member.begin();
        assert_eq!(member.acknowledges(), None);
        member.end(early);
        assert_eq!(
            member.acknowledges(),
            Some(2),
            "what was begun under epoch 2 does not count against it"
        );
        member.end(late);
    }

    #[test]
    fn a_command_given_up_counts_until_its_connection_has_ended() {
        let mut member = Member::new(record(1), Rules::default());
        let ticket = member.begin();
        let late = member.give_up(ticket);
        member.end(ticket);
        member.learn(record(2), 0);
        assert_eq!(member.acknowledges(), None);
        member.end(late.unwrap_or(ticket));
        assert_eq!(member.acknowledges(), Some(2));
    }

    #[test]
    fn commands_under_way_in_stable_count_against_the_first_epoch_of_a_migration() {
        let mut member = Member::new(record(4), Rules::default());
        member.learn(record(5), 2);
        assert_eq!((member.acknowledges(), member.draining()), (None, 2));
        member.end(member.ticket_of(4));
        member.end(member.ticket_of(4));
        assert_eq!((member.acknowledges(), member.draining()), (Some(5), 0));
    }

    #[test]
    fn a_restarted_member_acknowledges_nothing_while_its_former_life_lasts() {
        let mut member = Member::restarted(record(3), Rules::default());
        assert_eq!(member.acknowledges(), None);
        member.former_life_is_over();
        assert_eq!(member.acknowledges(), Some(3));
    }

    #[test]
    fn an_older_record_is_ignored() {
        let mut member = Member::new(record(3), Rules::default());
        member.learn(record(2), 0);
        assert_eq!(member.record().epoch, 3);
    }
}
