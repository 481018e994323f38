//! Weighted rendezvous over all nodes for each key.

use super::score::{Candidate, Score};
use super::slots::in_order;
use super::walk::Walk;
use crate::Node;

/// The nodes with a weight.
#[derive(Clone, Debug)]
pub(super) struct Rendezvous {
    candidates: Vec<Candidate>,
    /// Whether the greatest hash decides.
    equal: bool,
}

impl Rendezvous {
    pub(super) fn build(nodes: &[Node]) -> Self {
        let candidates = Candidate::all(nodes);
        let equal = candidates
            .windows(2)
            .all(|pair| pair[0].weight == pair[1].weight);
        Self { candidates, equal }
    }

    /// The key's hash takes the part that a slot's number has in `slots`.
    fn place(part: &[u8]) -> u64 {
        crate::hash::mix(xxhash_rust::xxh3::xxh3_64(part))
    }

    pub(super) fn node_of(&self, part: &[u8]) -> u16 {
        let place = Self::place(part);
        if self.equal {
            let key =
                |candidate: &&Candidate| (candidate.hash(place), std::cmp::Reverse(candidate.rank));
            return self
                .candidates
                .iter()
                .max_by_key(key)
                .map_or(0, |candidate| candidate.index);
        }
        self.candidates
            .iter()
            .map(|candidate| candidate.score(place))
            .min_by(Score::compare)
            .map_or(0, |score| score.index)
    }

    pub(super) fn walk(&self, part: &[u8]) -> Walk<'_> {
        Walk::of(in_order(&self.candidates, Self::place(part)).into_iter())
    }

    pub(super) fn shares(&self, nodes: usize) -> Vec<f64> {
        let total: u64 = self
            .candidates
            .iter()
            .map(|candidate| candidate.weight)
            .sum();
        let mut shares = vec![0.0; nodes];
        for candidate in &self.candidates {
            shares[usize::from(candidate.index)] = candidate.weight as f64 / total as f64;
        }
        shares
    }
}
