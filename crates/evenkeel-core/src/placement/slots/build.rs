//! The owner of every slot, from scratch.

use crate::placement::score::{Candidate, Score, place_of_slot};

/// Slots that are filled together, so that their best scores stay in the cache while all nodes pass.
const BLOCK: u32 = 512;

/// O(slots * candidates), a nanosecond or so for each pair.
pub(super) fn owners(slots: u32, candidates: &[Candidate]) -> Box<[u16]> {
    let equal = candidates
        .windows(2)
        .all(|pair| pair[0].weight == pair[1].weight);
    let mut owners = Vec::with_capacity(slots as usize);
    for first in (0..slots).step_by(BLOCK as usize) {
        let block = first..(first + BLOCK).min(slots);
        if equal {
            owners.extend(block.map(|slot| greatest_hash(candidates, place_of_slot(slot))));
        } else {
            owners.extend(block.map(|slot| best(candidates, place_of_slot(slot))));
        }
    }
    owners.into_boxed_slice()
}

/// With equal weights the least cost is the greatest hash, so no logarithm is taken. Equal hashes go to the smaller name.
fn greatest_hash(candidates: &[Candidate], place: u64) -> u16 {
    let key = |candidate: &&Candidate| (candidate.hash(place), std::cmp::Reverse(candidate.rank));
    candidates
        .iter()
        .max_by_key(key)
        .map_or(0, |candidate| candidate.index)
}

fn best(candidates: &[Candidate], place: u64) -> u16 {
    candidates
        .iter()
        .map(|candidate| candidate.score(place))
        .min_by(Score::compare)
        .map_or(0, |score| score.index)
}
