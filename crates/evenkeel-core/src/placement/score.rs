//! The score of a node for a slot, in integers: the same on every machine and in every language.

use std::cmp::Ordering;

use crate::hash::{GOLDEN, mix};

/// `T[i] = floor(2^32 log2(1 + i/256))`, and 2^32 at the end.
static LOG2: [u64; 257] = {
    let mut table = [1 << 32; 257];
    let mut i = 0;
    while i < 256 {
        table[i] = floor_log2(i as u64);
        i += 1;
    }
    table
};

/// 32 bits of `log2(1 + i/256)`: each squaring yields one. 63 bits of fraction outlast the errors that 32 squarings double; the tests
/// hold the table against exact arithmetic.
const fn floor_log2(i: u64) -> u64 {
    // One bit before the point, 63 after it.
    let mut x = ((256 + i) as u128) << 55;
    let mut bits = 0;
    let mut step = 0;
    while step < 32 {
        x = (x * x) >> 63;
        let carry = (x >> 64) as u64;
        bits = bits << 1 | carry;
        x >>= carry;
        step += 1;
    }
    bits
}

/// A node as the score sees it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    /// XXH3 of the name.
    pub(super) name_hash: u64,
    /// Thousandths, 1 to 1,000,000.
    pub(super) weight: u64,
    /// The rank of the name among all names, the smallest 0: decides full ties.
    pub(super) rank: u32,
    /// Index in the topology.
    pub(super) index: u16,
}

/// How well a node stands for a slot; the least is the best.
#[derive(Clone, Copy, Debug)]
pub(super) struct Score {
    pub(super) hash: u64,
    cost: u64,
    weight: u64,
    rank: u32,
    pub(super) index: u16,
}

impl Candidate {
    /// The nodes that have a weight, in the order of the topology.
    pub(super) fn all(nodes: &[crate::Node]) -> Vec<Self> {
        let mut by_name: Vec<usize> = (0..nodes.len()).collect();
        by_name.sort_by(|&a, &b| nodes[a].name.cmp(&nodes[b].name));
        let mut ranks = vec![0; nodes.len()];
        for (&index, rank) in by_name.iter().zip(0..) {
            ranks[index] = rank;
        }
        let candidate = |(index, node): (usize, &crate::Node)| Self {
            name_hash: xxhash_rust::xxh3::xxh3_64(node.name.as_bytes()),
            weight: u64::from(node.weight.thousandths()),
            rank: ranks[index],
            index: index as u16,
        };
        nodes
            .iter()
            .enumerate()
            .filter(|(_, node)| !node.weight.is_zero())
            .map(candidate)
            .collect()
    }

    /// The hash of a node and a place, which is `(slot + 1) * GOLDEN` for slots.
    #[inline]
    pub(super) fn hash(&self, place: u64) -> u64 {
        mix(self.name_hash.wrapping_add(place))
    }

    pub(super) fn score(&self, place: u64) -> Score {
        let hash = self.hash(place);
        Score {
            hash,
            cost: cost(hash),
            weight: self.weight,
            rank: self.rank,
            index: self.index,
        }
    }
}

/// What is added to a name's hash for a slot.
#[inline]
pub(super) fn place_of_slot(slot: u32) -> u64 {
    (u64::from(slot) + 1).wrapping_mul(GOLDEN)
}

impl Score {
    /// The cost for a thousandth of weight.
    pub(super) fn cost_by_weight(&self) -> f64 {
        self.cost as f64 / self.weight as f64
    }

    /// [`Ordering::Less`] if this one is better: the smaller cost for the weight, then the greater hash, then the smaller name.
    #[inline]
    pub(super) fn compare(&self, other: &Self) -> Ordering {
        (self.cost * other.weight)
            .cmp(&(other.cost * self.weight))
            .then(other.hash.cmp(&self.hash))
            .then(self.rank.cmp(&other.rank))
    }
}

/// About `-2^32 log2(hash / 2^64)`: 1 to 2^38, never rising with the hash.
#[inline]
pub(super) fn cost(hash: u64) -> u64 {
    let value = hash | 1;
    let zeros = u64::from(value.leading_zeros());
    // Two shifts, because a shift by 64 is not a shift.
    let mantissa = value << zeros << 1;
    let (index, fraction) = ((mantissa >> 56) as usize, mantissa >> 24 & 0xffff_ffff);
    let (low, high) = (LOG2[index], LOG2[index + 1]);
    ((zeros + 1) << 32) - low - (((high - low) * fraction) >> 32)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// From the definition of `slots`, version 1.
    #[test]
    fn the_published_numbers_hold() {
        assert_eq!(
            [LOG2[1], LOG2[128], LOG2[255]],
            [24_157_254, 2_512_394_809, 4_282_853_258]
        );
        assert_eq!(
            xxhash_rust::xxh3::xxh3_64(b"cache-1"),
            0xf72c_73e6_b52e_4787
        );
        let hash = mix(0xf72c_73e6_b52e_4787_u64.wrapping_add(place_of_slot(0)));
        assert_eq!((hash, cost(hash)), (0x5fd1_f16f_568d_6bfb, 6_089_167_219));
    }

    #[test]
    fn the_cost_never_rises_with_the_hash() {
        assert_eq!(cost(u64::MAX), 1);
        assert_eq!(cost(0), 1 << 38);
        let mut hashes: Vec<u64> = (0..100_000).map(|i| mix(i) >> (i % 64)).collect();
        hashes.sort_unstable();
        assert!(hashes.windows(2).all(|pair| cost(pair[0]) >= cost(pair[1])));
    }
}
