//! The table and its look-ups.

use crate::Node;
use crate::placement::score::{Candidate, Score, place_of_slot};
use crate::placement::walk::{Walk, shares_of};

/// The owner of each slot.
#[derive(Clone, Debug)]
pub(in crate::placement) struct Slots {
    pub(super) owners: Box<[u16]>,
    /// Everybody with a weight; for walks and changes.
    pub(super) candidates: Vec<Candidate>,
    /// 64 less the bits of a slot's number.
    pub(super) shift: u32,
}

impl Slots {
    /// How many slots.
    pub(in crate::placement) fn count(&self) -> u32 {
        self.owners.len() as u32
    }

    #[inline]
    fn slot_of(&self, part: &[u8]) -> u32 {
        (xxhash_rust::xxh3::xxh3_64(part) >> self.shift) as u32
    }

    #[inline]
    pub(in crate::placement) fn node_of(&self, part: &[u8]) -> u16 {
        self.owners[self.slot_of(part) as usize]
    }

    pub(in crate::placement) fn walk(&self, part: &[u8]) -> Walk<'_> {
        let slot = self.slot_of(part);
        let first = self.owners[slot as usize];
        // The order beyond the first is only worked out when somebody asks for it.
        let rest =
            std::iter::once(slot).flat_map(|slot| in_order(&self.candidates, place_of_slot(slot)));
        Walk::of(std::iter::once(first).chain(rest))
    }

    pub(in crate::placement) fn shares(&self, nodes: usize) -> Vec<f64> {
        shares_of(self.owners.iter().copied(), nodes)
    }

    /// The last hash of each slot with the owner of the slot.
    pub(in crate::placement) fn segments(&self) -> Vec<(u64, u16)> {
        let end = |slot: u64| (slot << self.shift) | (u64::MAX >> (64 - self.shift));
        (0..)
            .zip(&self.owners)
            .map(|(slot, &owner)| (end(slot), owner))
            .collect()
    }

    pub(in crate::placement) fn build(slots: u32, nodes: &[Node]) -> Self {
        let candidates = Candidate::all(nodes);
        let owners = super::build::owners(slots, &candidates);
        Self {
            owners,
            candidates,
            shift: 64 - slots.trailing_zeros(),
        }
    }
}

/// All candidates for a place, the best first.
pub(in crate::placement) fn in_order(candidates: &[Candidate], place: u64) -> Vec<u16> {
    let mut scores: Vec<Score> = candidates
        .iter()
        .map(|candidate| candidate.score(place))
        .collect();
    scores.sort_unstable_by(Score::compare);
    scores.into_iter().map(|score| score.index).collect()
}
