//! The state of everything: record, leader, two servers with one key, two proxies, the network, the monitor.

use std::hash::{Hash, Hasher};
use std::sync::Arc;
use std::time::Duration;

use evenkeel_core::migration::leader::Seen;
use evenkeel_core::migration::member::Ticket;
use evenkeel_core::migration::operation::{Answer, Lease, Operation};
use evenkeel_core::migration::{Epoch, Member, Phase, Record, Rules};

use crate::hash::Fingerprint;
use crate::monitor::{Monitor, Strictness, Value};
use crate::node::{Client, Item, Node, Reply, Wire};

/// The value at the source when a run begins.
pub const INITIAL: Value = 0o77;
/// What a target may hold from an earlier life.
pub const LEFTOVER: Value = 0o76;
/// Longer than any timer of the leader.
pub const AGES: Duration = Duration::from_secs(1 << 20);

/// The servers' addresses, as the record has them.
pub const SERVERS: [&str; 2] = ["s0", "s1"];

/// Where a proxy's client has its operation, and where its copier has.
pub const CLIENT: usize = 0;
pub const COPIER: usize = 1;

/// How often each thing may still happen.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Budget {
    pub gets: u8,
    pub tokens: u8,
    pub sets: u8,
    pub deletes: u8,
    pub quiet_deletes: u8,
    pub increments: u8,
    pub appends: u8,
    pub adds: u8,
    pub compares: u8,
    pub migrations: u8,
    pub evictions: u8,
    pub expiries: u8,
    pub given_up: u8,
    pub undelivered: u8,
    pub crashes: u8,
    pub node_restarts: u8,
    pub aborts: u8,
    pub hold_timeouts: u8,
    pub losses: u8,
    /// Copier moves for which there is nothing at the source any more.
    pub idle_moves: u8,
}

