//! Maglev's table (Eisenbud and others, NSDI 2016, section 3.4).

use super::walk::{Walk, shares_of};
use crate::Node;
use crate::hash::{Hash, mix};

/// The marker of a place that nobody has taken yet; no index of a node.
const EMPTY: u16 = u16::MAX;

/// A key's place is its XXH3 modulo the size, a prime.
#[derive(Clone, Debug)]
pub(super) struct Maglev {
    owners: Box<[u16]>,
}

/// A node's own permutation of the places: `offset + n * skip` modulo the size.
struct Turn {
    place: u64,
    skip: u64,
    /// Thousandths that are left of the present round; a node moves when it has enough for a turn.
    credit: u64,
    weight: u64,
    index: u16,
}

impl Maglev {
    /// O(size * log size) expected for equal weights.
    pub(super) fn build(size: u32, nodes: &[Node]) -> Self {
        let mut owners = vec![EMPTY; size as usize];
        let mut turns = turns(u64::from(size), nodes);
        let heaviest = turns.iter().map(|turn| turn.weight).max().unwrap_or(1);
        let mut left = owners.len();
        while left > 0 {
            for turn in &mut turns {
                turn.credit += turn.weight;
                // The heaviest node has one turn in each round, the others as many in proportion.
                if turn.credit < heaviest || left == 0 {
                    continue;
                }
                turn.credit -= heaviest;
                turn.take(&mut owners);
                left -= 1;
            }
        }
        Self {
            owners: owners.into_boxed_slice(),
        }
    }

    fn place(&self, part: &[u8]) -> usize {
        (Hash::Xxh3.of(part) % self.owners.len() as u64) as usize
    }

    /// The owner of each entry.
    pub(super) fn owners(&self) -> &[u16] {
        &self.owners
    }

    pub(super) fn node_of(&self, part: &[u8]) -> u16 {
        self.owners[self.place(part)]
    }

    /// On to the next places of other nodes; the paper has no second choice.
    pub(super) fn walk(&self, part: &[u8]) -> Walk<'_> {
        let (before, after) = self.owners.split_at(self.place(part));
        Walk::of(after.iter().chain(before).copied())
    }

    pub(super) fn shares(&self, nodes: usize) -> Vec<f64> {
        shares_of(self.owners.iter().copied(), nodes)
    }
}

/// In the order of the names, so that the order of the list does not count.
fn turns(size: u64, nodes: &[Node]) -> Vec<Turn> {
    let mut weighty: Vec<(u16, &Node)> = (0..)
        .zip(nodes)
        .filter(|(_, node)| !node.weight.is_zero())
        .collect();
    weighty.sort_by(|(_, a), (_, b)| a.name.cmp(&b.name));
    let turn = |(index, node): (u16, &Node)| {
        let hash = Hash::Xxh3.of(node.name.as_bytes());
        Turn {
            place: hash % size,
            skip: mix(hash) % (size - 1) + 1,
            credit: 0,
            weight: u64::from(node.weight.thousandths()),
            index,
        }
    };
    weighty.into_iter().map(turn).collect()
}

impl Turn {
    /// Takes the next place of the node's permutation that is still empty.
    fn take(&mut self, owners: &mut [u16]) {
        let size = owners.len() as u64;
        while owners[self.place as usize] != EMPTY {
            self.place = (self.place + self.skip) % size;
        }
        owners[self.place as usize] = self.index;
    }
}
