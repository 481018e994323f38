//! Perl's clients.

use super::Preset;
use super::nginx::chained;
use crate::hash::Hash;
use crate::scheme::{Count, ModuloSpec, RingSpec};

pub(super) fn presets() -> Vec<Preset> {
    let mc = ModuloSpec {
        hash: Hash::Crc32Fold,
        ..ModuloSpec::default()
    };
    let ring = RingSpec {
        count: Count::PerWeightF64,
        whole_weights: false,
        ..chained()
    };
    vec![
        Preset::modulo("perl-cache-memcached", "Cache::Memcached", mc.clone())
            .version("Cache::Memcached 1.30")
            .quirks("15 bits of the CRC-32; the order of the list counts."),
        Preset::modulo(
            "perl-cache-memcached-fast",
            "Cache::Memcached::Fast; the points are its ketama_points, and without them there is no ring",
            mc,
        )
        .with_points(ring)
        .version("Cache::Memcached::Fast 0.28")
        .quirks(
            "Without points the order of the list counts, and fractions of a weight are refused: the original \
             takes them, but where its continuum is cut was not seen. A namespace is not hashed unless \
             hash_namespace is set.",
        ),
    ]
}
