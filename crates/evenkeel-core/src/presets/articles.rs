//! The classes of four articles on consistent hashing for PHP developers.

use super::Preset;
use crate::hash::Hash;
use crate::scheme::{
    Bits, Boundary, Collision, Count, Direction, Fill, Label, ModuloSpec, RingSpec, Wrap,
};

const VERSION: &str = "the articles' code under PHP 8.2";

fn ring(hash: Hash) -> RingSpec {
    RingSpec {
        bits: Bits::B32,
        key_hash: hash,
        point_hash: hash,
        label: Label::HostPort,
        count: Count::Fixed,
        collision: Collision::LastListed,
        ..RingSpec::default()
    }
}

fn md5_crc32() -> RingSpec {
    RingSpec {
        points: 5,
        ..ring(Hash::Crc32OfMd5Hex)
    }
}

fn unit_circle() -> RingSpec {
    RingSpec {
        points: 1,
        template: "{node}".to_owned(),
        boundary: Boundary::StrictlyAfter,
        collision: Collision::ByLabel,
        ..ring(Hash::Crc32)
    }
}

fn unit_circle_160() -> RingSpec {
    RingSpec {
        points: 160,
        template: "{node}.{i}".to_owned(),
        first_index: 1,
        ..unit_circle()
    }
}

fn times31() -> RingSpec {
    RingSpec {
        points: 1,
        template: "{node}".to_owned(),
        direction: Direction::Down,
        wrap: Wrap::Stay,
        collision: Collision::FirstListed,
        ..ring(Hash::Times31)
    }
}

fn crc32_64() -> RingSpec {
    RingSpec {
        points: 64,
        template: "{node}:{i}".to_owned(),
        count: Count::PerWeightOrNone,
        whole_weights: true,
        ..ring(Hash::Crc32)
    }
}

fn modulo(hash: Hash) -> ModuloSpec {
    ModuloSpec {
        hash,
        fill: Fill::PerNode,
        ..ModuloSpec::default()
    }
}

pub(super) fn presets() -> Vec<Preset> {
    vec![
        Preset::ring(
            "article-md5-crc32",
            "ring of crc32(md5(s)) with 5 virtual nodes \"node-i\"",
            md5_crc32(),
        )
        .quirks("Weights are ignored."),
        Preset::ring(
            "article-unit-circle",
            "unit circle of crc32 / 2^32, one point for each node",
            unit_circle(),
        )
        .quirks("A key at a point belongs to the next one. Weights are ignored."),
        Preset::ring(
            "article-unit-circle-160",
            "unit circle of crc32 / 2^32 with 160 virtual nodes \"node.i\", i from 1",
            unit_circle_160(),
        )
        .quirks("A key at a point belongs to the next one. Weights are ignored."),
        Preset::ring(
            "article-times31",
            "ring of the times-31 hash of md5, walked downwards, one point for each node",
            times31(),
        )
        .quirks("A hash below all points belongs to the lowest one: there is no true wrap. Weights are ignored."),
        Preset::modulo(
            "article-times31-modulo",
            "the times-31 hash of md5, modulo the number of nodes",
            modulo(Hash::Times31),
        )
        .quirks("Weights are ignored; the order of the list counts."),
        Preset::ring(
            "article-crc32-64",
            "ring of crc32 with 64 points \"node:i\" for each unit of weight",
            crc32_64(),
        )
        .quirks("CRC-32 is linear, so names that differ in a digit have points in step and uneven shares."),
        Preset::modulo(
            "crc32-modulo",
            "crc32 modulo the number of nodes",
            modulo(Hash::Crc32),
        )
        .quirks("Weights are ignored; the order of the list counts; a change moves nearly all keys."),
    ]
    .into_iter()
    .map(|preset| preset.version(VERSION))
    .collect()
}
