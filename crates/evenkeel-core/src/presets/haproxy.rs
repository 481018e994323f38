//! HAProxy's hash-type.

use super::Preset;
use crate::hash::{Hash, Step};
use crate::scheme::{Bits, Collision, Count, Direction, Fill, Generator, ModuloSpec, RingSpec};

const VERSION: &str = "HAProxy 2.6.12";

const CONSISTENT: &str = "Only a server's place in the list counts, neither its name nor its address: a removal \
    from the middle renumbers the rest. The nearest point owns a key, not the next one.";

const MAP: &str = "The order of the list counts; a change moves nearly all keys.";

fn ring(hash: Hash, steps: &[Step]) -> RingSpec {
    RingSpec {
        bits: Bits::B32,
        key_hash: hash,
        key_steps: steps.to_vec(),
        generator: Generator::Place,
        points: 16,
        count: Count::PerWeightOrNone,
        whole_weights: true,
        direction: Direction::Nearest,
        collision: Collision::FirstListed,
        ..RingSpec::default()
    }
}

fn map(hash: Hash, steps: &[Step]) -> ModuloSpec {
    ModuloSpec {
        hash,
        steps: steps.to_vec(),
        fill: Fill::SmoothRoundRobin,
        ..ModuloSpec::default()
    }
}

pub(super) fn presets() -> Vec<Preset> {
    let functions = [
        ("sdbm", Hash::Sdbm),
        ("djb2", Hash::Djb2),
        ("wt6", Hash::Wt6),
        ("crc32", Hash::Crc32),
    ];
    let mut presets = Vec::new();
    for (function, hash) in functions {
        for (modifier, suffix, steps) in [
            ("", "", &[][..]),
            (" avalanche", "-avalanche", &[Step::Avalanche][..]),
        ] {
            presets.push(
                Preset::ring(
                    format!("haproxy-consistent/{function}{suffix}"),
                    format!("HAProxy, hash-type consistent {function}{modifier}"),
                    ring(hash, steps),
                )
                .quirks(CONSISTENT),
            );
            presets.push(
                Preset::modulo(
                    format!("haproxy-map/{function}{suffix}"),
                    format!("HAProxy, hash-type map-based {function}{modifier}"),
                    map(hash, steps),
                )
                .quirks(MAP),
            );
        }
    }
    presets.push(
        Preset::ring(
            "haproxy-consistent",
            "HAProxy, hash-type consistent, which means sdbm avalanche",
            ring(Hash::Sdbm, &[Step::Avalanche]),
        )
        .quirks(CONSISTENT),
    );
    presets.push(
        Preset::modulo(
            "haproxy-map",
            "HAProxy, hash-type map-based or none, which means sdbm",
            map(Hash::Sdbm, &[]),
        )
        .quirks(MAP),
    );
    presets
        .into_iter()
        .map(|preset| preset.version(VERSION))
        .collect()
}
