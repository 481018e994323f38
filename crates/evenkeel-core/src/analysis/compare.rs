//! Schemes side by side for one pool.

use super::{balance, plan};
use crate::topology::TopologyError;
use crate::{Address, Node, Placement, Scheme, Topology};

/// What one scheme does to a pool.
#[derive(Clone, Debug, PartialEq)]
pub struct Compared {
    /// The scheme.
    pub scheme: Scheme,
    /// See [`super::Balance::max_over_mean`].
    pub max_over_mean: f64,
    /// See [`super::Balance::deviation`].
    pub deviation: f64,
    /// The share of keys that one more node moves.
    pub moved_by_adding: f64,
    /// The share that moves between old nodes then.
    pub between_old_by_adding: f64,
    /// The mean share that the removal of one node moves, over all nodes, or over the first, middle and last ones of a large pool.
    pub moved_by_removing: f64,
    /// The share that moves between the survivors then, at worst.
    pub between_old_by_removing: f64,
    /// The greatest factor by which a removal makes a survivor grow: 2 is a neighbour that takes all.
    pub heaviest_growth: f64,
    /// Memory of the look-up structure in bytes.
    pub bytes: usize,
}

/// Removals that are tried, so that a large pool is answered in time.
const REMOVALS: usize = 16;

/// Compares schemes over the same nodes. A scheme that cannot be had with these nodes has its error in its place.
pub fn compare(topology: &Topology, schemes: &[Scheme]) -> Vec<Result<Compared, TopologyError>> {
    let with = |scheme: &Scheme| {
        let topology = Topology::new(
            topology.nodes().to_vec(),
            scheme.clone(),
            topology.key_rule().clone(),
        )?;
        compared(&Placement::build(&topology))
    };
    schemes.iter().map(with).collect()
}

fn compared(placement: &Placement) -> Result<Compared, TopologyError> {
    let balance = balance(placement);
    let added = plan(
        placement,
        &placement.with_node(newcomer(placement.topology()))?,
    );
    let removed = removals(placement);
    let count = removed.len().max(1) as f64;
    Ok(Compared {
        scheme: placement.topology().scheme().clone(),
        max_over_mean: balance.max_over_mean,
        deviation: balance.deviation,
        moved_by_adding: added.moved,
        between_old_by_adding: added.moved_between_old,
        moved_by_removing: removed.iter().map(|plan| plan.moved).sum::<f64>() / count,
        between_old_by_removing: removed
            .iter()
            .map(|plan| plan.moved_between_old)
            .fold(0.0, f64::max),
        heaviest_growth: removed.iter().map(growth).fold(1.0, f64::max),
        bytes: placement.bytes(),
    })
}

fn removals(placement: &Placement) -> Vec<super::Plan> {
    let nodes = placement.topology().nodes();
    let stride = nodes.len().div_ceil(REMOVALS).max(1);
    let without = nodes
        .iter()
        .step_by(stride)
        .filter_map(|node| placement.without_node(&node.name).ok());
    without.map(|after| plan(placement, &after)).collect()
}

/// The greatest growth of a survivor, as a factor.
fn growth(plan: &super::Plan) -> f64 {
    plan.heaviest_gain.map_or(1.0, |gain| {
        if gain.before > 0.0 {
            gain.after / gain.before
        } else {
            f64::INFINITY
        }
    })
}

/// A node that is like the others, with a name and an address that are free.
fn newcomer(topology: &Topology) -> Node {
    let free = |number: &u32| topology.index_of(&format!("new-{number}")).is_none();
    let number = (1..=u32::from(u16::MAX) + 1).find(free).unwrap_or(0);
    let address = Address::Tcp {
        host: format!("10.254.{}.{}", number / 256 % 256, number % 256),
        port: crate::address::DEFAULT_PORT,
    };
    Node::new(format!("new-{number}"), address)
}
