//! One name for one topology.

use sha2::{Digest, Sha256};

use super::Topology;
use crate::Node;
use crate::scheme::{Collision, Order, Recipe};

/// How many bytes of the SHA-256 are kept.
const BYTES: usize = 16;

/// SHA-256 over a canonical text, cut to 128 bits.
pub(super) fn digest(topology: &Topology) -> String {
    let mut nodes: Vec<&Node> = topology.nodes().iter().collect();
    if !order_counts(topology.recipe()) {
        nodes.sort_by(|a, b| a.name.cmp(&b.name));
    }
    let mut hasher = Sha256::new();
    // The Debug form of a recipe is not promised to stay the same by the language, but it is by our derives: all of it is plain data.
    hasher.update(b"evenkeel topology 1\n");
    field(&mut hasher, format!("{:?}", topology.recipe()).as_bytes());
    field(&mut hasher, format!("{:?}", topology.key_rule()).as_bytes());
    for node in nodes {
        field(&mut hasher, node.name.as_bytes());
        field(&mut hasher, node.address.to_string().as_bytes());
        field(&mut hasher, &node.weight.thousandths().to_le_bytes());
        field(&mut hasher, node.zone.as_deref().unwrap_or("").as_bytes());
    }
    hasher
        .finalize()
        .iter()
        .take(BYTES)
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

/// Each field carries its length, so that no two lists of fields run into the same bytes.
fn field(hasher: &mut Sha256, bytes: &[u8]) {
    hasher.update((bytes.len() as u64).to_le_bytes());
    hasher.update(bytes);
}

/// Whether the order of the list can decide about a key.
pub(crate) fn order_counts(recipe: &Recipe) -> bool {
    match recipe {
        Recipe::Slots { .. }
        | Recipe::Rendezvous
        | Recipe::LabelRendezvous(_)
        | Recipe::Maglev { .. }
        | Recipe::RedisCluster { .. } => false,
        Recipe::Jump { .. } => true,
        Recipe::Modulo(spec) => spec.order == Order::Listed,
        Recipe::Ring(spec) => {
            spec.counts_places()
                || matches!(
                    spec.collision,
                    Collision::FirstListed | Collision::LastListed
                )
        }
    }
}
