//! A cache server.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{Address, Weight};

/// A cache server. Its identity is its name; the address may change without moving a key, unless the placement hashes the address.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Node {
    /// Unique in its topology; 1 to [`MAX_NAME_BYTES`] bytes without control characters.
    pub name: String,
    /// Where it listens.
    pub address: Address,
    /// Its share beside the others.
    #[serde(default)]
    pub weight: Weight,
    /// Rack, data centre or whatever fails together; see [`crate::Placement::walk_zones`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub zone: Option<String>,
}

/// The longest name, in bytes.
pub const MAX_NAME_BYTES: usize = 255;

impl Node {
    /// A node of weight 1 without a zone.
    #[must_use]
    pub fn new(name: impl Into<String>, address: Address) -> Self {
        Self {
            name: name.into(),
            address,
            weight: Weight::ONE,
            zone: None,
        }
    }

    /// The same node with another weight.
    #[must_use]
    pub fn weighing(self, weight: Weight) -> Self {
        Self { weight, ..self }
    }

    /// The same node in a zone.
    #[must_use]
    pub fn in_zone(self, zone: impl Into<String>) -> Self {
        Self {
            zone: Some(zone.into()),
            ..self
        }
    }
}

/// Which node of a topology: an index into [`crate::Topology::nodes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct NodeIndex(pub u16);

impl NodeIndex {
    /// The index, for arrays.
    #[must_use]
    pub const fn get(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for NodeIndex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
