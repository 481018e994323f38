//! Node's clients and rings.

use super::Preset;
use super::libmemcached::ketama;
use crate::hash::Hash;
use crate::scheme::{Bits, Collision, Count, Direction, Fill, Label, ModuloSpec, RingSpec};

const BY_SHARE: &str = "The number of digests is rounded down in doubles: 7, 14, 28, 49 equal nodes and some more \
    have 39 instead of 40. Points depend on the total weight and the number of nodes, so a change moves keys \
    between other nodes too.";

/// Points from the words of a digest by share of the weight.
fn by_share(hash: Hash, per_digest: u8) -> RingSpec {
    RingSpec {
        point_hash: hash,
        per_digest,
        points: 40 * u32::from(per_digest),
        label: Label::HostPort,
        count: Count::ShareF64,
        zero_is_one: false,
        ..ketama(hash)
    }
}

fn npm_ketama(hash: Hash) -> RingSpec {
    RingSpec {
        bits: Bits::B32,
        key_hash: hash,
        point_hash: hash,
        label: Label::HostPort,
        template: "{node}\0{i}".to_owned(),
        first_index: 1,
        points: 50,
        count: Count::PerWeightOrNone,
        whole_weights: true,
        collision: Collision::FirstListed,
        ..RingSpec::default()
    }
}

fn consistent_hashing() -> RingSpec {
    RingSpec {
        key_hash: Hash::Md5Be64,
        point_hash: Hash::Md5Be64,
        label: Label::HostPort,
        template: "{node}:{i}".to_owned(),
        count: Count::Fixed,
        direction: Direction::Down,
        collision: Collision::LastListed,
        ..RingSpec::default()
    }
}

fn node_hashring() -> RingSpec {
    RingSpec {
        bits: Bits::B32,
        key_hash: Hash::Murmur3Utf16Fff,
        point_hash: Hash::Murmur3Utf16Fff,
        template: "{node}.{i}".to_owned(),
        points: 80,
        ..consistent_hashing()
    }
}

pub(super) fn presets() -> Vec<Preset> {
    let mut presets = rings();
    presets.extend([
        Preset::ring(
            "node-memcached",
            "npm memcached with its defaults",
            RingSpec {
                label: Label::HostPortUnlessDefault,
                ..by_share(Hash::Md5, 4)
            },
        )
        .version("npm memcached 2.2.2")
        .quirks(BY_SHARE),
        Preset::modulo(
            "memjs",
            "npm memjs with its default hash",
            ModuloSpec {
                hash: Hash::Java31Abs,
                fill: Fill::PerNode,
                ..ModuloSpec::default()
            },
        )
        .version("npm memjs 1.3.2")
        .quirks("Weights are ignored; the order of the list counts."),
    ]);
    presets.extend(
        [("sha1", Hash::Sha1SignedBe32), ("md5", Hash::Md5SignedBe32)].map(|(variant, hash)| {
            Preset::ring(
                format!("npm-ketama/{variant}"),
                format!("npm ketama with {variant}"),
                npm_ketama(hash),
            )
            .version("npm ketama 1.0.0")
            .quirks("Positions are signed numbers; 50 points for each unit of weight.")
        }),
    );
    presets.extend([
        Preset::ring("npm-consistent-hashing", "npm consistent-hashing", consistent_hashing())
            .version("npm consistent-hashing 0.3.0")
            .quirks("A key belongs to the next point below. The first 64 of MD5's 128 bits are compared. Weights are ignored."),
        Preset::ring("npm-node-hashring", "npm node-hashring", node_hashring())
            .version("npm node-hashring 1.0.2")
            .quirks("A key belongs to the next point below. Of each UTF-16 unit only the low 8 bits count. Weights are ignored."),
    ]);
    presets
}

fn rings() -> Vec<Preset> {
    let variants = [
        ("node-hashring", "its defaults", by_share(Hash::Md5, 4)),
        (
            "node-hashring/hash_ring",
            "compatibility: hash_ring",
            by_share(Hash::Md5, 3),
        ),
        ("node-hashring/sha1", "SHA-1", by_share(Hash::Sha1, 4)),
        ("node-hashring/sha256", "SHA-256", by_share(Hash::Sha256, 4)),
    ];
    let preset = |(name, variant, spec): (&str, &str, RingSpec)| {
        Preset::ring(name, format!("npm hashring with {variant}"), spec)
            .version("npm hashring 3.2.0")
            .quirks(BY_SHARE)
    };
    variants.into_iter().map(preset).collect()
}
