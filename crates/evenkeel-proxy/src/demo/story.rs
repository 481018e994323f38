//! One cluster that grows, and what its origin felt.

use super::cluster::Cluster;
use super::load::Load;
use super::migrating::{Migrating, Way};
use evenkeel_core::migration::operation::{Kind, Outcome};
use evenkeel_core::{Address, KeyRule, Node, Placement, Scheme, Topology, TopologyError};
use std::time::Duration;

/// How the cluster changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    /// `hash(key) mod N`, from one moment to the next.
    Modulo,
    /// A consistent-hash ring, from one moment to the next.
    Ring,
    /// Slots, by a migration.
    Evenkeel,
}

impl Strategy {
    /// All, in the order in which the story is told.
    pub const ALL: [Strategy; 3] = [Strategy::Modulo, Strategy::Ring, Strategy::Evenkeel];

    /// What it is called in the picture.
    pub fn name(self) -> &'static str {
        match self {
            Self::Modulo => "modulo",
            Self::Ring => "ring",
            Self::Evenkeel => "evenkeel",
        }
    }

    fn scheme(self) -> Scheme {
        match self {
            Self::Modulo => Scheme::Modulo(Default::default()),
            Self::Ring => Scheme::Ring(Default::default()),
            Self::Evenkeel => Scheme::default(),
        }
    }
}

/// The load, and when what happens.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Nodes before the change. Default 16.
    pub nodes_before: u16,
    /// Nodes after it. Default 20.
    pub nodes_after: u16,
    /// Keys, all cached when the story begins. Default 100,000.
    pub keys: u32,
    /// Skew of the reads (Zipf's exponent). Default 0.99.
    pub skew: f64,
    /// Reads per tick. Default 2,000.
    pub reads: u32,
    /// Length of a tick in simulated time. Default 100 ms.
    pub tick: Duration,
    /// The tick at which the cluster grows. Default 10.
    pub change_at: u32,
    /// Keys that the copier may move per tick. Default 1,000: with the other defaults, 10,000 a second.
    pub copied: u32,
    /// Seed of the load.
    pub seed: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            nodes_before: 16,
            nodes_after: 20,
            keys: 100_000,
            skew: 0.99,
            reads: 2_000,
            tick: Duration::from_millis(100),
            change_at: 10,
            copied: 1_000,
            seed: 1,
        }
    }
}

/// What happened in one tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tick {
    /// Number of the tick, from 0.
    pub at: u32,
    /// Reads of clients.
    pub reads: u32,
    /// Reads that missed and went to the origin.
    pub origin_reads: u32,
    /// Keys that were moved so far by the copier.
    pub moved: u64,
    /// `stable`, or the phase of the migration.
    pub phase: &'static str,
}

/// How requests find their node.
enum Routing {
    AtOnce(Box<Placement>),
    Migrating(Box<Migrating>),
}

/// A cluster under load.
pub struct Story {
    strategy: Strategy,
    settings: Settings,
    cluster: Cluster,
    routing: Routing,
    load: Load,
    at: u32,
}

impl Story {
    /// A cluster with every key in its cache. O(keys).
    ///
    /// # Errors
    /// If there are no nodes, or more than a topology may have.
    pub fn new(strategy: Strategy, settings: Settings) -> Result<Self, TopologyError> {
        let before = topology(strategy, settings.nodes_before)?;
        topology(strategy, settings.nodes_after)?;
        let placement = Placement::build(&before);
        let mut cluster =
            Cluster::new(usize::from(settings.nodes_before.max(settings.nodes_after)));
        for key in 0..settings.keys {
            let key = name(key);
            cluster.exchange(placement.node_of(key.as_bytes()).get(), &set(&key));
        }
        let routing = match strategy {
            Strategy::Modulo | Strategy::Ring => Routing::AtOnce(Box::new(placement)),
            Strategy::Evenkeel => Routing::Migrating(Box::new(Migrating::new(before))),
        };
        let load = Load::new(settings.keys, settings.skew, settings.seed);
        Ok(Self {
            strategy,
            settings,
            cluster,
            routing,
            load,
            at: 0,
        })
    }

