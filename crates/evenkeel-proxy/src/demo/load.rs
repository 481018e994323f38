//! Which keys are asked for: some far more often than others.

/// Seeded random numbers (SplitMix64, by Steele, Lea and Flood): the demo needs repetition, not secrecy.
#[derive(Clone, Debug)]
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// From 0 to 1, without 1.
    fn fraction(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// A stream of key numbers with Zipf's distribution: the share of the key of rank r is proportional to r^-skew.
#[derive(Clone, Debug)]
pub(super) struct Load {
    random: Random,
    /// Share of the keys up to each rank.
    up_to: Vec<f64>,
}

impl Load {
    /// Keys 0 to `keys`, the lower ones more often. O(keys).
    pub(super) fn new(keys: u32, skew: f64, seed: u64) -> Self {
        let mut total = 0.0;
        let mut up_to: Vec<f64> = (1..=keys)
            .map(|rank| {
                total += f64::from(rank).powf(-skew);
                total
            })
            .collect();
        for share in &mut up_to {
            *share /= total;
        }
        Self {
            random: Random(seed),
            up_to,
        }
    }

    /// The next key. O(log keys).
    pub(super) fn next(&mut self) -> u32 {
        let at = self.random.fraction();
        let rank = self.up_to.partition_point(|share| *share <= at);
        u32::try_from(rank.min(self.up_to.len().saturating_sub(1))).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // For 1,000 keys and skew 1 the first key's share is 1 / H(1000), and H(1000) = 7.48547.
    #[test]
    fn the_first_key_has_the_share_that_zipf_gives_it() {
        let mut load = Load::new(1000, 1.0, 1);
        let first = (0..100_000).filter(|_| load.next() == 0).count();
        assert!(
            (first as f64 / 100_000.0 - 1.0 / 7.48547).abs() < 0.005,
            "{first}"
        );
    }
}
