//! Placements that reduce a hash to a bucket of a short table.

use serde::{Deserialize, Serialize};

use super::{Label, RingSpec, Tag};
use crate::hash::{self, Hash, Step};

/// `hash mod N` and its relatives, described in full. The default is CRC-32 over the nodes in the order of the list, each as often as
/// its weight says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ModuloSpec {
    /// What of a key is hashed, beside the topology's [`crate::KeyRule`].
    pub tag: Tag,
    /// The hash of a key.
    pub hash: Hash,
    /// What happens to the hash before it is reduced.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<Step>,
    /// Which node is in which bucket.
    pub fill: Fill,
    /// Whether the original reads a weight of 0 as 1; otherwise such a node has no bucket.
    pub zero_is_one: bool,
    /// In which order the nodes fill the buckets.
    pub order: Order,
    /// The text that stands for a node where the order goes by it.
    pub label: Label,
    /// From hash to bucket.
    pub reduce: Reduce,
    /// Where a key goes whose node is out.
    pub retry: Retry,
}

impl Default for ModuloSpec {
    fn default() -> Self {
        Self {
            tag: Tag::None,
            hash: Hash::Crc32,
            steps: Vec::new(),
            fill: Fill::ByWeight,
            zero_is_one: false,
            order: Order::Listed,
            label: Label::Name,
            reduce: Reduce::Remainder,
            retry: Retry::NextBucket,
        }
    }
}

impl ModuloSpec {
    /// The bits of a key's hash after its steps.
    pub(crate) fn key_bits(&self) -> u32 {
        hash::bits_after(self.hash, &self.steps)
    }
}

/// Which node is in which bucket.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fill {
    /// A bucket for each node, whatever it weighs.
    PerNode,
    /// As many neighbouring buckets as the node weighs; whole weights only.
    ByWeight,
    /// HAProxy's smooth round robin over the weights divided by their greatest common divisor; whole weights only.
    SmoothRoundRobin,
    /// Bucket `i` belongs to the owner of position `i * step` on a ring.
    RingSamples {
        /// The ring; its key hash is not used.
        ring: Box<RingSpec>,
        /// How many buckets.
        buckets: u32,
        /// The distance of two samples.
        step: u32,
    },
}

/// In which order the nodes are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Order {
    /// As listed: inserting a node in the middle renumbers the rest.
    Listed,
    /// As twemproxy sorts: by the length of the label, then by its bytes.
    ShortestLabel,
}

/// From hash to bucket.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reduce {
    /// `hash mod buckets`.
    Remainder,
    /// `hash * buckets / (2^32 - 1)`, the last bucket for the one hash beyond it, as RedisArray.
    Range,
    /// The same with the hash inverted, as RedisArray does with an `algorithm`.
    RangeInverted,
}

/// Where a key goes whose node is out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Retry {
    /// To the next bucket of another node.
    NextBucket,
    /// As nginx: the key is hashed again with the number of the try before it, and the hashes are added up; after 20 tries the list.
    Rehash,
}
