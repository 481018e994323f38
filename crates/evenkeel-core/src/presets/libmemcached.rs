//! libmemcached and the clients that are built on it.

use super::Preset;
use crate::hash::Hash;
use crate::scheme::{Bits, Collision, Count, Fill, Label, ModuloSpec, RingSpec};

const VERSION: &str = "libmemcached 1.1.4";

/// libmemcached's names of its hash functions.
const HASHES: [(&str, Hash); 10] = [
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

const MODULA: &str =
    "Weights are ignored; the order of the list counts. A weight of 0 is read as 1.";

const CONSISTENT: &str = "100 points for each server, hashed like the keys and not with MD5. \
    A weight above 1 on any server switches the whole ring to the MD5 points of \
    libmemcached-ketama-weighted. Port 11211 is left out of the text. A weight of 0 is read as 1.";

const PHP_CONSISTENT: &str = "100 points for each server, hashed like the keys and not with MD5. \
    This is the ring of servers that were added without weights: weights are ignored. With weights \
    PHP makes the ring of libmemcached-consistent/default. Port 11211 is left out of the text.";

const KETAMA: &str = "Points depend on the total weight and the number of nodes, in 32-bit floats, so a change \
    moves keys between other nodes too, and a small weight may have no point. Port 11211 is left out of the \
    text. A weight of 0 is read as 1.";

const SPY: &str = "Not the ring of spymemcached: a slash stands before the address, and the port after it in \
    any case. A weight of 0 is read as 1.";

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

fn spy(ring: RingSpec) -> RingSpec {
    RingSpec {
        label: Label::SlashHostPort,
        ..ring
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

pub(super) fn presets() -> Vec<Preset> {
    let mut presets: Vec<Preset> = HASHES.into_iter().flat_map(distributions).collect();
    presets.extend(clients());
    presets
}

/// libmemcached's distributions with one key hash.
fn distributions((variant, hash): (&str, Hash)) -> [Preset; 5] {
    let name = |family| format!("libmemcached-{family}/{variant}");
    let about = |what| format!("libmemcached, {what}, keys hashed with {variant}");
    [
        Preset::modulo(name("modula"), about("MODULA distribution"), modula(hash)).quirks(MODULA),
        Preset::ring(
            name("consistent"),
            about("CONSISTENT or KETAMA distribution, which are the same"),
            consistent(hash),
        )
        .with_weights(ketama(hash))
        .quirks(CONSISTENT),
        Preset::ring(
            name("ketama-weighted"),
            about("KETAMA_WEIGHTED"),
            ketama(hash),
        )
        .quirks(KETAMA),
        Preset::ring(
            name("ketama-spy"),
            about("KETAMA_SPY"),
            spy(consistent(hash)),
        )
        .with_weights(spy(ketama(hash)))
        .quirks(SPY),
        Preset::ring(
            name("ketama-spy-weighted"),
            about("KETAMA_SPY with weights"),
            spy(ketama(hash)),
        )
        .quirks(SPY),
    ]
    .map(|preset| preset.version(VERSION))
}

fn clients() -> [Preset; 4] {
    const PHP: &str = "php-memcached 3.2.0 on libmemcached 1.1.4";
    [
        Preset::modulo(
            "php-memcached",
            "PHP's memcached extension with its defaults: one-at-a-time modulo the servers",
            modula(Hash::OneAtATimeSigned),
        )
        .version(PHP)
        .quirks(MODULA),
        Preset::ring(
            "php-memcached-libketama",
            "PHP's memcached extension with OPT_LIBKETAMA_COMPATIBLE",
            ketama(Hash::Md5),
        )
        .version(PHP)
        .quirks(KETAMA),
        Preset::ring(
            "php-memcached-consistent",
            "PHP's memcached extension with DISTRIBUTION_CONSISTENT and equal weights; sessions of type ketama",
            consistent(Hash::OneAtATimeSigned),
        )
        .version(PHP)
        .quirks(PHP_CONSISTENT),
        Preset::ring(
            "pylibmc-ketama-weighted",
            "pylibmc with the behaviour ketama_weighted",
            ketama(Hash::Md5),
        )
        .version("pylibmc 1.6.3 on libmemcached 1.0.16")
        .quirks(KETAMA),
    ]
}
