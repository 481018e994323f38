//! Highest random weight: each node has a score for a key, and the best one wins (Thaler and Ravishankar 1996).

use serde::{Deserialize, Serialize};

use super::Label;

/// The scores of a client library that hashes `label-key` with MurmurHash3 and ignores weights. The greatest score wins; of equal ones
/// the greater label.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RendezvousSpec {
    /// The text that stands for a node.
    pub label: Label,
    /// What of the text is hashed.
    pub text: Text,
}

/// How a text becomes the bytes that are hashed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Text {
    /// Its UTF-8 bytes.
    Utf8,
    /// The low byte of each code point.
    LowBytes,
}
