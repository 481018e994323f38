//! twemproxy (nutcracker).

use super::Preset;
use super::libmemcached::ketama;
use crate::hash::Hash;
use crate::scheme::{Collision, Label, ModuloSpec, Order, RingSpec};

/// twemproxy's names of its hash functions.
const HASHES: [(&str, Hash); 12] = [
    ("one_at_a_time", Hash::OneAtATimeSigned),
    ("md5", Hash::Md5),
    ("crc16", Hash::Crc16Wide),
    ("crc32", Hash::Crc32Fold),
    ("crc32a", Hash::Crc32),
    ("fnv1_64", Hash::Fnv1x64Signed),
    ("fnv1a_64", Hash::Fnv1ax64Signed),
    ("fnv1_32", Hash::Fnv1x32Signed),
    ("fnv1a_32", Hash::Fnv1ax32Signed),
    ("hsieh", Hash::Hsieh),
    ("murmur", Hash::Murmur2),
    ("jenkins", Hash::Jenkins),
];

const KETAMA: &str = "Points are MD5 whatever the hash is, in number by 32-bit floats of the share of the \
    weight, so a change moves keys between other nodes too. crc32 has 15 bits and puts all keys on one node; \
    crc32a is the true CRC-32. Without a name, port 11211 is left out of the text.";

const MODULA: &str = "Servers are put in order of the length of their text, then of its bytes, whatever their \
    order in the file. crc32 has 15 bits; crc32a is the true CRC-32.";

pub(super) fn presets() -> Vec<Preset> {
    HASHES
        .into_iter()
        .flat_map(|(variant, hash)| [ketama_of(variant, hash), modula(variant, hash)])
        .collect()
}

fn ketama_of(variant: &str, hash: Hash) -> Preset {
    let spec = RingSpec {
        zero_is_one: false,
        label: Label::Twemproxy,
        collision: Collision::ShortestLabel,
        ..ketama(hash)
    };
    Preset::ring(
        format!("twemproxy-ketama/{variant}"),
        format!("twemproxy, distribution: ketama, hash: {variant}; servers with a name need the label name"),
        spec,
    )
    .version("twemproxy 0.5.0")
    .quirks(KETAMA)
}

fn modula(variant: &str, hash: Hash) -> Preset {
    let spec = ModuloSpec {
        hash,
        order: Order::ShortestLabel,
        label: Label::Twemproxy,
        ..ModuloSpec::default()
    };
    Preset::modulo(
        format!("twemproxy-modula/{variant}"),
        format!("twemproxy, distribution: modula, hash: {variant}; servers with a name need the label name"),
        spec,
    )
    .version("twemproxy 0.5.0")
    .quirks(MODULA)
}
