//! Everything that has to hold before a placement is built.

use std::collections::HashMap;

use super::{BadName, MAX_NODES, MAX_POINTS, TopologyError};
use crate::node::MAX_NAME_BYTES;
use crate::placement::redis_cluster;
use crate::scheme::{
    Bits, Fill, Generator, MAX_SLOTS, MIN_SLOTS, ModuloSpec, Recipe, RingSpec, Scheme,
};
use crate::{Node, Weight};

/// Checks the nodes, then the recipe, then the two together.
pub(super) fn check(nodes: &[Node], scheme: &Scheme, recipe: &Recipe) -> Result<(), TopologyError> {
    check_nodes(nodes)?;
    match recipe {
        Recipe::Slots { slots } => check_slots(*slots, nodes),
        Recipe::Ring(spec) => check_ring(spec).and_then(|()| check_points(spec, nodes, scheme)),
        Recipe::Modulo(spec) => check_modulo(spec, nodes, scheme),
        Recipe::Maglev { size } => check_maglev(*size, nodes),
        Recipe::RedisCluster { ranges } => redis_cluster::check(ranges, nodes),
        Recipe::Rendezvous => check_slot_weights(nodes, "rendezvous"),
        Recipe::Jump { .. } | Recipe::LabelRendezvous(_) => Ok(()),
    }
}

fn check_nodes(nodes: &[Node]) -> Result<(), TopologyError> {
    if nodes.is_empty() {
        return Err(TopologyError::NoNodes);
    }
    if nodes.len() > MAX_NODES {
        return Err(TopologyError::TooManyNodes(nodes.len()));
    }
    let mut places = HashMap::with_capacity(nodes.len());
    for (node, position) in nodes.iter().zip(1..) {
        if let Some(reason) = bad_name(&node.name) {
            return Err(TopologyError::BadName {
                position,
                name: node.name.clone(),
                reason,
            });
        }
        if let Some(first) = places.insert(node.name.as_str(), position) {
            return Err(TopologyError::DuplicateName {
                name: node.name.clone(),
                first,
                second: position,
            });
        }
    }
    if nodes.iter().all(|node| node.weight.is_zero()) {
        return Err(TopologyError::NoWeight);
    }
    Ok(())
}

fn bad_name(name: &str) -> Option<BadName> {
    if name.is_empty() {
        Some(BadName::Empty)
    } else if name.len() > MAX_NAME_BYTES {
        Some(BadName::TooLong)
    } else if name.chars().any(char::is_control) {
        Some(BadName::Control)
    } else {
        None
    }
}

/// Weights up to 1,000: beyond, a product of cost and weight would not fit into 64 bits.
fn check_slot_weights(nodes: &[Node], placement: &str) -> Result<(), TopologyError> {
    const MOST: u32 = 1_000_000;
    match nodes.iter().find(|node| node.weight.thousandths() > MOST) {
        None => Ok(()),
        Some(node) => Err(TopologyError::WeightTooLarge {
            name: node.name.clone(),
            weight: node.weight,
            max: Weight::from_thousandths(MOST).unwrap_or(Weight::MAX),
            placement: placement.to_owned(),
        }),
    }
}

fn check_slots(slots: u32, nodes: &[Node]) -> Result<(), TopologyError> {
    if !slots.is_power_of_two() || !(MIN_SLOTS..=MAX_SLOTS).contains(&slots) {
        return Err(TopologyError::BadSlots(slots));
    }
    check_slot_weights(nodes, "slots")
}

fn check_maglev(size: u32, nodes: &[Node]) -> Result<(), TopologyError> {
    let prime = size > 2
        && (2..)
            .take_while(|d| d * d <= size)
            .all(|d| !size.is_multiple_of(d));
    if !prime || u64::from(size) >= MAX_POINTS || (size as usize) <= nodes.len() {
        return Err(TopologyError::BadMaglevSize {
            size,
            nodes: nodes.len(),
        });
    }
    check_slot_weights(nodes, "maglev")
}

fn check_whole_weights(nodes: &[Node], scheme: &Scheme) -> Result<(), TopologyError> {
    match nodes.iter().find(|node| node.weight.units().is_none()) {
        None => Ok(()),
        Some(node) => Err(TopologyError::FractionalWeight {
            name: node.name.clone(),
            weight: node.weight,
            placement: scheme.name().to_owned(),
        }),
    }
}

fn check_ring(spec: &RingSpec) -> Result<(), TopologyError> {
    let bad = |setting, problem: String| Err(TopologyError::BadRing { setting, problem });
    let bits = u32::from(spec.bits);
    if spec.key_bits() > bits {
        return bad(
            "key_hash",
            format!(
                "{} has more than {bits} bits; set bits = 64 or another hash",
                spec.key_hash
            ),
        );
    }
    let labels = spec.generator == Generator::Labels;
    if labels && spec.point_hash.bits() > bits {
        return bad(
            "point_hash",
            format!(
                "{} has more than {bits} bits; set bits = 64 or another hash",
                spec.point_hash
            ),
        );
    }
    if !labels && spec.bits != Bits::B32 {
        return bad(
            "generator",
            "makes points of 32 bits; set bits = 32".to_owned(),
        );
    }
    let most = if labels {
        spec.point_hash.words_per_digest()
    } else {
        1
    };
    if spec.per_digest == 0 || spec.per_digest > most {
        return bad(
            "per_digest",
            format!("is {}; this hash has 1 to {most} points", spec.per_digest),
        );
    }
    if spec.points == 0 || !spec.points.is_multiple_of(u32::from(spec.per_digest)) {
        return Err(TopologyError::BadPoints {
            points: spec.points,
            per_digest: spec.per_digest,
        });
    }
    if labels && spec.points > u32::from(spec.per_digest) && !spec.template.contains("{i}") {
        return bad(
            "template",
            format!(
                "{:?} lacks {{i}}, so all points of a node would be one",
                spec.template
            ),
        );
    }
    Ok(())
}

fn check_points(spec: &RingSpec, nodes: &[Node], scheme: &Scheme) -> Result<(), TopologyError> {
    if spec.needs_whole_weights() {
        check_whole_weights(nodes, scheme)?;
    }
    let points = spec.points_of(nodes);
    let total: u64 = points.iter().sum();
    if total == 0 {
        return Err(TopologyError::NoPoints {
            points: spec.points,
        });
    }
    within_bound(total, points.into_iter(), nodes)
}

fn check_modulo(spec: &ModuloSpec, nodes: &[Node], scheme: &Scheme) -> Result<(), TopologyError> {
    match &spec.fill {
        Fill::PerNode => Ok(()),
        Fill::RingSamples { ring, .. } => {
            check_ring(ring).and_then(|()| check_points(ring, nodes, scheme))
        }
        Fill::ByWeight | Fill::SmoothRoundRobin => {
            check_whole_weights(nodes, scheme)?;
            let units = nodes
                .iter()
                .map(|node| u64::from(node.weight.units().unwrap_or(0)));
            within_bound(units.clone().sum(), units, nodes)
        }
    }
}

fn within_bound(
    total: u64,
    each: impl Iterator<Item = u64>,
    nodes: &[Node],
) -> Result<(), TopologyError> {
    if total <= MAX_POINTS {
        return Ok(());
    }
    let (points, name) = each
        .zip(nodes)
        .max_by_key(|(points, _)| *points)
        .map_or((0, String::new()), |(p, node)| (p, node.name.clone()));
    Err(TopologyError::TooManyPoints {
        total,
        name,
        points,
    })
}
