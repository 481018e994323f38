//! How many points a node has on a ring, with the arithmetic of each original.

use serde::{Deserialize, Serialize};

use crate::Weight;

/// How a node's weight becomes a number of points.
///
/// The `share` rules depend on the total weight and on the number of nodes, so a change of one node changes the points of others: keys
/// move between nodes that did not change. They differ in the width of their floats, which decides about one digest here and there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Count {
    /// `points * weight`, to the nearest, at least 1.
    PerWeight,
    /// `points * weight`, to the nearest, which may be none.
    PerWeightOrNone,
    /// `points * weight` in doubles, half a point added and the fraction dropped.
    PerWeightF64,
    /// `points`, whatever the weight is.
    Fixed,
    /// `points * weight / total * nodes` in 32-bit floats, rounded after each step: libmemcached, twemproxy, spymemcached.
    ShareF32,
    /// The same in doubles from left to right: npm hashring and memcached.
    ShareF64,
    /// `weight / total` in a 32-bit float, the rest in doubles, the result in a 32-bit float: libketama.
    ShareLibketama,
    /// The same in integers: uhashring, hash_ring, Dalli.
    ShareExact,
}

impl Count {
    /// Whether the number of a node's points depends on other nodes.
    #[must_use]
    pub fn is_share(self) -> bool {
        matches!(
            self,
            Self::ShareF32 | Self::ShareF64 | Self::ShareLibketama | Self::ShareExact
        )
    }

    /// The number of digests for each node. `points` and `per_digest` as in [`super::RingSpec`]; a weight of 0 has none.
    pub(crate) fn digests(self, points: u32, per_digest: u8, weights: &[Weight]) -> Vec<u64> {
        let per_digest = u64::from(per_digest.max(1));
        let total = weights.iter().map(|w| u64::from(w.thousandths())).sum();
        let nodes = weights.len() as u64;
        let rule = |weight: Weight| match weight.thousandths() {
            0 => 0,
            _ => self.digests_of(points, per_digest, weight, total, nodes),
        };
        weights.iter().map(|&weight| rule(weight)).collect()
    }

    fn digests_of(
        self,
        points: u32,
        per_digest: u64,
        weight: Weight,
        total: u64,
        nodes: u64,
    ) -> u64 {
        let thousandths = u64::from(weight.thousandths());
        let digests = u64::from(points) / per_digest;
        // The originals see whole weights; the validated topology has no others here.
        let (w, sum) = (thousandths / 1_000, total / 1_000);
        match self {
            Self::PerWeight => nearest_thousandth(digests * thousandths).max(1),
            Self::PerWeightOrNone => nearest_thousandth(digests * thousandths),
            Self::PerWeightF64 => (digests as f64 * weight.to_f64() + 0.5) as u64,
            Self::Fixed => digests,
            Self::ShareF32 => {
                let share = w as f32 / sum as f32;
                (share * points as f32 / per_digest as f32 * nodes as f32) as u64
            }
            Self::ShareF64 => (w as f64 / sum as f64 * digests as f64 * nodes as f64) as u64,
            Self::ShareLibketama => {
                let share = w as f32 / sum as f32;
                (f64::from(share) * digests as f64 * nodes as f64) as f32 as u64
            }
            Self::ShareExact => {
                let numerator = u128::from(digests) * u128::from(nodes) * u128::from(thousandths);
                (numerator / u128::from(total.max(1))) as u64
            }
        }
    }
}

/// Thousandths to the nearest whole, a half upwards.
fn nearest_thousandth(thousandths: u64) -> u64 {
    (thousandths + 500) / 1_000
}

#[cfg(test)]
mod tests {
    use super::*;

    fn equal(nodes: usize) -> Vec<Weight> {
        vec![Weight::ONE; nodes]
    }

    fn short(count: Count, up_to: usize) -> Vec<usize> {
        (1..=up_to)
            .filter(|&n| count.digests(160, 4, &equal(n)).contains(&39))
            .collect()
    }

    /// Seen on the real programs for 7, 14, 25, 28, 47 and 61 nodes, computed for the others.
    #[test]
    fn equal_nodes_lose_a_digest_where_the_original_s_floats_round_down() {
        let f32_chain = short(Count::ShareF32, 512);
        assert_eq!(
            f32_chain[..11],
            [25, 47, 50, 55, 61, 71, 94, 100, 107, 109, 110]
        );
        assert_eq!(f32_chain.len(), 54);
        assert_eq!(
            short(Count::ShareLibketama, 512),
            [61, 122, 237, 244, 474, 488]
        );
        let f64_chain = short(Count::ShareF64, 512);
        assert_eq!(f64_chain[..8], [7, 14, 28, 49, 56, 98, 103, 112]);
        assert_eq!(f64_chain.len(), 34);
        assert_eq!(short(Count::ShareExact, 512), [0; 0]);
    }

    #[test]
    fn unequal_weights_part_in_the_same_way() {
        let weights: Vec<_> = [1, 1, 7, 8, 8]
            .map(|w| Weight::from_thousandths(w * 1_000).unwrap())
            .into();
        assert_eq!(
            Count::ShareF32.digests(160, 4, &weights),
            [7, 7, 56, 63, 63]
        );
        for count in [Count::ShareF64, Count::ShareLibketama, Count::ShareExact] {
            assert_eq!(count.digests(160, 4, &weights), [8, 8, 56, 64, 64]);
        }
    }

    /// coreos/torus#246: a small node beside big ones.
    #[test]
    fn a_small_node_may_get_no_point_from_ketama_and_gets_one_from_our_own_ring() {
        let weights: Vec<_> = [1_024, 1_024, 5]
            .map(|w| Weight::from_thousandths(w * 1_000).unwrap())
            .into();
        assert_eq!(Count::ShareF32.digests(160, 4, &weights), [59, 59, 0]);
        assert_eq!(
            Count::PerWeight.digests(160, 1, &[Weight::from_thousandths(1).unwrap()]),
            [1]
        );
    }
}
