//! libketama, the first of its kind (Richard Jones, 2007).

use super::Preset;
use super::libmemcached::ketama;
use crate::hash::Hash;
use crate::scheme::{Count, Label, RingSpec};

pub(super) fn presets() -> Vec<Preset> {
    let spec = RingSpec {
        label: Label::HostPort,
        count: Count::ShareLibketama,
        zero_is_one: false,
        ..ketama(Hash::Md5)
    };
    vec![
        Preset::ring("libketama", "RJ's libketama with a servers file of host:port and memory", spec)
            .version("git 18cf9a7 (2014); Python binding ketama 0.1.1")
            .quirks(
                "Points depend on the total weight and the number of nodes, so a change moves keys \
                 between other nodes too. At 61, 122, 237 nodes and some more each loses a digest to \
                 rounding. The Python binding hashes keys that are not ASCII cut short.",
            ),
    ]
}
