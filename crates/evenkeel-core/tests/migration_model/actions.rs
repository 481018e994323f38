//! What can happen next.

use evenkeel_core::migration::leader::{self, Decision};
use evenkeel_core::migration::member::Serve;
use evenkeel_core::migration::operation::Source;
use evenkeel_core::migration::{Loss, Phase};

use crate::monitor::What;
use crate::steps::Action;
use crate::world::{CLIENT, COPIER, Pending, SERVERS, Setup, Work, WorkKind, World};

impl World {
    /// Everything that can happen next.
    pub fn actions(&self, setup: &Setup) -> Vec<Action> {
        let mut actions = Vec::with_capacity(16);
        for proxy in 0..2 {
            self.proxy_actions(proxy, &mut actions);
        }
        for late in 0..self.late.len() {
            let node = self.late[late].node;
            actions.extend(
                self.fresh_tokens(node)
                    .into_iter()
                    .map(|token| Action::ExecuteLate { late, token }),
            );
            actions.push(Action::DropLate { late });
        }
        for (node, state) in self.nodes.iter().enumerate() {
            if state.item.is_some() && self.budget.evictions > 0 {
                actions.push(Action::Evict { node });
            }
            if state.item.as_ref().is_some_and(|item| item.value.is_none())
                && self.budget.expiries > 0
            {
                actions.push(Action::Expire { node });
            }
            if self.budget.node_restarts > 0 {
                actions.push(Action::RestartNode { node });
            }
        }
        self.leader_actions(setup, &mut actions);
        actions
    }

    pub fn proxy_actions(&self, at: usize, actions: &mut Vec<Action>) {
        let proxy = &self.proxies[at];
        if !proxy.up {
            actions.push(Action::Restart { proxy: at });
            return;
        }
        if proxy.member.record().epoch < self.record.epoch {
            actions.push(Action::Learn { proxy: at });
        }
        if self.budget.crashes > 0 {
            actions.push(Action::Crash { proxy: at });
        }
        let source = usize::from(proxy.member.record().current);
        let serve = proxy.member.serve(SERVERS[source]);
        if proxy.tasks[CLIENT].is_none() && serve != Serve::Wait {
            actions.extend(
                self.asked(at)
                    .into_iter()
                    .map(|what| Action::Invoke { proxy: at, what }),
            );
        }
        let nobody_moves = self
            .proxies
            .iter()
            .all(|proxy| proxy.tasks[COPIER].is_none());
        let there = self.nodes[source].item.is_some() || self.budget.idle_moves > 0;
        if serve == Serve::Operate(Source::Live) && nobody_moves && there {
            actions.push(Action::Move { proxy: at });
        }
        for task in 0..2 {
            self.task_actions(at, task, actions);
        }
    }

    pub fn task_actions(&self, proxy: usize, task: usize, actions: &mut Vec<Action>) {
        let Some(state) = &self.proxies[proxy].tasks[task] else {
            return;
        };
        match &state.pending {
            Pending::Sent(node, _) => {
                let tokens = self.fresh_tokens(*node);
                actions.extend(tokens.into_iter().map(|token| Action::Execute {
                    proxy,
                    task,
                    token,
                }));
                if self.budget.given_up > 0 {
                    actions.push(Action::GiveUp { proxy, task });
                }
                if self.budget.undelivered > 0 {
                    actions.push(Action::Undelivered { proxy, task });
                }
            }
            Pending::Executed(..) => actions.push(Action::Hear { proxy, task }),
            Pending::Waiting => {
                actions.push(Action::WaitOver {
                    proxy,
                    task,
                    patient: true,
                });
                actions.push(Action::WaitOver {
                    proxy,
                    task,
                    patient: false,
                });
            }
        }
    }

    /// What a client of this proxy may ask for.
    pub fn asked(&self, proxy: usize) -> Vec<What> {
        let budget = &self.budget;
        let mut asked = Vec::new();
        let kinds = [
            (budget.gets, What::Get),
            (budget.tokens, What::Gets),
            (budget.sets, What::Set),
            (budget.deletes, What::Delete),
            (budget.quiet_deletes, What::DeleteQuietly),
            (budget.increments, What::Increment),
            (budget.appends, What::Append),
            (budget.adds, What::Add),
        ];
        asked.extend(
            kinds
                .iter()
                .filter(|(left, _)| *left > 0)
                .map(|(_, what)| *what),
        );
        if let Some((value, ..)) = self.proxies[proxy].token.filter(|_| budget.compares > 0) {
            asked.push(What::CompareAndSet(value));
        }
        asked
    }

    pub fn leader_actions(&self, setup: &Setup, actions: &mut Vec<Action>) {
        let Some(migration) = &self.record.migration else {
            if self.budget.migrations > 0 && self.acknowledged() {
                actions.push(Action::Start);
            }
            return;
        };
        if self.budget.aborts > 0 && migration.phase != Phase::Settle {
            actions.push(Action::Abort);
        }
        if self.budget.losses > 0 && migration.phase == Phase::Copy && self.acknowledged() {
            actions.push(Action::Lose);
        }
        if self.budget.hold_timeouts > 0 && migration.phase == Phase::Hold {
            actions.push(Action::HoldTimeout);
        }
        match self.leader.work {
            Some(Work {
                found_nothing: Some(_),
                ..
            }) => actions.push(Action::LeaderHear),
            Some(_) => actions.push(Action::LeaderExecute),
            None if self.next_work().is_some() => actions.push(Action::LeaderSend),
            None => {}
        }
        // A hold that is not acknowledged ends only by its time-out.
        let seen = self.seen();
        if (seen.acknowledged || migration.phase != Phase::Hold)
            && matches!(
                leader::decide(setup.rules, &self.record, &seen),
                Decision::Replace(_)
            )
        {
            actions.push(Action::Decide);
        }
    }

    /// What the leader has to do under this record.
    pub fn next_work(&self) -> Option<(WorkKind, usize)> {
        let migration = self.record.migration.as_ref()?;
        let source = usize::from(self.record.current);
        let lost = migration.lost_sources.get(SERVERS[source]);
        match migration.phase {
            Phase::Purge if !self.leader.purged => {
                Some((WorkKind::Purge, usize::from(migration.to)))
            }
            Phase::Copy if migration.turn_back => {
                (!self.leader.lost_emptied).then_some((WorkKind::EmptyLost, source))
            }
            Phase::Copy if !self.leader.sources_empty && lost != Some(&Loss::NotRead) => {
                Some((WorkKind::List, source))
            }
            _ => None,
        }
    }

    /// The token that the counter gives next; after a restart it may be one that was given out before.
    pub fn fresh_tokens(&self, node: usize) -> Vec<u64> {
        let named = self.tokens(node);
        let fresh = (1..)
            .find(|token| named.iter().all(|lease| lease.token != *token))
            .unwrap_or(0);
        let life = u64::from(self.nodes[node].life);
        let of_this_life = |token| {
            named
                .iter()
                .any(|lease| lease.connection == life && lease.token == token)
        };
        let mut tokens: Vec<u64> = named
            .iter()
            .map(|lease| lease.token)
            .filter(|token| !of_this_life(*token))
            .collect();
        tokens.push(fresh);
        tokens.sort_unstable();
        tokens.dedup();
        tokens
    }
}
