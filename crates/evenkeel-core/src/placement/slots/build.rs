//! The owner of every slot, from scratch.

use crate::placement::score::{Candidate, Score, place_of_slot};

/// Slots that are filled together, so that their best scores stay in the first cache while all nodes pass.
const BLOCK: u32 = 512;

/// A block's slots: what the hash of a name is added to, and the best so far.
struct Block {
    places: Vec<u64>,
}

/// O(slots * candidates), a nanosecond or so for each pair.
pub(super) fn owners(slots: u32, candidates: &[Candidate]) -> Box<[u16]> {
    let equal = candidates
        .windows(2)
        .all(|pair| pair[0].weight == pair[1].weight);
    // In the order of the names, so that the first of equals is the one that wins.
    let mut by_name = candidates.to_vec();
    by_name.sort_unstable_by_key(|candidate| candidate.rank);
    let mut owners = Vec::with_capacity(slots as usize);
    for first in (0..slots).step_by(BLOCK as usize) {
        let end = (first + BLOCK).min(slots);
        let block = Block {
            places: (first..end).map(place_of_slot).collect(),
        };
        if equal {
            block.greatest_hashes(&by_name, &mut owners);
        } else {
            block.best_scores(&by_name, &mut owners);
        }
    }
    owners.into_boxed_slice()
}

impl Block {
    /// With equal weights the least cost is the greatest hash, so no logarithm is taken.
    fn greatest_hashes(&self, by_name: &[Candidate], owners: &mut Vec<u16>) {
        let Some((first, rest)) = by_name.split_first() else {
            return;
        };
        let mut best: Vec<(u64, u16)> = self
            .places
            .iter()
            .map(|&place| (first.hash(place), first.index))
            .collect();
        for candidate in rest {
            for (best, &place) in best.iter_mut().zip(&self.places) {
                let hash = candidate.hash(place);
                if hash > best.0 {
                    *best = (hash, candidate.index);
                }
            }
        }
        owners.extend(best.into_iter().map(|(_, index)| index));
    }

    fn best_scores(&self, by_name: &[Candidate], owners: &mut Vec<u16>) {
        let Some((first, rest)) = by_name.split_first() else {
            return;
        };
        let mut best: Vec<Best> = self
            .places
            .iter()
            .map(|&place| Best::of(first.score(place)))
            .collect();
        for candidate in rest {
            for (best, &place) in best.iter_mut().zip(&self.places) {
                let hash = candidate.hash(place);
                if best.may_lose_to(hash, candidate.weight) {
                    let score = candidate.score(place);
                    if score.compare(&best.score).is_lt() {
                        *best = Best::of(score);
                    }
                }
            }
        }
        owners.extend(best.into_iter().map(|best| best.score.index));
    }
}

/// The best score of a slot, with a bound that rules out nearly all others without a logarithm.
struct Best {
    score: Score,
    /// Cost for a unit of weight, a little more than exact.
    ratio: f64,
}

impl Best {
    fn of(score: Score) -> Self {
        // Rounding may not rule out a winner, so the bound is widened by more than all the roundings together.
        Self {
            ratio: score.cost_by_weight() * (1.0 + 1e-9),
            score,
        }
    }

    /// The cost of a hash `u` in units of 2^64 is at least `(1 - u) / ln 2` in units of 2^32, because the logarithm lies below its
    /// tangent at 1. Whoever has more than the best cost by that bound cannot win.
    #[inline]
    fn may_lose_to(&self, hash: u64, weight: u64) -> bool {
        const TANGENT: f64 = 1.442;
        ((!hash >> 32) as f64) * TANGENT <= self.ratio * weight as f64 + 1.0
    }
}
