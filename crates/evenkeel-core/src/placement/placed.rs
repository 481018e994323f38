//! The placement of one topology, ready for look-ups.

use super::jump::Jump;
use super::labelled::Labelled;
use super::maglev::Maglev;
use super::modulo::Buckets;
use super::redis_cluster::RedisCluster;
use super::rendezvous::Rendezvous;
use super::ring::Ring;
use super::slots::Slots;
use super::walk::{self, Walk};
use crate::analysis::{Division, Parts, Source};
use crate::hash::{Hash, Step};
use crate::scheme::{Recipe, Tag};
use crate::topology::{EditError, TopologyError};
use crate::{Node, NodeIndex, Topology, Weight};

/// The function from key to node. Immutable, [`Send`] and [`Sync`]: share it in an [`std::sync::Arc`].
///
/// ```
/// # use evenkeel_core::{Node, Scheme, Topology, KeyRule, Placement};
/// let nodes = (1..=3).map(|i| Node::new(format!("cache-{i}"), format!("10.0.1.{i}").parse().unwrap())).collect();
/// let topology = Topology::new(nodes, "libmemcached-ketama-weighted/md5".parse()?, KeyRule::default())?;
/// let placement = Placement::build(&topology);
/// assert_eq!(topology.node(placement.node_of(b"user:1")).name, "cache-1");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Placement {
    topology: Topology,
    kind: Kind,
}

#[derive(Clone, Debug)]
enum Kind {
    Slots(Slots),
    Ring(Ring),
    Buckets(Buckets),
    Jump(Jump),
    Rendezvous(Rendezvous),
    Labelled(Labelled),
    Maglev(Maglev),
    RedisCluster(RedisCluster),
}

impl Placement {
    /// Builds everything that look-ups need. Sorts points once; O(points), or slots times nodes for `slots`.
    #[must_use]
    pub fn build(topology: &Topology) -> Self {
        let nodes = topology.nodes();
        let kind = match topology.recipe() {
            Recipe::Slots { slots } => Kind::Slots(Slots::build(*slots, nodes)),
            Recipe::Ring(spec) => Kind::Ring(Ring::build(spec, nodes)),
            Recipe::Modulo(spec) => Kind::Buckets(Buckets::build(spec, nodes)),
            Recipe::Jump { hash } => Kind::Jump(Jump::build(*hash, nodes)),
            Recipe::Rendezvous => Kind::Rendezvous(Rendezvous::build(nodes)),
            Recipe::LabelRendezvous(spec) => Kind::Labelled(Labelled::build(*spec, nodes)),
            Recipe::Maglev { size } => Kind::Maglev(Maglev::build(*size, nodes)),
            Recipe::RedisCluster { ranges } => {
                Kind::RedisCluster(RedisCluster::build(ranges, nodes))
            }
        };
        Self {
            topology: topology.clone(),
            kind,
        }
    }

    /// The topology that this places keys on.
    #[must_use]
    pub fn topology(&self) -> &Topology {
        &self.topology
    }

    /// The node of a key. Never fails: every topology has a node that owns keys. O(1), but for `rendezvous` (number of nodes) and `jump`
    /// (its logarithm).
    #[inline]
    #[must_use]
    pub fn node_of(&self, key: &[u8]) -> NodeIndex {
        let part = self.topology.key_rule().hashed_part(key);
        NodeIndex(match &self.kind {
            Kind::Slots(slots) => slots.node_of(part),
            Kind::Ring(ring) => ring.node_of(part),
            Kind::Buckets(buckets) => buckets.node_of(part),
            Kind::Jump(jump) => jump.node_of(part),
            Kind::Rendezvous(rendezvous) => rendezvous.node_of(part),
            Kind::Labelled(labelled) => labelled.node_of(part),
            Kind::Maglev(maglev) => maglev.node_of(part),
            Kind::RedisCluster(cluster) => cluster.node_of(part),
        })
    }

    /// The number that the look-up goes by: a position on the ring, the hash of which a slot is the top bits, a Redis Cluster slot. Where
    /// the original has a score for each node instead, the winning score.
    #[must_use]
    pub fn hash_of(&self, key: &[u8]) -> u64 {
        let part = self.topology.key_rule().hashed_part(key);
        match &self.kind {
            Kind::Slots(_) | Kind::Rendezvous(_) | Kind::Maglev(_) => Hash::Xxh3.of(part),
            Kind::Ring(ring) => ring.hash_of(part),
            Kind::Buckets(buckets) => buckets.hash_of(part),
            Kind::Jump(jump) => jump.hash_of(part),
            Kind::Labelled(labelled) => labelled.score_of(part),
            Kind::RedisCluster(_) => redis_slot(part),
        }
    }

