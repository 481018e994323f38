//! flexihash, the PHP class.

use super::Preset;
use crate::hash::Hash;
use crate::scheme::{Bits, Boundary, Collision, Count, Label, RingSpec};

fn ring(hash: Hash) -> RingSpec {
    RingSpec {
        bits: Bits::B32,
        key_hash: hash,
        point_hash: hash,
        label: Label::HostPort,
        template: "{node}{i}".to_owned(),
        points: 64,
        count: Count::PerWeightOrNone,
        boundary: Boundary::First,
        collision: Collision::LastListed,
        ..RingSpec::default()
    }
}

pub(super) fn presets() -> Vec<Preset> {
    let preset = |variant, hash| {
        Preset::ring(
            format!("flexihash/{variant}"),
            format!("flexihash with its {variant} hasher, 64 points for each unit of weight"),
            ring(hash),
        )
        .version("git 8403c28 (2021)")
        .quirks(
            "A key whose hash is exactly a point belongs to the first point of the ring. The md5 hasher \
             is reproduced with positions as integers, as this version sorts them.",
        )
    };
    vec![preset("crc32", Hash::Crc32), preset("md5", Hash::Md5Be32)]
}
