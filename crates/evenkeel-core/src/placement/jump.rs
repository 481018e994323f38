//! Jump consistent hash (Lamping and Veach, arXiv 1406.2294).

use super::walk::Walk;
use crate::Node;
use crate::hash::Hash;

/// The nodes with a weight, in the order of the list.
#[derive(Clone, Debug)]
pub(super) struct Jump {
    hash: Hash,
    nodes: Box<[u16]>,
}

impl Jump {
    pub(super) fn build(hash: Hash, nodes: &[Node]) -> Self {
        let nodes = (0..)
            .zip(nodes)
            .filter(|(_, node)| !node.weight.is_zero())
            .map(|(index, _)| index)
            .collect();
        Self { hash, nodes }
    }

    pub(super) fn hash_of(&self, part: &[u8]) -> u64 {
        self.hash.of(part)
    }

    pub(super) fn node_of(&self, part: &[u8]) -> u16 {
        let bucket = jump(self.hash.of(part), self.nodes.len() as u32);
        self.nodes[bucket as usize]
    }

    /// The paper has no second choice. Here the chosen node is taken out of the list, the last one fills its place, and the key jumps again
    /// over the shorter list, so that each node's keys spread evenly over the others.
    pub(super) fn walk(&self, part: &[u8]) -> Walk<'_> {
        let mut left = self.nodes.to_vec();
        let mut hash = self.hash.of(part);
        let next = move || {
            if left.is_empty() {
                return None;
            }
            let bucket = jump(hash, left.len() as u32);
            hash = crate::hash::mix(hash);
            Some(left.swap_remove(bucket as usize))
        };
        Walk::of(std::iter::from_fn(next))
    }

    pub(super) fn shares(&self, nodes: usize) -> Vec<f64> {
        super::walk::shares_of(self.nodes.iter().copied(), nodes)
    }
}

/// The paper's algorithm: O(ln buckets) multiplications and divisions. `buckets` is above 0.
pub fn jump(mut key: u64, buckets: u32) -> u32 {
    let (mut bucket, mut next) = (0, 0_u64);
    while next < u64::from(buckets) {
        bucket = next;
        key = key.wrapping_mul(2_862_933_555_777_941_757).wrapping_add(1);
        next = ((bucket + 1) as f64 * ((1_u64 << 31) as f64 / ((key >> 33) + 1) as f64)) as u64;
    }
    bucket as u32
}