    /// The next tick: the change if its time has come, then the reads, then the copier's turn.
    pub fn tick(&mut self) -> Tick {
        if self.at == self.settings.change_at {
            self.change();
        }
        let mut origin_reads = 0;
        for _ in 0..self.settings.reads {
            let key = name(self.load.next());
            if !self.read(&key) {
                origin_reads += 1;
                self.write(&key);
            }
        }
        let (phase, moved) = match &mut self.routing {
            Routing::AtOnce(_) => ("stable", 0),
            Routing::Migrating(migrating) => {
                migrating.turn(&mut self.cluster, self.settings.copied, self.settings.tick);
                (migrating.phase(), migrating.moved())
            }
        };
        let tick = Tick {
            at: self.at,
            reads: self.settings.reads,
            origin_reads,
            moved,
            phase,
        };
        self.at += 1;
        tick
    }

    /// How many keys are not at the node where they are looked for now. O(keys); leaves the caches as they are.
    pub fn lost(&mut self) -> u32 {
        let keys = 0..self.settings.keys;
        let lost = keys.filter(|key| {
            let key = name(*key);
            let node = match &self.routing {
                Routing::AtOnce(placement) => placement.node_of(key.as_bytes()).get(),
                Routing::Migrating(migrating) => match migrating.way(key.as_bytes()) {
                    Way::Node(node) => node,
                    Way::Moving { nodes, .. } => nodes.1,
                },
            };
            !self.cluster.has(node, &key)
        });
        u32::try_from(lost.count()).unwrap_or(u32::MAX)
    }

    fn change(&mut self) {
        // Both topologies were built once already, so neither can fail here.
        let Ok(after) = topology(self.strategy, self.settings.nodes_after) else {
            return;
        };
        match &mut self.routing {
            Routing::AtOnce(placement) => **placement = Placement::build(&after),
            Routing::Migrating(migrating) => drop(migrating.apply(after)),
        }
        if let Routing::Migrating(migrating) = &mut self.routing {
            migrating.turn(&mut self.cluster, 0, Duration::ZERO);
        }
    }

    /// A client's `get`; false is a miss.
    fn read(&mut self, key: &str) -> bool {
        let migrating = match &mut self.routing {
            Routing::AtOnce(placement) => {
                return self
                    .cluster
                    .has(placement.node_of(key.as_bytes()).get(), key);
            }
            Routing::Migrating(migrating) => migrating,
        };
        match migrating.way(key.as_bytes()) {
            Way::Node(node) => self.cluster.has(node, key),
            Way::Moving { nodes, source } => {
                let kind = Kind::Read { token: false };
                let outcome = migrating.operate(
                    &mut self.cluster,
                    kind,
                    key.as_bytes(),
                    (nodes, source),
                    &[],
                );
                matches!(outcome, Some(Outcome::Value(..)))
            }
        }
    }

    /// A client's `set` of what it read from the origin.
    fn write(&mut self, key: &str) {
        let own = set(key);
        let node = match &mut self.routing {
            Routing::AtOnce(placement) => placement.node_of(key.as_bytes()).get(),
            Routing::Migrating(migrating) => match migrating.way(key.as_bytes()) {
                Way::Node(node) => node,
                Way::Moving { nodes, source } => {
                    let way = (nodes, source);
                    migrating.operate(
                        &mut self.cluster,
                        Kind::Overwrite,
                        key.as_bytes(),
                        way,
                        &own,
                    );
                    return;
                }
            },
        };
        self.cluster.exchange(node, &own);
    }
}

fn topology(strategy: Strategy, nodes: u16) -> Result<Topology, TopologyError> {
    let nodes = (1..=nodes)
        .map(|number| Node::new(format!("cache-{number}"), Address::Embedded))
        .collect();
    Topology::new(nodes, strategy.scheme(), KeyRule::default())
}

fn name(key: u32) -> String {
    format!("user:{key}:profile")
}

fn set(key: &str) -> Vec<u8> {
    let value = "a profile as the database gives it";
    format!("set {key} 0 0 {}\r\n{value}\r\n", value.len()).into_bytes()
}
