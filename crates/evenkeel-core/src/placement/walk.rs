//! The ordered distinct nodes for a key.

use std::collections::HashSet;

use super::seen::Seen;
use crate::{Node, NodeIndex};

/// The nodes for a key, the preferred one first, each once. See [`crate::Placement::walk`].
pub struct Walk<'a> {
    source: Box<dyn Iterator<Item = u16> + 'a>,
    seen: Seen,
}

impl<'a> Walk<'a> {
    /// Nodes in order of preference, where a node may come again.
    pub(super) fn of(source: impl Iterator<Item = u16> + 'a) -> Self {
        Self {
            source: Box::new(source),
            seen: Seen::default(),
        }
    }
}

impl Iterator for Walk<'_> {
    type Item = NodeIndex;

    fn next(&mut self) -> Option<NodeIndex> {
        let seen = &mut self.seen;
        self.source.find(|&index| seen.insert(index)).map(NodeIndex)
    }
}

impl std::fmt::Debug for Walk<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Walk")
            .field("seen", &self.seen)
            .finish_non_exhaustive()
    }
}

/// The first node of each zone, then the others.
pub(super) fn zones_first(walk: Walk<'_>, nodes: &[Node]) -> Vec<NodeIndex> {
    let mut zones = HashSet::new();
    let (mut order, others): (Vec<_>, Vec<_>) = walk.partition(|index| {
        match nodes.get(index.get()).and_then(|node| node.zone.as_deref()) {
            Some(zone) => zones.insert(zone),
            None => true,
        }
    });
    order.extend(others);
    order
}

/// Counts of entries as shares of their sum.
pub(super) fn shares_of(owners: impl Iterator<Item = u16>, nodes: usize) -> Vec<f64> {
    let mut counts = vec![0_u64; nodes];
    let mut total = 0_u64;
    for owner in owners {
        counts[usize::from(owner)] += 1;
        total += 1;
    }
    counts
        .into_iter()
        .map(|count| count as f64 / total as f64)
        .collect()
}

/// Lengths of segments as shares of the whole; each ends with its last hash.
pub(super) fn measures(segments: &[(u64, u16)], nodes: usize) -> Vec<f64> {
    let mut lengths = vec![0_u128; nodes];
    let mut start = 0_u128;
    for &(end, owner) in segments {
        let next = u128::from(end) + 1;
        lengths[usize::from(owner)] += next - start;
        start = next;
    }
    lengths
        .into_iter()
        .map(|length| length as f64 / start as f64)
        .collect()
}