    /// The distinct nodes for a key in order of preference: the first is [`Self::node_of`], the next ones are for replicas or spill. Nodes
    /// that own nothing do not appear. Lazy: the first node costs a look-up.
    #[must_use]
    pub fn walk<'a>(&'a self, key: &[u8]) -> Walk<'a> {
        let part = self.topology.key_rule().hashed_part(key);
        match &self.kind {
            Kind::Slots(slots) => slots.walk(part),
            Kind::Ring(ring) => ring.walk(part),
            Kind::Buckets(buckets) => buckets.walk(part),
            Kind::Jump(jump) => jump.walk(part),
            Kind::Rendezvous(rendezvous) => rendezvous.walk(part),
            Kind::Labelled(labelled) => labelled.walk(part),
            Kind::Maglev(maglev) => maglev.walk(part),
            Kind::RedisCluster(cluster) => cluster.walk(part),
        }
    }

    /// The same nodes, but zones that have not appeared yet come first: the first node of each zone in the order of [`Self::walk`], then the
    /// other nodes in that order. A node without a zone is a zone of its own.
    #[must_use]
    pub fn walk_zones(&self, key: &[u8]) -> Vec<NodeIndex> {
        walk::zones_first(self.walk(key), self.topology.nodes())
    }

    /// Each node's share of the keyspace, in the order of the nodes; together 1. Exact for rings, tables and slots up to the rounding of a
    /// double, if keys hash evenly; the expected share for `jump` and the rendezvous kinds.
    #[must_use]
    pub fn shares(&self) -> Vec<f64> {
        let nodes = self.topology.nodes();
        match &self.kind {
            Kind::Slots(slots) => slots.shares(nodes.len()),
            Kind::Ring(ring) => walk::measures(&ring.segments(), nodes.len()),
            Kind::Buckets(buckets) => buckets.shares(nodes.len()),
            Kind::Jump(jump) => jump.shares(nodes.len()),
            Kind::Rendezvous(rendezvous) => rendezvous.shares(nodes.len()),
            Kind::Labelled(labelled) => labelled.shares(nodes.len()),
            Kind::Maglev(maglev) => maglev.shares(nodes.len()),
            Kind::RedisCluster(cluster) => cluster.shares(nodes.len()),
        }
    }

    /// Memory of the look-up structure in bytes, without the topology.
    #[must_use]
    pub fn bytes(&self) -> usize {
        match &self.kind {
            Kind::Slots(slots) => 2 * slots.count() as usize,
            Kind::Ring(ring) => ring.size().0,
            Kind::Buckets(buckets) => 2 * buckets.owners().len(),
            Kind::Jump(_) | Kind::Rendezvous(_) | Kind::Labelled(_) => {
                32 * self.topology.nodes().len()
            }
            Kind::Maglev(maglev) => 2 * maglev.owners().len(),
            Kind::RedisCluster(cluster) => 2 * cluster.owners().len(),
        }
    }

    /// How many points the ring has; nothing for other schemes.
    #[must_use]
    pub fn points(&self) -> Option<usize> {
        match &self.kind {
            Kind::Ring(ring) => Some(ring.size().1),
            _ => None,
        }
    }

    /// How the values of the hash are divided, where one hash decides.
    pub(crate) fn division(&self) -> Option<Division> {
        let xxh3 = || Source::plain(Hash::Xxh3, self);
        let (source, bits, parts) = match &self.kind {
            Kind::Slots(slots) => (xxh3(), 64, Parts::Segments(slots.segments())),
            Kind::Ring(ring) => {
                let spec = ring.spec();
                let source = self.source(spec.key_hash, &spec.key_steps, spec.tag);
                (source, spec.key_bits(), Parts::Segments(ring.segments()))
            }
            Kind::Buckets(buckets) => {
                let spec = buckets.spec();
                let source = self.source(spec.hash, &spec.steps, spec.tag);
                (source, spec.key_bits(), buckets.parts())
            }
            Kind::Maglev(maglev) => (xxh3(), 64, Parts::Residues(maglev.owners().to_vec())),
            Kind::RedisCluster(cluster) => (
                Source::plain(Hash::Crc16, self),
                16,
                Parts::Residues(cluster.owners().to_vec()),
            ),
            Kind::Jump(_) | Kind::Rendezvous(_) | Kind::Labelled(_) => return None,
        };
        Some(Division {
            source,
            bits,
            parts,
        })
    }

    fn source(&self, hash: Hash, steps: &[Step], tag: Tag) -> Source {
        Source {
            steps: steps.to_vec(),
            tag,
            ..Source::plain(hash, self)
        }
    }

    /// The placement with one more node, at the end of the list. Equal to building it anew, and cheaper for rings and slots.
    ///
    /// # Errors
    /// As [`Topology::with_node`].
    pub fn with_node(&self, node: Node) -> Result<Self, TopologyError> {
        Ok(self.over(&self.topology.with_node(node)?))
    }

    /// The placement without one node.
    ///
    /// # Errors
    /// As [`Topology::without_node`].
    pub fn without_node(&self, name: &str) -> Result<Self, EditError> {
        Ok(self.over(&self.topology.without_node(name)?))
    }

    /// The placement with another weight for one node.
    ///
    /// # Errors
    /// As [`Topology::with_weight`].
    pub fn with_weight(&self, name: &str, weight: Weight) -> Result<Self, EditError> {
        Ok(self.over(&self.topology.with_weight(name, weight)?))
    }

    /// The placement of another topology, built from this one where that is cheaper. Equal to [`Self::build`] in every case.
    #[must_use]
    pub fn over(&self, topology: &Topology) -> Self {
        let (old, new) = (self.topology.nodes(), topology.nodes());
        let kind = match (&self.kind, topology.recipe()) {
            (Kind::Ring(ring), Recipe::Ring(spec)) if ring.spec() == spec => {
                Kind::Ring(ring.over(old, new))
            }
            (Kind::Slots(slots), Recipe::Slots { slots: count }) if slots.count() == *count => {
                Kind::Slots(slots.over(old, new))
            }
            _ => return Self::build(topology),
        };
        Self {
            topology: topology.clone(),
            kind,
        }
    }
}

fn redis_slot(part: &[u8]) -> u64 {
    Hash::Crc16.of(part) % u64::from(super::redis_cluster::SLOTS)
}
