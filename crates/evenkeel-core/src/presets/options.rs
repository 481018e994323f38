//! From a scheme as written to its complete description.

use super::{Preset, find, nearest};
use crate::scheme::{Fill, Label, Recipe, Scheme};
use crate::topology::TopologyError;
use crate::{Node, Weight};

/// The scheme's description, with a preset's options applied.
pub(crate) fn resolve(scheme: &Scheme, nodes: &[Node]) -> Result<Recipe, TopologyError> {
    Ok(match scheme {
        Scheme::Slots { slots } => Recipe::Slots { slots: *slots },
        Scheme::Ring(spec) => Recipe::Ring(spec.clone()),
        Scheme::Modulo(spec) => Recipe::Modulo(spec.clone()),
        Scheme::Jump { hash } => Recipe::Jump { hash: *hash },
        Scheme::Rendezvous => Recipe::Rendezvous,
        Scheme::Maglev { size } => Recipe::Maglev { size: *size },
        Scheme::RedisCluster { ranges } => Recipe::RedisCluster {
            ranges: ranges.clone(),
        },
        Scheme::Preset {
            name,
            points,
            label,
        } => {
            let unknown = || TopologyError::UnknownPreset {
                name: name.clone(),
                nearest: nearest(name).to_owned(),
            };
            with_options(find(name).ok_or_else(unknown)?, nodes, *points, *label)?
        }
    })
}

fn with_options(
    preset: &Preset,
    nodes: &[Node],
    points: Option<u32>,
    label: Option<Label>,
) -> Result<Recipe, TopologyError> {
    let refused = |option| TopologyError::OptionNotTaken {
        preset: preset.name.clone(),
        option,
    };
    if points.is_some() && !preset.takes_points {
        return Err(refused("points"));
    }
    if label.is_some() && !preset.takes_label {
        return Err(refused("a label"));
    }
    let heavy = nodes.iter().any(|node| node.weight > Weight::ONE);
    let mut recipe = match (&preset.with_points, points) {
        (Some(spec), Some(_)) => Recipe::Ring(spec.clone()),
        _ => match &preset.with_weights {
            Some(spec) if heavy => Recipe::Ring(spec.clone()),
            _ => preset.recipe.clone(),
        },
    };
    match &mut recipe {
        Recipe::Ring(spec) => {
            spec.points = points.unwrap_or(spec.points);
            spec.label = label.unwrap_or(spec.label);
        }
        Recipe::Modulo(spec) => {
            spec.label = label.unwrap_or(spec.label);
            if let Fill::RingSamples { ring, .. } = &mut spec.fill {
                ring.label = label.unwrap_or(ring.label);
            }
        }
        Recipe::LabelRendezvous(spec) => spec.label = label.unwrap_or(spec.label),
        _ => {}
    }
    Ok(recipe)
}
