//! The migration of the demo: leader, one member, and the copier, by the rules.

use super::cluster::Cluster;
use super::operating::{Job, context, operate};
use crate::migration::Item;
use evenkeel_core::migration::leader::{self, Decision, Seen};
use evenkeel_core::migration::member::Serve;
use evenkeel_core::migration::operation::{Kind, Outcome, Source};
use evenkeel_core::migration::{Member, Options, Phase, Record, Rules};
use evenkeel_core::{Placement, Topology};
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

/// Where an operation on a key goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// To this node, as ever.
    Node(usize),
    /// By the rules of `copy` or `settle`, from one node to the other.
    Moving {
        nodes: (usize, usize),
        source: Source,
    },
}

/// A pool that changes by migration.
pub(super) struct Migrating {
    member: Member<Topology>,
    current: Placement,
    to: Option<Placement>,
    seen: Seen,
    /// Sources still to be listed in this pass, and whether it has found anything yet.
    to_list: Vec<usize>,
    found: bool,
    /// Moved keys that were listed and not yet moved.
    listed: VecDeque<Vec<u8>>,
    moved: u64,
}

impl Migrating {
    pub(super) fn new(current: Topology) -> Self {
        Self {
            current: Placement::build(&current),
            member: Member::new(Arc::new(Record::first(current)), Rules::default()),
            to: None,
            seen: Seen::default(),
            to_list: Vec::new(),
            found: false,
            listed: VecDeque::new(),
            moved: 0,
        }
    }

    /// `evenkeel apply`.
    pub(super) fn apply(&mut self, to: Topology) -> Result<(), leader::Refusal> {
        let options = Options {
            lease_seconds: 1,
            ..Options::default()
        };
        let record = self.member.record();
        let tags = record.tags.clone();
        let next = leader::start(record, true, to.clone(), tags, options, "demo", 0)?;
        self.to = Some(Placement::build(&to));
        self.learn(next);
        Ok(())
    }

    /// The phase, as `evenkeel status` names it.
    pub(super) fn phase(&self) -> &'static str {
        match self.member.record().phase() {
            None => "stable",
            Some(Phase::Purge) => "purge",
            Some(Phase::Hold) => "hold",
            Some(Phase::Copy) => "copy",
            Some(Phase::Settle) => "settle",
        }
    }

    /// Keys that the copier or a reader's fill has moved, as far as the copier knows.
    pub(super) fn moved(&self) -> u64 {
        self.moved
    }

    pub(super) fn way(&self, key: &[u8]) -> Way {
        let source = self.current.node_of(key).get();
        let target = self.to.as_ref().map_or(source, |to| to.node_of(key).get());
        let server = self
            .current
            .topology()
            .nodes()
            .get(source)
            .map_or("", |node| node.name.as_str());
        match self.member.serve(server) {
            Serve::Operate(use_of_source) if source != target => Way::Moving {
                nodes: (source, target),
                source: use_of_source,
            },
            // Between two turns of the demo no hold lasts, so nothing has to wait in it.
            _ => Way::Node(source),
        }
    }

    /// Runs one operation on a moved key.
    pub(super) fn operate(
        &mut self,
        cluster: &mut Cluster,
        kind: Kind,
        key: &[u8],
        (nodes, source): ((usize, usize), Source),
        own: &[u8],
    ) -> Option<Outcome<Item>> {
        let ticket = self.member.begin();
        let outcome = operate(
            cluster,
            &Job {
                kind,
                key,
                nodes,
                source,
                own,
                context: context(),
            },
        );
        self.member.end(ticket);
        outcome
    }

    /// The leader's turn, and the copier's: at most `budget` keys. `passed` is the time since the last turn.
    pub(super) fn turn(&mut self, cluster: &mut Cluster, budget: u32, passed: Duration) {
        self.seen.age += passed;
        self.seen.since_acknowledged += passed;
        if self.member.record().phase() == Some(Phase::Copy) {
            self.copy(cluster, budget);
        }
        loop {
            self.seen.acknowledged = self.member.acknowledges() == Some(self.member.record().epoch);
            self.seen.purged = self.targets_are_empty(cluster);
            match leader::decide(Rules::default(), self.member.record(), &self.seen) {
                Decision::Wait => return,
                Decision::Replace(record) => self.learn(record),
            }
        }
    }

    fn learn(&mut self, record: Record<Topology>) {
        if record.migration.is_none()
            && let Some(to) = self.to.take()
        {
            self.current = to;
        }
        self.member.learn(Arc::new(record), 0);
        self.seen = Seen {
            lost_sources_emptied: true,
            ..Seen::default()
        };
        self.begin_pass();
    }

    /// New nodes, which a migration wants to be empty.
    fn targets_are_empty(&self, cluster: &Cluster) -> bool {
        let (before, after) = (self.current.topology().nodes().len(), self.to.as_ref());
        let after = after.map_or(before, |to| to.topology().nodes().len());
        (before..after).all(|node| cluster.items(node) == 0)
    }

    fn begin_pass(&mut self) {
        self.to_list = (0..self.current.topology().nodes().len()).collect();
        self.found = false;
    }

    /// Passes over the sources, one after the other; one that finds nothing ends the copying.
    fn copy(&mut self, cluster: &mut Cluster, budget: u32) {
        for _ in 0..budget {
            while self.listed.is_empty() {
                match self.to_list.pop() {
                    Some(source) => self.list(cluster, source),
                    None if self.found => self.begin_pass(),
                    None => {
                        self.seen.sources_empty = true;
                        return;
                    }
                }
            }
            let Some(key) = self.listed.pop_front() else {
                return;
            };
            if let Way::Moving { nodes, source } = self.way(&key) {
                let outcome = self.operate(cluster, Kind::Move, &key, (nodes, source), &[]);
                self.moved += u64::from(matches!(outcome, Some(Outcome::Done | Outcome::Already)));
            }
        }
    }

    fn list(&mut self, cluster: &mut Cluster, source: usize) {
        let keys = cluster.keys(source);
        let moved =
            |key: &Vec<u8>| matches!(self.way(key), Way::Moving { nodes, .. } if nodes.0 == source);
        let listed: Vec<_> = keys.into_iter().filter(moved).collect();
        self.found |= !listed.is_empty();
        self.listed.extend(listed);
    }
}
