//! Dalli.

use super::Preset;
use super::libmemcached::ketama;
use crate::hash::Hash;
use crate::scheme::{Collision, Count, Direction, Label, RingSpec};

pub(super) fn presets() -> Vec<Preset> {
    let spec = RingSpec {
        key_hash: Hash::Crc32,
        point_hash: Hash::Sha1Be32,
        per_digest: 1,
        label: Label::HostPort,
        template: "{node}:{i}".to_owned(),
        count: Count::ShareExact,
        zero_is_one: false,
        direction: Direction::Down,
        collision: Collision::LastListed,
        ..ketama(Hash::Crc32)
    };
    vec![
        Preset::ring("dalli", "Dalli's ring", spec).version("Dalli 3.0.6").quirks(
            "A key belongs to the next point below. Points depend on the total weight and the number of nodes, so a \
             change moves keys between other nodes too.",
        ),
    ]
}
