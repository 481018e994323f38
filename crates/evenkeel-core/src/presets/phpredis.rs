//! RedisArray of the PHP extension redis.

use super::Preset;
use super::libmemcached::ketama;
use crate::hash::{Hash, Step};
use crate::scheme::{Count, Fill, Label, ModuloSpec, Reduce, RingSpec, Tag};

const VERSION: &str = "phpredis 5.3.7 under PHP 8.2";

const RANGE: &str = "A split of the range of the hash, not a remainder: the order of the list counts, and a change \
    moves most keys. Weights are ignored. An empty {} in a key hashes the empty text. The original reads beyond its \
    table when the hash is 2^32 - 1; here such a key belongs to the last host.";

const RING: &str = "The key's hash is not the one of other ketama rings, so keys lie elsewhere. Weights are ignored. \
    An empty {} in a key hashes the empty text.";

/// `option algorithm`: PHP's name, the hash, and how its digest becomes a number. PHP writes most digests of numbers with the most
/// significant byte first, and RedisArray reads all digests with the least significant first.
const ALGORITHMS: [(&str, Hash, &[Step]); 15] = [
    ("md5", Hash::Md5Le64, &[Step::RemainderMax32]),
    ("sha1", Hash::Sha1Le64, &[Step::RemainderMax32]),
    ("sha256", Hash::Sha256Le64, &[Step::RemainderMax32]),
    ("crc32", Hash::Crc32Bzip2, &[Step::RemainderMax32]),
    ("crc32b", Hash::Crc32, SWAPPED_32),
    ("crc32c", Hash::Crc32c, SWAPPED_32),
    ("adler32", Hash::Adler32, SWAPPED_32),
    ("fnv132", Hash::Fnv1x32, SWAPPED_32),
    ("fnv1a32", Hash::Fnv1ax32, SWAPPED_32),
    ("fnv164", Hash::Fnv1x64, SWAPPED_64),
    ("fnv1a64", Hash::Fnv1ax64, SWAPPED_64),
    ("joaat", Hash::OneAtATime, SWAPPED_32),
    ("xxh32", Hash::Xxh32, SWAPPED_32),
    ("xxh64", Hash::Xxh64, SWAPPED_64),
    ("murmur3a", Hash::Murmur3, SWAPPED_32),
];

const SWAPPED_32: &[Step] = &[Step::SwapBytes32, Step::RemainderMax32];
const SWAPPED_64: &[Step] = &[Step::SwapBytes64, Step::RemainderMax32];

fn range(hash: Hash, steps: &[Step], reduce: Reduce) -> ModuloSpec {
    ModuloSpec {
        tag: Tag::BracesOrEmpty,
        hash,
        steps: steps.to_vec(),
        fill: Fill::PerNode,
        reduce,
        ..ModuloSpec::default()
    }
}

fn ring(hash: Hash, steps: &[Step]) -> RingSpec {
    RingSpec {
        tag: Tag::BracesOrEmpty,
        key_steps: steps.to_vec(),
        label: Label::HostPort,
        count: Count::Fixed,
        zero_is_one: false,
        ..ketama(hash)
    }
}

pub(super) fn presets() -> Vec<Preset> {
    let plain = [
        Preset::modulo(
            "phpredis-array",
            "RedisArray with its defaults: the range of crc32, split",
            range(Hash::Crc32, &[], Reduce::Range),
        )
        .quirks(RANGE),
        Preset::ring(
            "phpredis-array-consistent",
            "RedisArray with the option consistent",
            ring(Hash::Crc32, &[Step::Invert32]),
        )
        .quirks(RING),
    ];
    let with_algorithm = ALGORITHMS.into_iter().flat_map(|(name, hash, steps)| {
        [
            Preset::modulo(
                format!("phpredis-array/{name}"),
                format!("RedisArray with the option algorithm {name}"),
                range(hash, steps, Reduce::RangeInverted),
            )
            .quirks(RANGE),
            Preset::ring(
                format!("phpredis-array-consistent/{name}"),
                format!("RedisArray with the options consistent and algorithm {name}"),
                ring(hash, steps),
            )
            .quirks(RING),
        ]
    });
    plain
        .into_iter()
        .chain(with_algorithm)
        .map(|preset| preset.version(VERSION))
        .collect()
}
