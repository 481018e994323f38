//! What a change of the topology moves.

use std::collections::HashMap;

use super::division::Division;
use super::overlap::{gcd, overlaps};
use crate::{NodeIndex, Placement, Topology};

/// How the shares of a plan were found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Both placements divide the same hash of a key, and the overlaps were measured.
    Exact,
    /// The placements hash keys in unrelated ways, so a key's two nodes are independent.
    Product,
    /// Counted over so many synthetic keys, where neither of the above is possible.
    Sampled(usize),
}

/// Keys that go from one node to another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Flow {
    /// The source, an index into the old nodes.
    pub from: NodeIndex,
    /// The target, an index into the new nodes.
    pub to: NodeIndex,
    /// The share of all keys.
    pub share: f64,
}

/// A node that is there before and after, and what it owns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gain {
    /// An index into the new nodes.
    pub node: NodeIndex,
    /// Its share before.
    pub before: f64,
    /// Its share after.
    pub after: f64,
}

/// What a change moves, as shares of all keys. Nodes are the same if they have the same name.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// How the shares were found.
    pub method: Method,
    /// Who gives how much to whom, the most first.
    pub flows: Vec<Flow>,
    /// All moved keys.
    pub moved: f64,
    /// Those among them that go from one node that stays to another that was there before.
    pub moved_between_old: f64,
    /// The least that any placement would have to move to get from the old shares to the new ones.
    pub lower_bound: f64,
    /// What `hash mod N` would move for the same numbers of nodes.
    pub modulo: f64,
    /// Shares of the old nodes.
    pub shares_before: Vec<f64>,
    /// Shares of the new nodes.
    pub shares_after: Vec<f64>,
    /// The node that stays and grows the most.
    pub heaviest_gain: Option<Gain>,
    /// The names of nodes that have another address and keep their name: the keys placed on them stay, on another server.
    pub readdressed: Vec<String>,
}

/// What moves between two placements. O(points) for rings, O(slots) for slots; see [`Method`].
#[must_use]
pub fn plan(from: &Placement, to: &Placement) -> Plan {
    let (method, shares) = joint(from, to);
    let names = Names::new(from.topology(), to.topology());
    let mut flows: Vec<Flow> = Vec::new();
    for ((from, to), share) in shares {
        if names.new_index[usize::from(from)] != Some(to) && share > 0.0 {
            flows.push(Flow {
                from: NodeIndex(from),
                to: NodeIndex(to),
                share,
            });
        }
    }
    flows.sort_by(|a, b| {
        b.share
            .total_cmp(&a.share)
            .then(a.from.cmp(&b.from))
            .then(a.to.cmp(&b.to))
    });
    let between = |flow: &&Flow| {
        names.new_index[flow.from.get()].is_some() && names.old_index[flow.to.get()].is_some()
    };
    let (shares_before, shares_after) = (from.shares(), to.shares());
    Plan {
        method,
        moved: total(flows.iter()),
        moved_between_old: total(flows.iter().filter(between)),
        lower_bound: lower_bound(&names, &shares_before, &shares_after),
        modulo: modulo(shares_before.len(), shares_after.len()),
        heaviest_gain: heaviest_gain(&names, &shares_before, &shares_after),
        readdressed: readdressed(from.topology(), to.topology(), &names),
        flows,
        shares_before,
        shares_after,
    }
}

/// The sum of shares. It starts from 0, because the sum of no floats at all is -0.0, and nobody wants to read that -0.0 % move.
fn total<'a>(flows: impl Iterator<Item = &'a Flow>) -> f64 {
    flows.fold(0.0, |sum, flow| sum + flow.share)
}

/// Who of the one topology is who in the other.
struct Names {
    new_index: Vec<Option<u16>>,
    old_index: Vec<Option<u16>>,
}

impl Names {
    fn new(old: &Topology, new: &Topology) -> Self {
        Self {
            new_index: indexes(old, new),
            old_index: indexes(new, old),
        }
    }
}

/// For each node of the one, its index in the other.
fn indexes(of: &Topology, into: &Topology) -> Vec<Option<u16>> {
    let known: HashMap<&str, u16> = (0..)
        .zip(into.nodes())
        .map(|(index, node)| (node.name.as_str(), index))
        .collect();
    of.nodes()
        .iter()
        .map(|node| known.get(node.name.as_str()).copied())
        .collect()
}

type Shares = Vec<((u16, u16), f64)>;

