//! What the leader does, and what that does to the record.

use evenkeel_core::migration::leader::{self, Decision};
use evenkeel_core::migration::{Options, Phase, Tags};

use crate::labels::transition;
use crate::node::Item;
use crate::steps::{Action, Run};
use crate::world::{AGES, SERVERS, Work, WorkKind, World};

impl World {
    pub fn lead(&mut self, action: Action, run: &mut Run<'_>) {
        match action {
            Action::Start => {
                self.budget.migrations -= 1;
                let to = 1 - self.record.current;
                let next = leader::start(
                    &self.record,
                    true,
                    to,
                    Tags::default(),
                    Options::default(),
                    "",
                    0,
                );
                self.replace_record(next.expect("the pool is stable"));
                run.count("record: purge");
            }
            Action::Abort => {
                self.budget.aborts -= 1;
                run.count("abort asked for");
                self.replace_record(leader::abort(&self.record).expect("it can be aborted"));
            }
            Action::Lose => {
                self.budget.losses -= 1;
                run.count("source lost: first step");
                let source = SERVERS[usize::from(self.record.current)];
                let next = leader::lose(run.setup.rules, &self.record, true, source);
                self.replace_record(next.expect("it is acknowledged"));
            }
            Action::HoldTimeout => {
                self.budget.hold_timeouts -= 1;
                let seen = leader::Seen {
                    acknowledged: false,
                    age: AGES,
                    ..self.seen()
                };
                self.decide(&seen, run);
            }
            Action::Decide => self.decide(&self.seen(), run),
            Action::LeaderSend => self.send_work(run),
            Action::LeaderExecute => {
                let Some(work) = &mut self.leader.work else {
                    return;
                };
                let item = &mut self.nodes[work.node].item;
                if work.kind != WorkKind::List {
                    *item = None;
                }
                work.found_nothing = Some(item.is_none());
                if !run.setup.heard_apart {
                    self.hear_work();
                }
            }
            Action::LeaderHear => self.hear_work(),
            _ => unreachable!("not the leader's: {action:?}"),
        }
    }

    pub fn decide(&mut self, seen: &leader::Seen, run: &mut Run<'_>) {
        let Decision::Replace(next) = leader::decide(run.setup.rules, &self.record, seen) else {
            return;
        };
        run.count(transition(
            self.record.phase(),
            next.phase(),
            seen.acknowledged,
            self.record.current != next.current,
        ));
        if self.record.phase() == Some(Phase::Settle) {
            // The longest lease has expired.
            for node in &mut self.nodes {
                node.item = node.item.take().filter(|item: &Item| item.value.is_some());
            }
        }
        self.replace_record(next);
    }

    pub fn send_work(&mut self, run: &mut Run<'_>) {
        let Some((kind, node)) = self.next_work() else {
            return;
        };
        let lost = self.record.loss(SERVERS[node]).is_some();
        match kind {
            // Nothing is listed at a lost source, and nothing need be emptied where none is lost.
            WorkKind::List if lost => self.leader.sources_empty = true,
            WorkKind::EmptyLost if !lost => self.leader.lost_emptied = true,
            _ => {
                run.count(match kind {
                    WorkKind::Purge => "leader: purge",
                    WorkKind::List => "leader: list",
                    WorkKind::EmptyLost => "leader: empty a lost source",
                });
                self.leader.work = Some(Work {
                    kind,
                    node,
                    epoch: self.record.epoch,
                    found_nothing: None,
                });
            }
        }
    }

    pub fn hear_work(&mut self) {
        let Some(work) = self
            .leader
            .work
            .take()
            .filter(|work| work.epoch == self.record.epoch)
        else {
            return;
        };
        let found_nothing = work.found_nothing == Some(true);
        match work.kind {
            WorkKind::Purge => self.leader.purged = found_nothing,
            WorkKind::List => self.leader.sources_empty = found_nothing,
            WorkKind::EmptyLost => self.leader.lost_emptied = found_nothing,
        }
    }
}
