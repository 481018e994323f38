//! What is allowed and probably not meant.

use std::collections::HashMap;

use thiserror::Error;

use super::Topology;
use crate::Address;
use crate::scheme::{Fill, Recipe};

/// Something that works and deserves a look. `--strict` makes errors of them.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Warning {
    /// The placement gives the node no key although it has a weight.
    #[error(
        "node {name:?} has a weight and gets no keys: its weight is too small beside the others for one point"
    )]
    NoPoints {
        /// The node.
        name: String,
    },
    /// The placement does not look at weights, and they differ.
    #[error("{placement} ignores weights: all nodes get the same share")]
    WeightsIgnored {
        /// The placement's name.
        placement: String,
    },
    /// Two nodes are one server, which gets the share of both.
    #[error("nodes {first:?} and {second:?} have the same address {address}")]
    SameAddress {
        /// The one.
        first: String,
        /// The other.
        second: String,
        /// Their address.
        address: Address,
    },
    /// Shares will be uneven.
    #[error(
        "{nodes} nodes are many for {slots} slots: the fullest node gets 20 % more than the mean or worse; {wanted} slots are better, but another number moves nearly all keys"
    )]
    FewSlots {
        /// How many nodes.
        nodes: usize,
        /// How many slots.
        slots: u32,
        /// A better number of slots.
        wanted: u32,
    },
    /// The original reads a weight of 0 as 1.
    #[error("node {name:?} has weight 0, which {placement} reads as 1: it gets keys")]
    ZeroReadAsOne {
        /// The node.
        name: String,
        /// The placement's name.
        placement: String,
    },
}

/// Slots for each node below which shares become uneven.
const SLOTS_PER_NODE: usize = 1_024;

pub(super) fn warnings(topology: &Topology) -> Vec<Warning> {
    let mut warnings = same_addresses(topology);
    let placement = || topology.scheme().name().to_owned();
    if ignores_weights(topology.recipe()) {
        let mut weights = topology
            .nodes()
            .iter()
            .map(|node| node.weight)
            .filter(|w| !w.is_zero());
        let first = weights.next();
        if weights.any(|weight| Some(weight) != first) {
            warnings.push(Warning::WeightsIgnored {
                placement: placement(),
            });
        }
    }
    if zero_is_one(topology.recipe()) {
        let zero = topology.nodes().iter().filter(|node| node.weight.is_zero());
        warnings.extend(zero.map(|node| Warning::ZeroReadAsOne {
            name: node.name.clone(),
            placement: placement(),
        }));
    }
    warnings.extend(without_points(topology));
    warnings.extend(few_slots(topology));
    warnings
}

fn same_addresses(topology: &Topology) -> Vec<Warning> {
    let mut seen: HashMap<&Address, &str> = HashMap::new();
    let mut warnings = Vec::new();
    for node in topology
        .nodes()
        .iter()
        .filter(|node| node.address != Address::Embedded)
    {
        if let Some(first) = seen.insert(&node.address, &node.name) {
            warnings.push(Warning::SameAddress {
                first: first.to_owned(),
                second: node.name.clone(),
                address: node.address.clone(),
            });
        }
    }
    warnings
}

/// Whether all weights above 0 mean the same.
pub(crate) fn ignores_weights(recipe: &Recipe) -> bool {
    match recipe {
        Recipe::Ring(spec) => spec.count == crate::scheme::Count::Fixed,
        Recipe::Modulo(spec) => match &spec.fill {
            Fill::PerNode => true,
            Fill::RingSamples { ring, .. } => ring.count == crate::scheme::Count::Fixed,
            Fill::ByWeight | Fill::SmoothRoundRobin => false,
        },
        Recipe::Jump { .. } | Recipe::LabelRendezvous(_) | Recipe::RedisCluster { .. } => true,
        Recipe::Slots { .. } | Recipe::Rendezvous | Recipe::Maglev { .. } => false,
    }
}

fn zero_is_one(recipe: &Recipe) -> bool {
    match recipe {
        Recipe::Ring(spec) => spec.zero_is_one,
        Recipe::Modulo(spec) => spec.zero_is_one,
        _ => false,
    }
}

fn without_points(topology: &Topology) -> Vec<Warning> {
    let Recipe::Ring(spec) = topology.recipe() else {
        return Vec::new();
    };
    let nodes = topology.nodes();
    let none = spec
        .points_of(nodes)
        .into_iter()
        .zip(nodes)
        .filter(|(points, node)| *points == 0 && !node.weight.is_zero());
    none.map(|(_, node)| Warning::NoPoints {
        name: node.name.clone(),
    })
    .collect()
}

fn few_slots(topology: &Topology) -> Option<Warning> {
    let Recipe::Slots { slots } = *topology.recipe() else {
        return None;
    };
    let nodes = topology.nodes().len();
    if nodes * SLOTS_PER_NODE <= slots as usize {
        return None;
    }
    let wanted = (2 * nodes * SLOTS_PER_NODE).next_power_of_two() as u32;
    Some(Warning::FewSlots {
        nodes,
        slots,
        wanted: wanted.min(crate::scheme::MAX_SLOTS),
    })
}
