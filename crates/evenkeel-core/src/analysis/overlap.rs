//! The measure of the values that one division gives to one node and another division to another.

use std::collections::HashMap;

use super::division::{Division, Parts};

/// Values by (owner in the one, owner in the other).
pub(super) type Overlaps = HashMap<(u16, u16), u128>;

/// Beyond so many pairs of remainders the exact count takes too long.
const MOST_PAIRS: u128 = 1 << 26;

/// Exact, for two divisions of the same values; nothing if it would take too long. O(segments), O(segments * buckets) or O(buckets^2).
pub(super) fn overlaps(a: &Division, b: &Division) -> Option<Overlaps> {
    let mut sums = Sums::default();
    match (&a.parts, &b.parts) {
        (Parts::Segments(x), Parts::Segments(y)) => merge(x, y, &mut sums),
        (Parts::Segments(x), Parts::Residues(y)) => {
            each_residue(x, y, |s, r, n| sums.add(s, r, n))?
        }
        (Parts::Residues(x), Parts::Segments(y)) => {
            each_residue(y, x, |s, r, n| sums.add(r, s, n))?
        }
        (Parts::Residues(x), Parts::Residues(y)) => pairs(x, y, a.values(), &mut sums)?,
    }
    Some(sums.all)
}

/// Sums that are mostly added to the same pair as just before.
#[derive(Default)]
struct Sums {
    all: Overlaps,
}

impl Sums {
    fn add(&mut self, from: u16, to: u16, values: u128) {
        *self.all.entry((from, to)).or_insert(0) += values;
    }
}

/// Between two neighbouring ends of either list both owners stay the same.
fn merge(x: &[(u64, u16)], y: &[(u64, u16)], sums: &mut Sums) {
    let (mut i, mut j, mut start) = (0, 0, 0_u128);
    while let (Some(&(end_x, from)), Some(&(end_y, to))) = (x.get(i), y.get(j)) {
        let next = u128::from(end_x.min(end_y)) + 1;
        sums.add(from, to, next - start);
        start = next;
        i += usize::from(end_x <= end_y);
        j += usize::from(end_y <= end_x);
    }
}

/// For each segment, how many of its values have each remainder.
fn each_residue(
    segments: &[(u64, u16)],
    owners: &[u16],
    mut add: impl FnMut(u16, u16, u128),
) -> Option<()> {
    let count = owners.len() as u128;
    if segments.len() as u128 * count > MOST_PAIRS * 4 {
        return None;
    }
    let mut start = 0_u128;
    for &(end, owner) in segments {
        let next = u128::from(end) + 1;
        let (whole, rest) = ((next - start) / count, (next - start) % count);
        let first = start % count;
        for (residue, &other) in (0..).zip(owners) {
            // The values left over after whole rounds have the remainders from the first one on.
            let extra = u128::from((residue + count - first) % count < rest);
            if whole + extra > 0 {
                add(owner, other, whole + extra);
            }
        }
        start = next;
    }
    Some(())
}

/// Remainders by two moduli repeat after their least common multiple.
fn pairs(x: &[u16], y: &[u16], values: u128, sums: &mut Sums) -> Option<()> {
    let (n, m) = (x.len(), y.len());
    let period = (n / gcd(n, m)) as u128 * m as u128;
    if period > MOST_PAIRS {
        return None;
    }
    let (rounds, rest) = (values / period, values % period);
    let both = x.iter().cycle().zip(y.iter().cycle());
    for ((&from, &to), value) in both.zip(0..period) {
        sums.add(from, to, rounds + u128::from(value < rest));
    }
    Some(())
}

pub(super) fn gcd(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd(b, a % b) }
}
