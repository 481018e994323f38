//! Hash, reduce, and look into a short table.

use super::ring::Ring;
use super::walk::{Walk, measures};
use crate::analysis::Parts;
use crate::hash::finish;
use crate::scheme::{Fill, ModuloSpec, Order, Reduce, Retry, effective};
use crate::{Node, Weight};

/// The node of each bucket.
#[derive(Clone, Debug)]
pub(super) struct Buckets {
    spec: ModuloSpec,
    owners: Box<[u16]>,
    /// Everybody with a bucket, in the order of the list.
    listed: Box<[u16]>,
}

impl Buckets {
    pub(super) fn build(spec: &ModuloSpec, nodes: &[Node]) -> Self {
        let counted = in_order(spec, nodes);
        let owners: Vec<u16> = match &spec.fill {
            Fill::PerNode => counted.iter().map(|&(index, _)| index).collect(),
            Fill::ByWeight => copies(&counted),
            Fill::SmoothRoundRobin => smooth_round_robin(&counted),
            Fill::RingSamples {
                ring,
                buckets,
                step,
            } => {
                let ring = Ring::build(ring, nodes);
                (0..*buckets)
                    .map(|i| ring.owner_at(u64::from(i) * u64::from(*step)))
                    .collect()
            }
        };
        let mut listed = owners.clone();
        listed.sort_unstable();
        listed.dedup();
        Self {
            spec: spec.clone(),
            owners: owners.into(),
            listed: listed.into(),
        }
    }

    pub(super) fn hash_of(&self, part: &[u8]) -> u64 {
        finish(
            self.spec.hash.of(self.spec.tag.hashed_part(part)),
            &self.spec.steps,
        )
    }

    fn bucket(&self, hash: u64) -> usize {
        let count = self.owners.len() as u64;
        let range = |hash: u64| {
            (u128::from(hash) * u128::from(count) / 0xffff_ffff).min(u128::from(count - 1)) as usize
        };
        match self.spec.reduce {
            Reduce::Remainder => (hash % count) as usize,
            Reduce::Range => range(hash),
            Reduce::RangeInverted => range(hash ^ 0xffff_ffff),
        }
    }

    pub(super) fn spec(&self) -> &ModuloSpec {
        &self.spec
    }

    /// The owner of each bucket.
    pub(super) fn owners(&self) -> &[u16] {
        &self.owners
    }

    /// Which hashes each bucket has.
    pub(super) fn parts(&self) -> Parts {
        let last = u64::MAX >> (64 - self.spec.key_bits());
        if self.spec.reduce == Reduce::Remainder {
            return Parts::Residues(self.owners.to_vec());
        }
        // A range goes up, or down if it is inverted; the last hash of bucket b is the last h with h * count / (2^32 - 1) = b.
        let count = self.owners.len() as u128;
        let end = |bucket: u128| (((bucket + 1) * 0xffff_ffff - 1) / count) as u64;
        let mut ends: Vec<u64> = (0..count).map(end).collect();
        if self.spec.reduce == Reduce::RangeInverted {
            ends = ends
                .into_iter()
                .map(|end| (end ^ 0xffff_ffff).wrapping_sub(1))
                .collect();
        }
        ends.retain(|&end| end < last);
        ends.push(last);
        ends.sort_unstable();
        ends.dedup();
        Parts::Segments(
            ends.into_iter()
                .map(|end| (end, self.owners[self.bucket(end)]))
                .collect(),
        )
    }

    pub(super) fn node_of(&self, part: &[u8]) -> u16 {
        self.owners[self.bucket(self.hash_of(part))]
    }

    pub(super) fn walk(&self, part: &[u8]) -> Walk<'_> {
        match self.spec.retry {
            Retry::NextBucket => {
                let (before, after) = self.owners.split_at(self.bucket(self.hash_of(part)));
                Walk::of(after.iter().chain(before).copied())
            }
            Retry::Rehash => Walk::of(
                self.tries(part)
                    .into_iter()
                    .chain(self.listed.iter().copied()),
            ),
        }
    }

    /// nginx's tries: the sum of the hashes of `key`, `1key`, `2key` and so on.
    fn tries(&self, part: &[u8]) -> Vec<u16> {
        const TRIES: u32 = 20;
        let mut sum = 0_u64;
        let attempt = |number: u32| {
            let text = if number == 0 {
                part.to_vec()
            } else {
                [number.to_string().as_bytes(), part].concat()
            };
            sum += self.hash_of(&text);
            self.owners[self.bucket(sum & 0xffff_ffff)]
        };
        (0..=TRIES).map(attempt).collect()
    }

    /// Exact: a hash whose values are no multiple of the buckets favours the first buckets a little, and one of few bits may leave
    /// buckets without a key.
    pub(super) fn shares(&self, nodes: usize) -> Vec<f64> {
        match self.parts() {
            Parts::Segments(segments) => measures(&segments, nodes),
            Parts::Residues(owners) => {
                let (values, count) = (1_u128 << self.spec.key_bits(), owners.len() as u128);
                let mut shares = vec![0.0; nodes];
                for (residue, owner) in (0..).zip(owners) {
                    let hits = values / count + u128::from(residue < values % count);
                    shares[usize::from(owner)] += hits as f64 / values as f64;
                }
                shares
            }
        }
    }
}

/// The nodes that have a weight, in the order in which they fill buckets.
fn in_order(spec: &ModuloSpec, nodes: &[Node]) -> Vec<(u16, Weight)> {
    let mut order: Vec<(u16, &Node)> = (0..).zip(nodes).collect();
    if spec.order == Order::ShortestLabel {
        order.sort_by_key(|(_, node)| {
            let label = spec.label.of(node);
            (label.len(), label)
        });
    }
    let weights = order
        .into_iter()
        .map(|(index, node)| (index, effective(node.weight, spec.zero_is_one)));
    weights.filter(|(_, weight)| !weight.is_zero()).collect()
}

fn copies(counted: &[(u16, Weight)]) -> Vec<u16> {
    let units = |weight: Weight| weight.units().unwrap_or(0) as usize;
    counted
        .iter()
        .flat_map(|&(index, weight)| std::iter::repeat_n(index, units(weight)))
        .collect()
}

/// HAProxy's `map-based`: in each step every score grows by the weight, and the first server with the greatest whole number of totals,
/// rounded up, has the bucket and pays for it.
fn smooth_round_robin(counted: &[(u16, Weight)]) -> Vec<u16> {
    let units = counted
        .iter()
        .map(|(_, weight)| i64::from(weight.units().unwrap_or(0)));
    let divisor = units.clone().fold(0, gcd).max(1);
    let weights: Vec<i64> = units.map(|weight| weight / divisor).collect();
    let total: i64 = weights.iter().sum();
    let mut scores = vec![0_i64; weights.len()];
    let mut owners = Vec::with_capacity(total as usize);
    for _ in 0..total {
        let mut best = 0;
        let mut most = 0;
        for (place, (score, weight)) in scores.iter_mut().zip(&weights).enumerate() {
            *score += weight;
            let turns = (*score + total) / total;
            if turns > most {
                (best, most) = (place, turns);
            }
        }
        scores[best] -= total;
        owners.push(counted[best].0);
    }
    owners
}

fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { gcd(b, a % b) }
}
