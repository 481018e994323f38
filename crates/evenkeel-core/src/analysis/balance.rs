//! How evenly a placement shares the keys out.

use crate::scheme::Scheme;
use crate::topology::TopologyError;
use crate::{Placement, Topology};

/// Shares beside what the weights ask for.
#[derive(Clone, Debug, PartialEq)]
pub struct Balance {
    /// Each node's share; together 1.
    pub shares: Vec<f64>,
    /// What each node's weight asks for; equal shares where the placement ignores weights.
    pub wanted: Vec<f64>,
    /// The greatest ratio of share to wanted share: 1 is perfect, 2 is a node with twice its load.
    pub max_over_mean: f64,
    /// The least such ratio: 0 is a node that idles.
    pub min_over_mean: f64,
    /// The standard deviation of these ratios.
    pub deviation: f64,
}

impl Balance {
    fn new(shares: Vec<f64>, topology: &Topology) -> Self {
        let wanted = wanted(topology);
        let ratios: Vec<f64> = shares
            .iter()
            .zip(&wanted)
            .filter(|(_, wanted)| **wanted > 0.0)
            .map(|(share, wanted)| share / wanted)
            .collect();
        let count = ratios.len().max(1) as f64;
        let variance = ratios
            .iter()
            .map(|ratio| (ratio - 1.0).powi(2))
            .sum::<f64>()
            / count;
        Self {
            max_over_mean: ratios.iter().copied().fold(0.0, f64::max),
            min_over_mean: ratios.iter().copied().fold(f64::INFINITY, f64::min),
            deviation: variance.sqrt(),
            shares,
            wanted,
        }
    }
}

fn wanted(topology: &Topology) -> Vec<f64> {
    let ignored = crate::topology::ignores_weights(topology.recipe());
    let weight = |node: &crate::Node| match (node.weight.is_zero(), ignored) {
        (true, _) => 0.0,
        (false, true) => 1.0,
        (false, false) => node.weight.to_f64(),
    };
    let total: f64 = topology.nodes().iter().map(weight).sum();
    topology
        .nodes()
        .iter()
        .map(|node| weight(node) / total)
        .collect()
}

/// By the measure of the hash space; see [`Placement::shares`].
#[must_use]
pub fn balance(placement: &Placement) -> Balance {
    Balance::new(placement.shares(), placement.topology())
}

/// By counting keys. Returns the counts too; all ratios are 0 if there is no key.
pub fn balance_of_keys<K: AsRef<[u8]>>(
    placement: &Placement,
    keys: impl IntoIterator<Item = K>,
) -> (Balance, Vec<u64>) {
    let mut counts = vec![0_u64; placement.topology().nodes().len()];
    for key in keys {
        counts[placement.node_of(key.as_ref()).get()] += 1;
    }
    let total = counts.iter().sum::<u64>().max(1) as f64;
    let shares = counts.iter().map(|&count| count as f64 / total).collect();
    (Balance::new(shares, placement.topology()), counts)
}

/// The balance for other numbers of points: the table of deviation against virtual nodes.
///
/// # Errors
/// If the placement is no ring, or a number is not possible.
pub fn balance_by_points(
    topology: &Topology,
    points: impl IntoIterator<Item = u32>,
) -> Result<Vec<(u32, Balance)>, TopologyError> {
    let with = |points| {
        let scheme = match topology.scheme() {
            Scheme::Ring(spec) => Scheme::Ring(crate::scheme::RingSpec {
                points,
                ..spec.clone()
            }),
            Scheme::Preset { name, label, .. } => Scheme::Preset {
                name: name.clone(),
                points: Some(points),
                label: *label,
            },
            other => {
                return Err(TopologyError::OptionNotTaken {
                    preset: other.name().to_owned(),
                    option: "points",
                });
            }
        };
        let topology = Topology::new(
            topology.nodes().to_vec(),
            scheme,
            topology.key_rule().clone(),
        )?;
        Ok((points, balance(&Placement::build(&topology))))
    };
    points.into_iter().map(with).collect()
}
