//! spymemcached.

use super::Preset;
use super::libmemcached::ketama;
use crate::hash::Hash;
use crate::scheme::{Collision, Count, Fill, Label, ModuloSpec, RingSpec};

const VERSION: &str = "spymemcached 2.12.3";

/// `DefaultHashAlgorithm`.
const HASHES: [(&str, Hash); 7] = [
    ("ketama", Hash::Md5),
    ("native", Hash::Java31),
    ("crc", Hash::Crc32Fold),
    ("fnv1_32", Hash::Fnv1x32Utf16),
    ("fnv1a_32", Hash::Fnv1ax32Utf16),
    ("fnv1_64", Hash::Fnv1x64Utf16),
    ("fnv1a_64", Hash::Fnv1ax64Utf16),
];

/// Only MD5 yields four points at once.
fn locator(hash: Hash) -> RingSpec {
    RingSpec {
        point_hash: hash,
        per_digest: if hash == Hash::Md5 { 4 } else { 1 },
        label: Label::Spymemcached,
        count: Count::Fixed,
        zero_is_one: false,
        collision: Collision::LastListed,
        ..ketama(hash)
    }
}

pub(super) fn presets() -> Vec<Preset> {
    let both = HASHES.into_iter().flat_map(|(variant, hash)| {
        [
            Preset::ring(
                format!("spymemcached-ketama/{variant}"),
                format!("spymemcached's KetamaNodeLocator with {}_HASH", variant.to_uppercase()),
                locator(hash),
            )
            .quirks(
                "Weights are ignored. A node given by name is hashed as Java prints it before it is resolved: \
                 host/<unresolved>:port; older versions of Java print host:port.",
            ),
            Preset::modulo(
                format!("spymemcached-arraymod/{variant}"),
                format!("spymemcached's ArrayModNodeLocator with {}_HASH", variant.to_uppercase()),
                ModuloSpec { hash, fill: Fill::PerNode, ..ModuloSpec::default() },
            )
            .quirks("Weights are ignored; the order of the list counts."),
        ]
    });
    let weighted = Preset::ring(
        "spymemcached-ketama-weighted",
        "spymemcached's KetamaNodeLocator with weights",
        RingSpec { count: Count::ShareF32, ..locator(Hash::Md5) },
    )
    .quirks(
        "Points depend on the total weight and the number of nodes, in 32-bit floats, so a change moves keys between \
         other nodes too.",
    );
    both.chain([weighted])
        .map(|preset| preset.version(VERSION))
        .collect()
}