/// One set of runs to explore.
#[derive(Debug, Clone)]
pub struct Setup {
    pub name: &'static str,
    pub rules: Rules,
    pub budget: Budget,
    pub strictness: Strictness,
    /// Whether hearing an answer is a step of its own. Where it is not, a state that differs only in what was heard
    /// is left out: a reduction for the larger sets.
    pub heard_apart: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct World {
    pub record: Arc<Record<u8>>,
    pub leader: Leader,
    pub nodes: [Node; 2],
    pub proxies: [Proxy; 2],
    pub late: Vec<Late>,
    pub monitor: Monitor,
    pub budget: Budget,
}

/// What the leader has seen under the record's epoch, and what it has under way.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Leader {
    pub purged: bool,
    pub sources_empty: bool,
    pub lost_emptied: bool,
    pub work: Option<Work>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Work {
    pub kind: WorkKind,
    pub node: usize,
    pub epoch: Epoch,
    /// What was found, once the node has executed it.
    pub found_nothing: Option<bool>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum WorkKind {
    Purge,
    List,
    EmptyLost,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Proxy {
    pub up: bool,
    pub member: Member<u8>,
    /// What the store says that it has acknowledged.
    pub acknowledged: Epoch,
    pub tasks: [Option<Task>; 2],
    /// What its client was told by `gets`: the value, the server that gave the token, the token.
    pub token: Option<(Value, usize, Lease)>,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Task {
    pub client: Client,
    pub source: usize,
    pub target: usize,
    /// `None`: the client's command as it is.
    pub machine: Option<Operation<Value>>,
    pub ticket: Ticket,
    pub pending: Pending,
    /// The token that the target told last. The operation may stand on it.
    pub heard: Option<Lease>,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Pending {
    Sent(usize, Wire),
    Executed(usize, Reply),
    Waiting,
}

/// A command whose sender gave up. A node may still execute it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Late {
    pub node: usize,
    pub wire: Wire,
    pub client: Client,
    pub proxy: usize,
    /// `None` if nobody waits for its end, or whoever did has crashed.
    pub ticket: Option<Ticket>,
    /// Whether it was sent in a former life of the proxy.
    pub former: bool,
}

impl World {
    pub fn new(setup: &Setup) -> Self {
        let record = Arc::new(Record::first(0));
        let proxy = Proxy {
            up: true,
            member: Member::new(record.clone(), setup.rules),
            acknowledged: record.epoch,
            tasks: [None, None],
            token: None,
        };
        let item = |value| Node {
            item: Some(Item {
                token: 1,
                value: Some(value),
            }),
            life: 0,
        };
        World {
            record,
            leader: Leader::default(),
            nodes: [item(INITIAL), item(LEFTOVER)],
            proxies: [proxy.clone(), proxy],
            late: Vec::new(),
            monitor: Monitor::new(INITIAL, setup.strictness),
            budget: setup.budget,
        }
    }

    pub fn fingerprint(&self) -> u64 {
        fingerprint(self)
    }

    /// Whether no migration is under way and none will start.
    pub fn is_done(&self) -> bool {
        self.record.migration.is_none() && self.budget.migrations == 0
    }

    pub fn phase(&self) -> Option<Phase> {
        self.record.phase()
    }

    pub fn acknowledged(&self) -> bool {
        self.proxies
            .iter()
            .all(|proxy| proxy.acknowledged == self.record.epoch)
    }

    /// What the leader sees, if all its timers have run out.
    pub fn seen(&self) -> Seen {
        Seen {
            acknowledged: self.acknowledged(),
            purged: self.leader.purged,
            sources_empty: self.leader.sources_empty,
            lost_sources_emptied: self.leader.lost_emptied,
            age: AGES,
            since_acknowledged: AGES,
        }
    }

    pub fn replace_record(&mut self, record: Record<u8>) {
        self.record = Arc::new(record);
        self.leader = Leader {
            work: self.leader.work,
            ..Leader::default()
        };
    }

    /// Tokens of `node` that somebody may still name, with the life in which they were given out.
    pub fn tokens(&self, node: usize) -> Vec<Lease> {
        let life = self.nodes[node].life.into();
        let mut tokens: Vec<Lease> = self.nodes[node]
            .item
            .iter()
            .map(|item| Lease {
                token: item.token,
                connection: life,
            })
            .collect();
        for proxy in &self.proxies {
            tokens.extend(
                proxy
                    .token
                    .filter(|(_, of, _)| *of == node)
                    .map(|(_, _, lease)| lease),
            );
            for task in proxy.tasks.iter().flatten() {
                tokens.extend(task.heard.filter(|_| task.target == node));
                tokens.extend(task.pending.lease(node));
            }
        }
        tokens.extend(
            self.late
                .iter()
                .filter(|late| late.node == node)
                .filter_map(|late| late.wire.lease(life)),
        );
        tokens
    }

    /// What is the same but for the names of the proxies is one state.
    pub fn normalize(&mut self) {
        let order = |proxy: &Proxy| fingerprint(proxy);
        if order(&self.proxies[1]) < order(&self.proxies[0]) {
            self.proxies.swap(0, 1);
            for late in &mut self.late {
                late.proxy = 1 - late.proxy;
            }
        }
        self.late.sort_by_cached_key(fingerprint);
    }

    /// What needs no choice: acknowledgements are given as soon as they may be.
    pub fn acknowledge(&mut self) {
        for (at, proxy) in self
            .proxies
            .iter_mut()
            .enumerate()
            .filter(|(_, proxy)| proxy.up)
        {
            if !self
                .late
                .iter()
                .any(|late| late.proxy == at && late.former && late.must_end())
            {
                proxy.member.former_life_is_over();
            }
            if let Some(epoch) = proxy.member.acknowledges() {
                proxy.acknowledged = epoch;
            }
        }
    }
}

impl Late {
    pub fn must_end(&self) -> bool {
        match &self.wire {
            Wire::Plain(_) => true,
            // At the source, an operation only looks and deletes.
            Wire::Meta(command) => {
                command.must_end(evenkeel_core::migration::operation::Side::Source)
            }
        }
    }
}

impl Wire {
    fn lease(&self, life: u64) -> Option<Lease> {
        match self {
            Wire::Plain(token) => token.map(|token| Lease {
                token,
                connection: life,
            }),
            Wire::Meta(command) => command.lease(),
        }
    }
}

impl Pending {
    fn lease(&self, node: usize) -> Option<Lease> {
        match self {
            Pending::Sent(to, wire) if *to == node => wire.lease(0),
            Pending::Executed(of, reply) if *of == node => match reply {
                Reply::Plain(_, lease) => *lease,
                Reply::Meta(
                    Answer::Value(_, lease) | Answer::Won(lease) | Answer::Held(lease),
                    _,
                ) => Some(*lease),
                Reply::Meta(..) => None,
            },
            _ => None,
        }
    }
}

fn fingerprint(of: &impl Hash) -> u64 {
    let mut hasher = Fingerprint::default();
    of.hash(&mut hasher);
    hasher.finish()
}
