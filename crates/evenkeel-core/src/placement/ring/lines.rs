//! The index that makes a look-up one cache line.
//!
//! The circle is cut into equal parts, seven points to a part on average. Each part has a line of 64 bytes: where its points are,
//! 16 bits each, and their owners. Points of a good hash are spread evenly, so a part seldom overflows; when it does, or when 16 bits do
//! not tell a value from a point, the sorted positions decide.

use super::position::Position;

/// Points in a line; the last lane is the first owner of the part that follows.
const LANES: usize = 16;

/// Points to a part on average: more overflow more often, fewer cost memory.
const LOAD: usize = 7;

/// No owner has this index.
const UNKNOWN: u16 = u16::MAX;

/// One part of the circle, in one cache line.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
struct Line {
    /// The positions within the part, offset so that signed comparison orders them: that is the only one that SSE2 has. Ascending;
    /// unused lanes hold the greatest value.
    splits: [i16; LANES],
    /// `owners[i]` owns what lies after split `i - 1` up to split `i`.
    owners: [u16; LANES],
}

/// A line for each part.
#[derive(Clone, Debug)]
pub(super) struct Lines(Box<[Line]>);

/// Unsigned order as signed order.
fn offset(low: u16) -> i16 {
    (low ^ 0x8000).cast_signed()
}

impl Lines {
    /// O(points). `owners` has the owner of each position.
    pub(super) fn new<P: Position>(positions: &[P], owners: &[u16]) -> Self {
        let count = positions.len().div_ceil(LOAD).max(1) as u32;
        let mut next = 0;
        let line = |part: u32| {
            let start = next;
            while positions
                .get(next)
                .is_some_and(|position| position.part(count).0 == part)
            {
                next += 1;
            }
            let after = owners
                .get(next)
                .or(owners.first())
                .copied()
                .unwrap_or(UNKNOWN);
            Line::new(&positions[start..next], &owners[start..next], after, count)
        };
        Self((0..count).map(line).collect())
    }

    /// The owner of a value, unless the line cannot tell.
    #[inline]
    pub(super) fn owner<P: Position>(&self, value: P) -> Option<u16> {
        let (part, low) = value.part(self.0.len() as u32);
        let line = self.0.get(part as usize)?;
        let low = offset(low);
        // Two sums over all lanes, which compilers turn into a handful of vector instructions.
        let mut below = 0_i16;
        let mut equal = 0_i16;
        for split in line.splits {
            below += i16::from(split < low);
            equal |= i16::from(split == low);
        }
        let owner = line.owners[usize::from(below.cast_unsigned()) % LANES];
        (owner != UNKNOWN && equal == 0).then_some(owner)
    }

    /// Memory in bytes.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(&*self.0)
    }
}

impl Line {
    fn new<P: Position>(positions: &[P], owners: &[u16], after: u16, count: u32) -> Self {
        let mut line = Self {
            splits: [i16::MAX; LANES],
            owners: [UNKNOWN; LANES],
        };
        if positions.len() < LANES {
            for (lane, position) in line.splits.iter_mut().zip(positions) {
                *lane = offset(position.part(count).1);
            }
            line.owners[..owners.len()].copy_from_slice(owners);
            line.owners[owners.len()] = after;
        }
        line
    }
}
