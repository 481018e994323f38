//! nginx's upstream hash, and pingora-ketama, which is the same ring.

use super::Preset;
use crate::hash::Hash;
use crate::scheme::{Bits, Collision, Count, Generator, ModuloSpec, Retry, RingSpec};

/// Points that are each the CRC of the one before.
pub(super) fn chained() -> RingSpec {
    RingSpec {
        bits: Bits::B32,
        key_hash: Hash::Crc32,
        generator: Generator::Chained,
        count: Count::PerWeightOrNone,
        whole_weights: true,
        collision: Collision::FirstListed,
        ..RingSpec::default()
    }
}

pub(super) fn presets() -> Vec<Preset> {
    let hash = ModuloSpec {
        hash: Hash::Crc32Fold,
        retry: Retry::Rehash,
        ..ModuloSpec::default()
    };
    vec![
        Preset::ring(
            "nginx-consistent",
            "nginx, hash KEY consistent; pingora-ketama; Cache::Memcached::Fast with 160 points",
            chained(),
        )
        .version("nginx 1.22.1; pingora-ketama 0.9.1")
        .quirks(
            "160 points for each unit of weight. Hashed are host and port as written in the server line. \
             pingora leaves open which of two servers keeps a point that both have; this keeps nginx's \
             choice, the first in the file.",
        ),
        Preset::modulo("nginx-hash", "nginx, hash KEY without consistent", hash)
            .version("nginx 1.22.1")
            .quirks("15 bits of the CRC-32; the order of the list counts."),
    ]
}
