//! The PHP extension memcache (not memcached).

use super::Preset;
use crate::hash::{Hash, Step};
use crate::scheme::{Bits, Collision, Count, Fill, Label, ModuloSpec, RingSpec};

const VERSION: &str = "pecl memcache 4.0.5.2";

/// The ring is asked once for each of its 1,024 buckets.
const BUCKETS: u32 = 1_024;
const STEP: u32 = u32::MAX / BUCKETS;

fn consistent(hash: Hash) -> ModuloSpec {
    let ring = RingSpec {
        bits: Bits::B32,
        key_hash: hash,
        point_hash: hash,
        label: Label::HostPort,
        count: Count::PerWeightOrNone,
        whole_weights: true,
        collision: Collision::FirstListed,
        ..RingSpec::default()
    };
    let fill = Fill::RingSamples {
        ring: Box::new(ring),
        buckets: BUCKETS,
        step: STEP,
    };
    ModuloSpec {
        hash,
        fill,
        ..ModuloSpec::default()
    }
}

fn standard(hash: Hash) -> ModuloSpec {
    ModuloSpec {
        hash,
        steps: vec![Step::Fold15, Step::ZeroAsOne],
        ..ModuloSpec::default()
    }
}

pub(super) fn presets() -> Vec<Preset> {
    let functions = [("crc32", Hash::Crc32), ("fnv", Hash::Fnv1ax32Signed)];
    let both = functions.into_iter().flat_map(|(function, hash)| {
        [
            Preset::modulo(
                format!("pecl-memcache-standard/{function}"),
                format!("memcache.hash_strategy = standard, hash_function = {function}"),
                standard(hash),
            )
            .quirks("15 bits of the hash, and 1 in place of 0; the order of the list counts."),
            Preset::modulo(
                format!("pecl-memcache-consistent/{function}"),
                format!("memcache.hash_strategy = consistent, hash_function = {function}"),
                consistent(hash),
            )
            .quirks("1,024 buckets stand for the ring, so shares are coarse with many servers."),
        ]
    });
    both.map(|preset| preset.version(VERSION)).collect()
}
