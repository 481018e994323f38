//! The list of schemes.

use serde::{Deserialize, Serialize};

use super::{Label, ModuloSpec, RendezvousSpec, RingSpec};
use crate::hash::Hash;

/// The fewest slots of a slot table.
pub const MIN_SLOTS: u32 = 1_024;
/// The most slots of a slot table.
pub const MAX_SLOTS: u32 = 16_777_216;

const DEFAULT_SLOTS: u32 = 262_144;
/// A prime, more than 100 times as large as 600 nodes.
pub(super) const DEFAULT_MAGLEV_SIZE: u32 = 65_537;

fn default_slots() -> u32 {
    DEFAULT_SLOTS
}

fn default_maglev_size() -> u32 {
    DEFAULT_MAGLEV_SIZE
}

fn default_hash() -> Hash {
    Hash::Xxh3
}

/// A placement as somebody writes it: a scheme with its settings, or the name of a preset.
///
/// In a file it is a table with the key `scheme`, such as `{ scheme = "ring", points = 100 }`; [`Scheme::from_str`] reads the short form,
/// a bare name.
///
/// [`Scheme::from_str`]: std::str::FromStr::from_str
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "scheme", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Scheme {
    /// The default: a table of slots, each with its node by weighted rendezvous in integer arithmetic.
    Slots {
        /// A power of two from [`MIN_SLOTS`] to [`MAX_SLOTS`], at least 2,048 times the most nodes that you foresee.
        #[serde(default = "default_slots")]
        slots: u32,
    },
    /// A ring described in full.
    Ring(RingSpec),
    /// `hash mod N` and its relatives.
    Modulo(ModuloSpec),
    /// Jump consistent hash (Lamping and Veach, 2014) over the nodes in the order of the list; it ignores weights.
    Jump {
        /// The hash of a key.
        #[serde(default = "default_hash")]
        hash: Hash,
    },
    /// Weighted rendezvous by the logarithmic method (Schindelhauer and Schomaker, 2005), in the integer arithmetic of `slots`.
    Rendezvous,
    /// Maglev (Eisenbud and others, NSDI 2016), with turns in proportion to weights.
    Maglev {
        /// The size of the table, a prime, at least 100 times the number of nodes.
        #[serde(default = "default_maglev_size")]
        size: u32,
    },
    /// Redis Cluster: CRC-16 of the key modulo 16,384, and a map from slots to nodes.
    RedisCluster {
        /// Every slot from 0 to 16,383 once.
        ranges: Vec<SlotRange>,
    },
    /// An existing client, bit for bit; see [`crate::presets`].
    Preset {
        /// The preset's name.
        name: String,
        /// Points for a node of weight 1, in place of the preset's own number.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        points: Option<u32>,
        /// The text that stands for a node, in place of the preset's own choice.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        label: Option<Label>,
    },
}

impl Default for Scheme {
    fn default() -> Self {
        Self::Slots {
            slots: DEFAULT_SLOTS,
        }
    }
}

impl Scheme {
    /// A preset without options.
    #[must_use]
    pub fn preset(name: impl Into<String>) -> Self {
        Self::Preset {
            name: name.into(),
            points: None,
            label: None,
        }
    }

    /// The name to print: the preset's, or the scheme's.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Slots { .. } => "slots",
            Self::Ring(_) => "ring",
            Self::Modulo(_) => "modulo",
            Self::Jump { .. } => "jump",
            Self::Rendezvous => "rendezvous",
            Self::Maglev { .. } => "maglev",
            Self::RedisCluster { .. } => "redis-cluster",
            Self::Preset { name, .. } => name,
        }
    }
}

/// Neighbouring slots of a Redis Cluster that one node owns.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SlotRange {
    /// The first slot.
    pub first: u16,
    /// The last slot, included.
    pub last: u16,
    /// The name of the owner.
    pub node: String,
}

/// A placement with nothing left to look up: what a [`Scheme`] means.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "scheme", rename_all = "kebab-case")]
pub enum Recipe {
    /// See [`Scheme::Slots`].
    Slots {
        /// The number of slots.
        slots: u32,
    },
    /// See [`Scheme::Ring`].
    Ring(RingSpec),
    /// See [`Scheme::Modulo`].
    Modulo(ModuloSpec),
    /// See [`Scheme::Jump`].
    Jump {
        /// The hash of a key.
        hash: Hash,
    },
    /// See [`Scheme::Rendezvous`].
    Rendezvous,
    /// The rendezvous hashing of a client library.
    LabelRendezvous(RendezvousSpec),
    /// See [`Scheme::Maglev`].
    Maglev {
        /// The size of the table.
        size: u32,
    },
    /// See [`Scheme::RedisCluster`].
    RedisCluster {
        /// Every slot once.
        ranges: Vec<SlotRange>,
    },
}
