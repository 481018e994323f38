//! libmemcached 1.1.4 and the clients that are built on it.

use super::Preset;
use crate::hash::Hash;
use crate::scheme::{Bits, Collision, Count, Fill, Label, ModuloSpec, Recipe, RingSpec};

const VERSION: &str = "libmemcached 1.1.4";

/// libmemcached's names of its hash functions.
pub(super) const HASHES: [(&str, Hash); 10] = [
    ("default", Hash::OneAtATimeSigned),
    ("md5", Hash::Md5),
    ("crc", Hash::Crc32Fold),
    ("fnv1_64", Hash::Fnv1x64Signed),
    ("fnv1a_64", Hash::Fnv1ax64Signed),
    ("fnv1_32", Hash::Fnv1x32Signed),
    ("fnv1a_32", Hash::Fnv1ax32Signed),
    ("murmur", Hash::Murmur2),
    ("murmur3", Hash::Murmur3Length),
    ("jenkins", Hash::Jenkins),
];

/// Points from four words of each MD5, as many as the share of the weight asks for.
pub(super) fn ketama(key_hash: Hash) -> RingSpec {
    RingSpec {
        bits: Bits::B32,
        key_hash,
        point_hash: Hash::Md5,
        per_digest: 4,
        label: Label::HostPortUnlessDefault,
        count: Count::ShareF32,
        zero_is_one: true,
        collision: Collision::FirstListed,
        ..RingSpec::default()
    }
}

/// 100 points for each server, hashed as keys are.
fn consistent(hash: Hash) -> RingSpec {
    RingSpec {
        point_hash: hash,
        per_digest: 1,
        points: 100,
        count: Count::Fixed,
        ..ketama(hash)
    }
}

fn modula(hash: Hash) -> ModuloSpec {
    ModuloSpec {
        hash,
        fill: Fill::PerNode,
        zero_is_one: true,
        ..ModuloSpec::default()
    }
}

pub(super) fn add(presets: &mut Vec<Preset>) {
    for (variant, hash) in HASHES {
        presets.push(Preset {
            name: format!("libmemcached-modula/{variant}"),
            about: format!("libmemcached, MODULA distribution, keys hashed with {variant}"),
            version: VERSION,
            quirks: "Weights are ignored.",
            recipe: Recipe::Modulo(modula(hash)),
            takes_points: false,
            takes_label: false,
        });
        presets.push(ring(format!("libmemcached-consistent/{variant}"), format!("libmemcached, CONSISTENT or KETAMA distribution (the same ring), keys hashed with {variant}"), "100 points for each server, hashed like keys and not with MD5; weights are ignored.", consistent(hash)));
        presets.push(ring(
            format!("libmemcached-ketama-weighted/{variant}"),
            format!("libmemcached, KETAMA_WEIGHTED, then keys hashed with {variant}"),
            "",
            ketama(hash),
        ));
    }
}

fn ring(name: String, about: String, quirks: &'static str, spec: RingSpec) -> Preset {
    Preset {
        name,
        about,
        version: VERSION,
        quirks,
        recipe: Recipe::Ring(spec),
        takes_points: true,
        takes_label: true,
    }
}
