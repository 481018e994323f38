//! Sorted positions with their owners, and the look-up.

use super::position::Position;
use super::sort::Point;

/// Positions in ascending order, each with the node that owns the arc which ends there.
///
/// A position that several nodes claim is there several times, the owner first: the others wait for the owner to leave.
#[derive(Clone, Debug)]
pub(super) struct Circle<P> {
    positions: Box<[P]>,
    owners: Box<[u16]>,
}

impl<P: Position> Circle<P> {
    /// From sorted points; `order[rank]` is the index of a node.
    pub(super) fn new(points: &[Point<P>], order: &[u16]) -> Self {
        Self {
            positions: points.iter().map(|&(position, _)| position).collect(),
            owners: points
                .iter()
                .map(|&(_, rank)| order[usize::from(rank)])
                .collect(),
        }
    }

    pub(super) fn positions(&self) -> &[P] {
        &self.positions
    }

    pub(super) fn owners(&self) -> &[u16] {
        &self.owners
    }

    /// Which position is the first at or after a value; the first of all if there is none.
    #[inline]
    pub(super) fn locate(&self, value: P) -> usize {
        let index = self.positions.partition_point(|&position| position < value);
        if index == self.positions.len() {
            0
        } else {
            index
        }
    }

    /// The owner of a value.
    #[inline]
    pub(super) fn owner(&self, value: P) -> u16 {
        self.owners[self.locate(value)]
    }

    /// The length of each arc with its owner: what lies above the position before, up to and including its own. Together the whole circle.
    pub(super) fn arcs(&self) -> impl Iterator<Item = (u128, u16)> {
        let whole = u128::from(P::MAX.to_u64()) + 1;
        let last = self
            .positions
            .last()
            .map_or(0, |position| u128::from(position.to_u64()));
        // The first arc begins above the last position of the turn before.
        let before = std::iter::once(None).chain(self.positions.iter().map(Some));
        before.zip(self.positions.iter().zip(&self.owners)).map(
            move |(before, (position, &owner))| {
                let end = u128::from(position.to_u64());
                let length = match before {
                    Some(before) => end - u128::from(before.to_u64()),
                    None => end + whole - last,
                };
                (length, owner)
            },
        )
    }

    /// The owners from an arc on, once around; those that only wait for an owner to leave are not among them.
    pub(super) fn owners_from(&self, start: usize) -> impl Iterator<Item = u16> {
        let count = self.positions.len();
        (start..count)
            .chain(0..start)
            .filter(|&i| i == 0 || self.positions[i] != self.positions[i - 1])
            .map(|i| self.owners[i])
    }
}
