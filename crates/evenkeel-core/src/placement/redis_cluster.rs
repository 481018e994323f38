//! Redis Cluster's slots: CRC-16 of the key, and an explicit map.

use super::walk::{Walk, shares_of};
use crate::hash::Hash;
use crate::scheme::SlotRange;
use crate::topology::TopologyError;
use crate::{Node, NodeIndex};

/// The number of slots, fixed by Redis.
pub(crate) const SLOTS: u16 = 16_384;

/// The owner of each slot.
#[derive(Clone, Debug)]
pub(super) struct RedisCluster {
    owners: Box<[u16]>,
}

/// Every slot once, and every name known.
pub(crate) fn check(ranges: &[SlotRange], nodes: &[Node]) -> Result<(), TopologyError> {
    for SlotRange { first, last, node } in ranges {
        let (first, last) = (*first, *last);
        if first > last || last >= SLOTS {
            return Err(TopologyError::BadSlotRange {
                first,
                last,
                node: node.clone(),
            });
        }
        if !nodes.iter().any(|known| known.name == *node) {
            return Err(TopologyError::UnknownSlotNode {
                first,
                last,
                node: node.clone(),
            });
        }
    }
    let mut sorted: Vec<&SlotRange> = ranges.iter().collect();
    sorted.sort_by_key(|range| range.first);
    let mut next = 0;
    let mut before = "";
    for range in sorted {
        if range.first < next {
            return Err(TopologyError::SlotOverlap {
                slot: range.first,
                first: before.to_owned(),
                second: range.node.clone(),
            });
        }
        if range.first > next {
            return Err(TopologyError::SlotHole {
                first: next,
                last: range.first - 1,
            });
        }
        next = range.last + 1;
        before = &range.node;
    }
    if next < SLOTS {
        Err(TopologyError::SlotHole {
            first: next,
            last: SLOTS - 1,
        })
    } else {
        Ok(())
    }
}

impl RedisCluster {
    pub(super) fn build(ranges: &[SlotRange], nodes: &[Node]) -> Self {
        let mut owners = vec![0; usize::from(SLOTS)];
        for range in ranges {
            let index = (0..)
                .zip(nodes)
                .find(|(_, node)| node.name == range.node)
                .map_or(NodeIndex(0), |(index, _)| NodeIndex(index));
            owners[usize::from(range.first)..=usize::from(range.last)].fill(index.0);
        }
        Self {
            owners: owners.into_boxed_slice(),
        }
    }

    fn slot(part: &[u8]) -> usize {
        (Hash::Crc16.of(part) % u64::from(SLOTS)) as usize
    }

    /// The owner of each entry.
    pub(super) fn owners(&self) -> &[u16] {
        &self.owners
    }

    pub(super) fn node_of(&self, part: &[u8]) -> u16 {
        self.owners[Self::slot(part)]
    }

    /// On to the owners of the next slots; Redis itself has no second choice.
    pub(super) fn walk(&self, part: &[u8]) -> Walk<'_> {
        let (before, after) = self.owners.split_at(Self::slot(part));
        Walk::of(after.iter().chain(before).copied())
    }

    pub(super) fn shares(&self, nodes: usize) -> Vec<f64> {
        shares_of(self.owners.iter().copied(), nodes)
    }
}
