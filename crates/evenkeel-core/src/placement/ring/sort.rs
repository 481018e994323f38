//! Sorting points: a stable radix sort on the top 32 bits, which for hashed positions leaves next to nothing to do.

use super::position::Position;

/// A point: its position and the rank of its node among those that may claim the same position.
pub(super) type Point<P> = (P, u16);

const DIGIT_BITS: u32 = 11;
const DIGITS: usize = 1 << DIGIT_BITS;
/// Below this many points a comparison sort wins.
const FEW: usize = 2_048;

/// Sorts by position, then by rank. O(points) for positions that differ in their top bits.
pub(super) fn sort<P: Position>(points: &mut Vec<Point<P>>) {
    if points.len() < FEW {
        points.sort_unstable();
        return;
    }
    let mut other = points.clone();
    for shift in [0, DIGIT_BITS, 2 * DIGIT_BITS] {
        scatter(points, &mut other, shift);
        std::mem::swap(points, &mut other);
    }
    for run in points.chunk_by_mut(|(a, _), (b, _)| a.top32() == b.top32()) {
        if run.len() > 1 {
            run.sort_unstable();
        }
    }
}

/// One pass: moves each point to the place that its digit has, equal digits in their present order.
fn scatter<P: Position>(from: &[Point<P>], to: &mut [Point<P>], shift: u32) {
    let digit = |position: P| (position.top32() >> shift) as usize % DIGITS;
    let mut starts = [0_u32; DIGITS];
    for &(position, _) in from {
        starts[digit(position)] += 1;
    }
    let mut sum = 0;
    for start in &mut starts {
        sum += std::mem::replace(start, sum);
    }
    for &point in from {
        let start = &mut starts[digit(point.0)];
        to[*start as usize] = point;
        *start += 1;
    }
}

/// Two sorted lists as one. O(points).
pub(super) fn merge<P: Position>(a: &[Point<P>], b: &[Point<P>]) -> Vec<Point<P>> {
    let mut merged = Vec::with_capacity(a.len() + b.len());
    let mut rest = a;
    for point in b {
        // New points are few, so the old ones between two of them are copied in one go.
        let before = rest.partition_point(|old| old < point);
        let (ahead, behind) = rest.split_at(before);
        merged.extend_from_slice(ahead);
        merged.push(*point);
        rest = behind;
    }
    merged.extend_from_slice(rest);
    merged
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn sorting_and_merging_equal_the_library_s_sort(
            a in prop::collection::vec((any::<u32>(), any::<u16>()), 0..5_000),
            b in prop::collection::vec((0_u64..50, any::<u16>()), 0..5_000),
            cut in 0_usize..5_000,
        ) {
            let mut sorted = a.clone();
            sort(&mut sorted);
            let mut expected = a;
            expected.sort_unstable();
            prop_assert_eq!(&sorted, &expected);
            let mut wide = b;
            let mut expected = wide.clone();
            expected.sort_unstable();
            let mut tail = wide.split_off(cut.min(wide.len()));
            sort(&mut wide);
            sort(&mut tail);
            prop_assert_eq!(merge(&wide, &tail), expected);
        }
    }
}
