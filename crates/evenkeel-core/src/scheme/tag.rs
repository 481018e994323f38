//! Hash tags that an original always obeys.

use serde::{Deserialize, Serialize};

use crate::key_rule;

/// Which part of a key the original hashes, without being asked to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Tag {
    /// All of it.
    None,
    /// What is between the first `{` and the first `}` after it, unless that is empty: Redis Cluster's rule.
    Braces,
    /// The same, even if it is empty: all keys with `{}` in them have the hash of the empty text. RedisArray's rule.
    BracesOrEmpty,
}

impl Tag {
    /// The part of `key` that is hashed.
    #[inline]
    pub(crate) fn hashed_part(self, key: &[u8]) -> &[u8] {
        if self == Self::None {
            return key;
        }
        let tag = key_rule::tag(key, *b"{}");
        tag.filter(|tag| self == Self::BracesOrEmpty || !tag.is_empty())
            .unwrap_or(key)
    }
}
