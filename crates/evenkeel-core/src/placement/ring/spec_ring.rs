//! A ring as its description says.

use std::sync::Arc;

use super::circle::Circle;
use super::points::{claim_order, each_point};
use super::position::Position;
use super::sort::{Point, merge, sort};
use crate::Node;
use crate::hash::finish;
use crate::placement::walk::Walk;
use crate::scheme::{Bits, Boundary, Direction, RingSpec, Wrap};

/// A ring, built.
#[derive(Clone, Debug)]
pub(in crate::placement) struct Ring {
    spec: Arc<RingSpec>,
    sides: Sides,
}

#[derive(Clone, Debug)]
enum Sides {
    Narrow(View<u32>),
    Wide(View<u64>),
}

/// Runs one expression for either width.
macro_rules! either {
    ($sides:expr, $view:ident => $result:expr) => {
        match $sides {
            Sides::Narrow($view) => $result,
            Sides::Wide($view) => $result,
        }
    };
}

impl Ring {
    /// O(points).
    pub(in crate::placement) fn build(spec: &RingSpec, nodes: &[Node]) -> Self {
        let sides = match spec.bits {
            Bits::B32 => Sides::Narrow(View::build(spec, nodes)),
            Bits::B64 => Sides::Wide(View::build(spec, nodes)),
        };
        Self {
            spec: Arc::new(spec.clone()),
            sides,
        }
    }

    /// The same ring for other nodes; points of nodes that did not change are kept.
    pub(in crate::placement) fn over(&self, old: &[Node], new: &[Node]) -> Self {
        let spec = &*self.spec;
        // These have nothing to keep: a place or an arc depends on the neighbours.
        if spec.counts_places() || spec.direction == Direction::Nearest {
            return Self::build(spec, new);
        }
        let sides = match &self.sides {
            Sides::Narrow(view) => Sides::Narrow(view.over(spec, old, new)),
            Sides::Wide(view) => Sides::Wide(view.over(spec, old, new)),
        };
        Self {
            spec: Arc::clone(&self.spec),
            sides,
        }
    }

    pub(in crate::placement) fn spec(&self) -> &RingSpec {
        &self.spec
    }

    #[inline]
    pub(in crate::placement) fn hash_of(&self, part: &[u8]) -> u64 {
        let part = self.spec.tag.hashed_part(part);
        finish(self.spec.key_hash.of(part), &self.spec.key_steps)
    }

    #[inline]
    pub(in crate::placement) fn node_of(&self, part: &[u8]) -> u16 {
        self.owner_at(self.hash_of(part))
    }

    /// The owner of a hash.
    #[inline]
    pub(in crate::placement) fn owner_at(&self, hash: u64) -> u16 {
        either!(&self.sides, view => view.owner(hash))
    }

    pub(in crate::placement) fn walk(&self, part: &[u8]) -> Walk<'_> {
        let hash = self.hash_of(part);
        either!(&self.sides, view => Walk::of(std::iter::once(view.owner(hash)).chain(view.owners_from(hash))))
    }

    /// The hash space cut where the owner changes: the last hash of each segment, ascending, with its owner. The last segment ends with
    /// the greatest hash that a key can have, which is less than the circle for a hash of few bits.
    pub(in crate::placement) fn segments(&self) -> Vec<(u64, u16)> {
        let last = u64::MAX >> (64 - self.spec.key_bits());
        let mut ends = either!(&self.sides, view => view.ends());
        ends.retain(|&end| end < last);
        ends.push(last);
        ends.sort_unstable();
        ends.dedup();
        ends.into_iter()
            .map(|end| (end, self.owner_at(end)))
            .collect()
    }

    /// Memory of the look-up structure, in bytes, and the number of its points.
    pub(in crate::placement) fn size(&self) -> (usize, usize) {
        either!(&self.sides, view => (view.circle.bytes(), view.circle.positions().len()))
    }
}

/// A circle, and how a hash becomes a value on it.
#[derive(Clone, Debug)]
struct View<P> {
    circle: Circle<P>,
    /// Mirrored, because the ring looks down.
    down: bool,
    boundary: Boundary,
    /// The last position, if what is beyond it stays with it.
    stay: Option<P>,
}

impl<P: Position> View<P> {
    fn build(spec: &RingSpec, nodes: &[Node]) -> Self {
        let order = claim_order(spec, nodes);
        let digests = spec.digests_of(nodes);
        let mut points =
            Vec::with_capacity(digests.iter().sum::<u64>() as usize * usize::from(spec.per_digest));
        for (&index, rank) in order.iter().zip(0..) {
            collect(spec, nodes, &digests, (index, rank), &mut points);
        }
        sort(&mut points);
        if spec.direction == Direction::Nearest {
            points = arc_ends(&points);
        }
        Self::of(spec, &points, &order)
    }

    fn of(spec: &RingSpec, points: &[Point<P>], order: &[u16]) -> Self {
        let circle = Circle::new(points, order);
        let stay = match spec.wrap {
            Wrap::Around => None,
            Wrap::Stay => circle.positions().last().copied(),
        };
        Self {
            circle,
            down: spec.direction == Direction::Down,
            boundary: spec.boundary,
            stay,
        }
    }