/// The share of keys for each pair of an old and a new owner.
fn joint(from: &Placement, to: &Placement) -> (Method, Shares) {
    if let (Some(a), Some(b)) = (from.division(), to.division()) {
        if let Some(shares) = exact(&a, &b) {
            return (Method::Exact, shares);
        }
        if !a.source.related(&b.source) {
            return (Method::Product, product(&from.shares(), &to.shares()));
        }
    }
    sampled(from, to)
}

fn exact(a: &Division, b: &Division) -> Option<Shares> {
    if a.source != b.source || a.bits != b.bits {
        return None;
    }
    let values = a.values() as f64;
    Some(
        overlaps(a, b)?
            .into_iter()
            .map(|(pair, count)| (pair, count as f64 / values))
            .collect(),
    )
}

fn product(before: &[f64], after: &[f64]) -> Shares {
    let pair = |(i, x): (u16, &f64)| {
        let x = *x;
        (0..).zip(after).map(move |(j, y)| ((i, j), x * y))
    };
    (0..).zip(before).flat_map(pair).collect()
}

/// Keys of a sample: as many as a moment allows, where each costs a look at every node.
fn sample_size(from: &Placement, to: &Placement) -> usize {
    const LOOKS: usize = 40_000_000;
    let nodes = from
        .topology()
        .nodes()
        .len()
        .max(to.topology().nodes().len());
    (LOOKS / nodes).clamp(20_000, 1_000_000)
}

fn sampled(from: &Placement, to: &Placement) -> (Method, Shares) {
    let keys = sample_size(from, to);
    let mut counts: HashMap<(u16, u16), usize> = HashMap::new();
    for number in 0..keys {
        let key = format!("key:{number}");
        let pair = (from.node_of(key.as_bytes()).0, to.node_of(key.as_bytes()).0);
        *counts.entry(pair).or_insert(0) += 1;
    }
    let shares = counts
        .into_iter()
        .map(|(pair, count)| (pair, count as f64 / keys as f64))
        .collect();
    (Method::Sampled(keys), shares)
}

/// Whoever grows has to be given at least what it grows by.
fn lower_bound(names: &Names, before: &[f64], after: &[f64]) -> f64 {
    let grown = after.iter().zip(&names.old_index).map(|(after, old)| {
        let before = old.map_or(0.0, |old| before[usize::from(old)]);
        (after - before).max(0.0)
    });
    grown.sum()
}

/// The share of remainders that differ between two moduli: 1 - gcd / greater.
fn modulo(before: usize, after: usize) -> f64 {
    1.0 - gcd(before, after) as f64 / before.max(after) as f64
}

fn heaviest_gain(names: &Names, before: &[f64], after: &[f64]) -> Option<Gain> {
    let gains = (0..)
        .zip(after)
        .zip(&names.old_index)
        .filter_map(|((index, &after), old)| {
            let before = before[usize::from((*old)?)];
            (after > before).then_some(Gain {
                node: NodeIndex(index),
                before,
                after,
            })
        });
    gains.max_by(|a, b| (a.after - a.before).total_cmp(&(b.after - b.before)))
}

fn readdressed(old: &Topology, new: &Topology, names: &Names) -> Vec<String> {
    let moved = |(node, index): (&crate::Node, &Option<u16>)| {
        let other = new.node(NodeIndex((*index)?));
        (other.address != node.address).then(|| node.name.clone())
    };
    old.nodes()
        .iter()
        .zip(&names.new_index)
        .filter_map(moved)
        .collect()
}

/// What a change moves among given keys.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counted {
    /// All keys.
    pub keys: u64,
    /// Those that change their node.
    pub moved: u64,
    /// Those among them that go from one node that stays to another that was there before.
    pub moved_between_old: u64,
    /// Moved keys by source and target.
    pub flows: HashMap<(NodeIndex, NodeIndex), u64>,
}

/// Counts what a change moves among these keys. Constant memory but for the flows.
pub fn count<K: AsRef<[u8]>>(
    from: &Placement,
    to: &Placement,
    keys: impl IntoIterator<Item = K>,
) -> Counted {
    let names = Names::new(from.topology(), to.topology());
    let mut counted = Counted::default();
    for key in keys {
        let (source, target) = (from.node_of(key.as_ref()), to.node_of(key.as_ref()));
        counted.keys += 1;
        let stays = names.new_index[source.get()];
        if stays == Some(target.0) {
            continue;
        }
        counted.moved += 1;
        counted.moved_between_old +=
            u64::from(stays.is_some() && names.old_index[target.get()].is_some());
        *counted.flows.entry((source, target)).or_insert(0) += 1;
    }
    counted
}
