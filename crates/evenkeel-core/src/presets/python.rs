//! Python's clients and rings.

use super::Preset;
use super::libmemcached::ketama;
use crate::hash::{Hash, Step};
use crate::scheme::{
    Bits, Boundary, Collision, Count, Label, ModuloSpec, RendezvousSpec, RingSpec, Text,
};

/// MD5 points by share of the weight, the key belongs to the next point strictly after it.
fn by_share(per_digest: u8) -> RingSpec {
    RingSpec {
        per_digest,
        points: 40 * u32::from(per_digest),
        label: Label::HostPort,
        count: Count::ShareExact,
        zero_is_one: false,
        boundary: Boundary::StrictlyAfter,
        collision: Collision::LastListed,
        ..ketama(Hash::Md5)
    }
}

fn uhashring() -> RingSpec {
    RingSpec {
        bits: Bits::B64,
        key_hash: Hash::Md5Be64,
        point_hash: Hash::Md5Be64,
        label: Label::HostPort,
        count: Count::PerWeightOrNone,
        whole_weights: true,
        boundary: Boundary::StrictlyAfter,
        collision: Collision::LastListed,
        ..RingSpec::default()
    }
}

const BY_SHARE: &str = "A key at a point belongs to the next one. Points depend on the total weight and the number \
    of nodes, so a change moves keys between other nodes too.";

const RENDEZVOUS: &str = "Weights are ignored. Each look-up hashes the key once for each node.";

pub(super) fn presets() -> Vec<Preset> {
    let mc = ModuloSpec {
        hash: Hash::Crc32Fold,
        steps: vec![Step::ZeroAsOne],
        ..ModuloSpec::default()
    };
    vec![
        Preset::ring("uhashring-ketama", "uhashring with hash_fn ketama", by_share(4))
            .version("uhashring 2.5")
            .quirks(BY_SHARE),
        Preset::ring("uhashring", "uhashring with its defaults, 160 points for each unit of weight", uhashring())
            .version("uhashring 2.5")
            .quirks("A key at a point belongs to the next one. The first 64 of MD5's 128 bits are compared."),
        Preset::ring("python-hash-ring", "hash_ring, three points from each MD5", by_share(3))
            .version("hash_ring 1.3.1; hashring 1.5.1")
            .quirks(BY_SHARE),
        Preset::rendezvous(
            "pymemcache",
            "pymemcache's HashClient, keys as text",
            RendezvousSpec { label: Label::HostPort, text: Text::LowBytes },
        )
        .version("pymemcache 4.0.0")
        .quirks("Of each character of a key only the low 8 bits count. A key given as bytes lies elsewhere. Weights are ignored."),
        Preset::modulo("python-memcached", "python-memcached with its default hash", mc)
            .version("python-memcached 1.62")
            .quirks("15 bits of the CRC-32, and 1 in place of 0; the order of the list counts."),
        Preset::rendezvous(
            "clandestined",
            "clandestined's RendezvousHash",
            RendezvousSpec { label: Label::Name, text: Text::Utf8 },
        )
        .version("clandestined 1.1.0")
        .quirks(RENDEZVOUS),
    ]
}
