//! A ring described in full.

use serde::{Deserialize, Serialize};

use super::{Count, Label, Tag};
use crate::hash::{self, Hash, Step};
use crate::{Node, Weight};

/// Everything that decides which node a ring gives to a key. The default is a ring of 64 bits with 160 points for each unit of weight,
/// hashed with XXH3 from `name-i`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RingSpec {
    /// The width of a position: 32 or 64 bits.
    pub bits: Bits,
    /// What of a key is hashed, beside the topology's [`crate::KeyRule`].
    pub tag: Tag,
    /// The hash of a key.
    pub key_hash: Hash,
    /// What happens to the hash of a key before it is looked up.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub key_steps: Vec<Step>,
    /// Where points come from.
    pub generator: Generator,
    /// The hash of a point's label.
    pub point_hash: Hash,
    /// How many points are taken from one digest.
    pub per_digest: u8,
    /// The text that `{node}` in the template stands for.
    pub label: Label,
    /// The text hashed for a digest: `{node}`, `{name}`, `{host}`, `{port}` and `{i}`, the number of the digest, are replaced.
    pub template: String,
    /// The number of a node's first digest.
    pub first_index: u32,
    /// Points for a node of weight 1; a multiple of `per_digest`.
    pub points: u32,
    /// How a weight becomes a number of points.
    pub count: Count,
    /// Whether fractions of a weight are refused because the original has none.
    pub whole_weights: bool,
    /// Whether the original reads a weight of 0 as 1.
    pub zero_is_one: bool,
    /// Which way from a key to its point.
    pub direction: Direction,
    /// Whether a point owns a key at its very position.
    pub boundary: Boundary,
    /// What follows the last point.
    pub wrap: Wrap,
    /// Which of several nodes owns a position that all of them have.
    pub collision: Collision,
}

impl Default for RingSpec {
    fn default() -> Self {
        Self {
            bits: Bits::B64,
            tag: Tag::None,
            key_hash: Hash::Xxh3,
            key_steps: Vec::new(),
            generator: Generator::Labels,
            point_hash: Hash::Xxh3,
            per_digest: 1,
            label: Label::Name,
            template: "{node}-{i}".to_owned(),
            first_index: 0,
            points: 160,
            count: Count::PerWeight,
            whole_weights: false,
            zero_is_one: false,
            direction: Direction::Up,
            boundary: Boundary::AtOrAfter,
            wrap: Wrap::Around,
            collision: Collision::ByName,
        }
    }
}

impl RingSpec {
    pub(crate) fn needs_whole_weights(&self) -> bool {
        self.whole_weights || self.count.is_share()
    }

    /// The bits of a key's hash after its steps.
    pub(crate) fn key_bits(&self) -> u32 {
        hash::bits_after(self.key_hash, &self.key_steps)
    }

    /// Whether a node's place in the list is part of its points.
    pub(crate) fn counts_places(&self) -> bool {
        self.generator == Generator::Place
    }

    /// The number of digests of each node.
    pub(crate) fn digests_of(&self, nodes: &[Node]) -> Vec<u64> {
        let weights: Vec<Weight> = nodes
            .iter()
            .map(|node| effective(node.weight, self.zero_is_one))
            .collect();
        self.count.digests(self.points, self.per_digest, &weights)
    }

    /// The number of points of each node.
    pub(crate) fn points_of(&self, nodes: &[Node]) -> Vec<u64> {
        let mut points = self.digests_of(nodes);
        points
            .iter_mut()
            .for_each(|digests| *digests *= u64::from(self.per_digest));
        points
    }
}

/// The weight that counts.
pub(crate) fn effective(weight: Weight, zero_is_one: bool) -> Weight {
    if weight.is_zero() && zero_is_one {
        Weight::ONE
    } else {
        weight
    }
}

/// The width of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "u32", into = "u32")]
pub enum Bits {
    /// 32 bits.
    B32,
    /// 64 bits.
    B64,
}

impl TryFrom<u32> for Bits {
    type Error = &'static str;

    fn try_from(bits: u32) -> Result<Self, &'static str> {
        match bits {
            32 => Ok(Self::B32),
            64 => Ok(Self::B64),
            _ => Err("a ring has 32 or 64 bits"),
        }
    }
}

impl From<Bits> for u32 {
    fn from(bits: Bits) -> Self {
        match bits {
            Bits::B32 => 32,
            Bits::B64 => 64,
        }
    }
}

/// Where points come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Generator {
    /// The hash of the template, digest by digest.
    Labels,
    /// As nginx: CRC-32 of host, NUL, port, and the point before in four bytes, little endian, 0 at first.
    Chained,
    /// As HAProxy: the avalanche of 4,096 times the node's place in the list (from 1) plus the number of the point. Neither name nor
    /// address counts, so a removal from the middle renumbers the rest.
    Place,
}

/// Which way from a key to its point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Direction {
    /// The next point above.
    Up,
    /// The next point below.
    Down,
    /// The point with the least distance; of two, the lower one.
    Nearest,
}

/// Whether a point owns a key at its very position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Boundary {
    /// It does.
    AtOrAfter,
    /// The next one does.
    StrictlyAfter,
    /// The ring's first point does, wherever it is: a quirk of flexihash. Other keys belong to the next point after them.
    First,
}

/// What follows the last point in the direction of the ring.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Wrap {
    /// The first one.
    Around,
    /// Nothing: a key beyond the last point belongs to the last point.
    Stay,
}

/// Which of several nodes owns a position that all of them have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Collision {
    /// The one with the smaller name, byte by byte.
    ByName,
    /// The one with the smaller label, byte by byte.
    ByLabel,
    /// The one with the shorter label; of equal lengths the smaller one.
    ShortestLabel,
    /// The one that comes first in the list.
    FirstListed,
    /// The one that comes last in the list.
    LastListed,
}