    fn over(&self, spec: &RingSpec, old: &[Node], new: &[Node]) -> Self {
        let order = claim_order(spec, new);
        let mut ranks = vec![0_u16; new.len()];
        for (&index, rank) in order.iter().zip(0..) {
            ranks[usize::from(index)] = rank;
        }
        let counts = spec.digests_of(new);
        let (kept, fresh) = matched(old, &spec.digests_of(old), new, &counts);
        let mut points: Vec<Point<P>> = Vec::new();
        for index in fresh {
            collect(
                spec,
                new,
                &counts,
                (index, ranks[usize::from(index)]),
                &mut points,
            );
        }
        sort(&mut points);
        let kept: Vec<Option<u16>> = kept
            .into_iter()
            .map(|index| index.map(|index| ranks[usize::from(index)]))
            .collect();
        let stayed = self.circle.positions().iter().zip(self.circle.owners());
        let mut stayed: Vec<Point<P>> = stayed
            .filter_map(|(&position, &owner)| Some((position, kept[usize::from(owner)]?)))
            .collect();
        // Ranks keep their order among those who stay, but for labels that changed places with their addresses.
        if !stayed.is_sorted() {
            sort(&mut stayed);
        }
        Self::of(spec, &merge(&stayed, &points), &order)
    }

    /// The value whose next position at or after it decides.
    #[inline]
    fn value(&self, hash: u64) -> P {
        let mut value = P::from_hash(hash);
        if self.down {
            value = value.mirrored();
        }
        if self.boundary != Boundary::AtOrAfter && (self.stay.is_none() || value != P::MAX) {
            value = value.next();
        }
        match self.stay {
            Some(last) => value.min(last),
            None => value,
        }
    }

    #[inline]
    fn owner(&self, hash: u64) -> u16 {
        if self.boundary == Boundary::First
            && self
                .circle
                .positions()
                .binary_search(&P::from_hash(hash))
                .is_ok()
        {
            return self.circle.owners()[0];
        }
        self.circle.owner(self.value(hash))
    }

    fn owners_from(&self, hash: u64) -> impl Iterator<Item = u16> {
        self.circle
            .owners_from(self.circle.locate(self.value(hash)))
    }

    /// The last hashes before the owner may change, in no order.
    fn ends(&self) -> Vec<u64> {
        let hash = |position: &P| {
            if self.down {
                position.mirrored()
            } else {
                *position
            }
            .to_u64()
        };
        // A ring that looks up ends an arc with its point, one that looks down begins an arc with it. A point that does not own its own
        // position moves the end by one; a point that owns nothing else has an end on both sides.
        let before =
            self.down == (self.boundary == Boundary::AtOrAfter) || self.boundary == Boundary::First;
        let at = !before || self.boundary == Boundary::First;
        let hashes = self.circle.positions().iter().map(hash);
        let ends = hashes.flat_map(|end| {
            [
                before.then(|| end.checked_sub(1)).flatten(),
                at.then_some(end),
            ]
        });
        ends.flatten().collect()
    }
}

/// Adds one node's points.
fn collect<P: Position>(
    spec: &RingSpec,
    nodes: &[Node],
    digests: &[u64],
    (index, rank): (u16, u16),
    points: &mut Vec<Point<P>>,
) {
    let place = usize::from(index);
    let down = spec.direction == Direction::Down;
    each_point(spec, &nodes[place], index, digests[place], |position: P| {
        points.push((if down { position.mirrored() } else { position }, rank));
    });
}

/// For each old node its new index, if its points are the same; and the new nodes whose points have to be made.
fn matched(
    old: &[Node],
    old_counts: &[u64],
    new: &[Node],
    counts: &[u64],
) -> (Vec<Option<u16>>, Vec<u16>) {
    let mut by_name: std::collections::HashMap<&str, u16> = (0..)
        .zip(new)
        .map(|(index, node)| (node.name.as_str(), index))
        .collect();
    let same = |(node, count): (&Node, &u64)| {
        let index = *by_name.get(node.name.as_str())?;
        let place = usize::from(index);
        if new[place].address != node.address || counts[place] != *count {
            return None;
        }
        by_name.remove(node.name.as_str())
    };
    let kept = old.iter().zip(old_counts).map(same).collect();
    let mut fresh: Vec<u16> = by_name.into_values().collect();
    fresh.sort_unstable();
    (kept, fresh)
}

/// The ends of the arcs of a ring that takes the nearest point: half of the way to the next one.
fn arc_ends<P: Position>(points: &[Point<P>]) -> Vec<Point<P>> {
    let next = points.iter().skip(1).chain(points.first());
    let mut ends: Vec<Point<P>> = points
        .iter()
        .zip(next)
        .map(|(&(position, rank), &(next, _))| (position.middle(next), rank))
        .collect();
    ends.sort_unstable();
    ends
}
