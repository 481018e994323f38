//! Go's clients and rings.

use super::Preset;
use crate::hash::Hash;
use crate::scheme::{Bits, Collision, Count, Fill, Label, ModuloSpec, RingSpec, Tag};

/// groupcache's `consistenthash`: the number stands before the node.
fn consistenthash() -> RingSpec {
    RingSpec {
        bits: Bits::B32,
        key_hash: Hash::Crc32,
        point_hash: Hash::Crc32,
        label: Label::HostPort,
        template: "{i}{node}".to_owned(),
        points: 50,
        count: Count::Fixed,
        collision: Collision::LastListed,
        ..RingSpec::default()
    }
}

const LINEAR: &str = "Weights are ignored. CRC-32 is linear, so two names of equal length that share one point share \
    many, and shares are uneven.";

pub(super) fn presets() -> Vec<Preset> {
    vec![
        Preset::ring(
            "groupcache",
            "groupcache's consistenthash with 50 replicas",
            consistenthash(),
        )
        .version("groupcache, git 8c9f03a (2020)")
        .quirks(LINEAR),
        Preset::ring(
            "go-redis-ring-v5",
            "go-redis v5 Ring: 100 replicas of the shard's name",
            RingSpec {
                tag: Tag::Braces,
                label: Label::Name,
                points: 100,
                ..consistenthash()
            },
        )
        .version("go-redis 5.2.9")
        .quirks(LINEAR),
        Preset::modulo(
            "gomemcache",
            "gomemcache's ServerList",
            ModuloSpec {
                fill: Fill::PerNode,
                ..ModuloSpec::default()
            },
        )
        .version("gomemcache, git of 2014-11-09")
        .quirks("Weights are ignored; the order of the list counts."),
    ]
}
