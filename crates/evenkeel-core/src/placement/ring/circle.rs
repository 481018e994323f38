//! Sorted positions with their owners, and the look-up.

use super::lines::Lines;
use super::position::Position;
use super::sort::Point;

/// Positions in ascending order, each with the node that owns the arc which ends there.
///
/// A position that several nodes claim is there several times, the owner first: the others wait for the owner to leave.
#[derive(Clone, Debug)]
pub(super) struct Circle<P> {
    positions: Box<[P]>,
    owners: Box<[u16]>,
    lines: Lines,
}

impl<P: Position> Circle<P> {
    /// From sorted points; `order[rank]` is the index of a node.
    pub(super) fn new(points: &[Point<P>], order: &[u16]) -> Self {
        let positions: Box<[P]> = points.iter().map(|&(position, _)| position).collect();
        let owners: Box<[u16]> = points
            .iter()
            .map(|&(_, rank)| order[usize::from(rank)])
            .collect();
        let lines = Lines::new(&positions, &owners);
        Self {
            positions,
            owners,
            lines,
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

    /// The owner of a value: nearly always from one line of the index.
    #[inline]
    pub(super) fn owner(&self, value: P) -> u16 {
        self.lines
            .owner(value)
            .unwrap_or_else(|| self.searched_owner(value))
    }

    #[cold]
    fn searched_owner(&self, value: P) -> u16 {
        self.owners[self.locate(value)]
    }

    /// Memory in bytes, the index included.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(&*self.positions) + size_of_val(&*self.owners) + self.lines.bytes()
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::hash::mix;

    fn agrees<P: Position>(positions: impl IntoIterator<Item = P>) {
        let mut points: Vec<Point<P>> = positions.into_iter().zip((0..100).cycle()).collect();
        points.sort_unstable();
        let order: Vec<u16> = (0..100).collect();
        let circle = Circle::new(&points, &order);
        let near = points.iter().flat_map(|&(position, _)| {
            [
                position,
                position.next(),
                P::from_hash(position.to_u64().wrapping_sub(1)),
            ]
        });
        let spread = (0..10_000).map(|i| P::from_hash(mix(i)));
        for value in near.chain(spread).chain([P::from_hash(0), P::MAX]) {
            assert_eq!(
                circle.owner(value),
                circle.searched_owner(value),
                "{value:?}"
            );
        }
    }

    #[test]
    fn the_index_agrees_with_a_search_at_every_point_and_beside_it() {
        for points in [1, 2, 7, 8, 15, 16, 17, 100, 1_600, 16_000, 160_000] {
            agrees((0..points).map(|i| mix(i) as u32));
            agrees((0..points).map(mix));
        }
    }

    proptest! {
        #[test]
        fn the_index_agrees_with_a_search_where_points_crowd(
            crowded in prop::collection::vec(0_u32..200, 1..200),
            high in prop::collection::vec(u64::MAX - 300..=u64::MAX, 1..200),
            mixed in prop::collection::vec(any::<u32>().prop_map(|x| x >> (x % 32)), 1..500),
        ) {
            agrees(crowded);
            agrees(high);
            agrees(mixed);
        }
    }
}
