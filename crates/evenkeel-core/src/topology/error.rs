//! What is wrong with a topology, and what to write instead.

use thiserror::Error;

use super::{MAX_NODES, MAX_POINTS};
use crate::Weight;
use crate::scheme::{MAX_SLOTS, MIN_SLOTS};

/// Why there is no such topology.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum TopologyError {
    /// No node was listed. List at least one.
    #[error("the pool has no nodes; list at least one")]
    NoNodes,
    /// More nodes than an index can name. Split the pool.
    #[error("the pool has {0} nodes; at most {MAX_NODES} are possible, so split it")]
    TooManyNodes(usize),
    /// A name that cannot be printed or stored. Rename the node.
    #[error("node {position}: the name {name:?} {reason}")]
    BadName {
        /// The node's place in the list, from 1.
        position: usize,
        /// Its name.
        name: String,
        /// What is wrong with it.
        reason: BadName,
    },
    /// One name twice: a node's identity is its name. Rename one, or list it once with a greater weight.
    #[error(
        "node {second}: the name {name:?} is already the name of node {first}; give each node its own name, or list it once with the sum of the weights"
    )]
    DuplicateName {
        /// The name.
        name: String,
        /// The place of the first bearer, from 1.
        first: usize,
        /// The place of the second.
        second: usize,
    },
    /// All weights are zero. Give at least one node a weight above 0.
    #[error("no node has a weight above 0; give at least one node a weight")]
    NoWeight,
    /// Weights are set, and yet no node gets a point. Raise the weights or the number of points.
    #[error(
        "no node gets a point: every weight times {points} points rounds to 0; raise the weights or the points"
    )]
    NoPoints {
        /// Points for a node of weight 1.
        points: u32,
    },
    /// The original takes whole weights only. Multiply all weights by the same factor.
    #[error(
        "node {name:?}: {placement} takes whole weights, not {weight}; multiply all weights by the same factor"
    )]
    FractionalWeight {
        /// The node.
        name: String,
        /// Its weight.
        weight: Weight,
        /// The placement's name.
        placement: String,
    },
    /// More than the placement's arithmetic bears. Divide all weights by the same factor.
    #[error(
        "node {name:?}: {placement} takes weights up to {max}, not {weight}; divide all weights by the same factor"
    )]
    WeightTooLarge {
        /// The node.
        name: String,
        /// Its weight.
        weight: Weight,
        /// The most that is possible.
        max: Weight,
        /// The placement's name.
        placement: String,
    },
    /// The ring or table would take too much memory. Divide the weights or ask for fewer points.
    #[error(
        "the ring would have {total} points, {name:?} alone {points}; at most {MAX_POINTS} are possible: divide all weights by the same factor, or set fewer points"
    )]
    TooManyPoints {
        /// All points together.
        total: u64,
        /// The node with the most.
        name: String,
        /// Its points.
        points: u64,
    },
    /// No preset has this name.
    #[error("there is no preset {name:?}; did you mean {nearest:?}?")]
    UnknownPreset {
        /// What was written.
        name: String,
        /// The nearest that exists.
        nearest: String,
    },
    /// The preset has no such option. Leave it out.
    #[error("the preset {preset:?} does not take {option}; leave it out")]
    OptionNotTaken {
        /// The preset.
        preset: String,
        /// The option's name.
        option: &'static str,
    },
    /// Zero points, or a number that one digest's points do not divide.
    #[error(
        "{points} points for a weight of 1 are not possible: write a multiple of {per_digest} above 0"
    )]
    BadPoints {
        /// What was written.
        points: u32,
        /// The number that has to divide it.
        per_digest: u8,
    },
    /// A description that contradicts itself.
    #[error("the ring's {setting} {problem}")]
    BadRing {
        /// The key in the description.
        setting: &'static str,
        /// What is wrong and what to write.
        problem: String,
    },
    /// Not a possible size of the table of slots.
    #[error(
        "{0} slots are not possible: write a power of two from {MIN_SLOTS} to {MAX_SLOTS}, at least 2048 times the most nodes that you foresee"
    )]
    BadSlots(u32),
    /// Not a possible size of a Maglev table.
    #[error(
        "a Maglev table of {size} entries is not possible for {nodes} nodes: write a prime above the number of nodes, best above 100 times it, and below {MAX_POINTS}"
    )]
    BadMaglevSize {
        /// What was written.
        size: u32,
        /// How many nodes have to fit.
        nodes: usize,
    },
    /// Redis Cluster's map has a hole.
    #[error("slots {first} to {last} belong to no node; give each of the slots 0 to 16383 a node")]
    SlotHole {
        /// The first slot without a node.
        first: u16,
        /// The last one.
        last: u16,
    },
    /// Redis Cluster's map gives a slot twice.
    #[error("slot {slot} belongs to {first:?} and to {second:?}; give each slot one node")]
    SlotOverlap {
        /// The slot.
        slot: u16,
        /// The node of one range.
        first: String,
        /// The node of the other.
        second: String,
    },
    /// A range that ends before it begins or beyond the last slot.
    #[error("the slots {first} to {last} of {node:?} are no range within 0 to 16383")]
    BadSlotRange {
        /// First slot.
        first: u16,
        /// Last slot.
        last: u16,
        /// The range's node.
        node: String,
    },
    /// A range names a node that is not listed.
    #[error("the slots {first} to {last} belong to {node:?}, which is not in the list of nodes")]
    UnknownSlotNode {
        /// First slot.
        first: u16,
        /// Last slot.
        last: u16,
        /// The name.
        node: String,
    },
}

/// What is wrong with a node's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum BadName {
    /// It has no character.
    #[error("is empty; give the node a name")]
    Empty,
    /// It is longer than [`crate::node::MAX_NAME_BYTES`].
    #[error("is longer than 255 bytes; give the node a shorter one")]
    TooLong,
    /// It holds a tab, a newline or another control character, and would break every list it is printed in.
    #[error("holds a tab, a newline or another control character; leave it out")]
    Control,
}

/// Why a topology could not be changed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum EditError {
    /// No node has this name.
    #[error("there is no node {name:?}; did you mean {nearest:?}?")]
    UnknownNode {
        /// What was written.
        name: String,
        /// The nearest that exists.
        nearest: String,
    },
    /// The changed topology is not possible.
    #[error(transparent)]
    Topology(#[from] TopologyError),
}
