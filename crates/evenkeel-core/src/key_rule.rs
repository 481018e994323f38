//! Which bytes of a key are hashed.

use serde::{Deserialize, Serialize};

/// Which bytes of a key decide its node: first a prefix is dropped, then the text inside a hash tag replaces the rest.
///
/// With both unset the whole key is hashed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KeyRule {
    /// The two marks of a hash tag, such as `{}`: the text between the first opening and the first closing mark after it is hashed alone,
    /// unless it is empty.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hash_tag: Option<[u8; 2]>,
    /// What clients put before each key on the wire without hashing it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strip_prefix: Option<Vec<u8>>,
}

impl KeyRule {
    /// The rule of Redis Cluster and of twemproxy's `hash_tag: "{}"`.
    #[must_use]
    pub fn braces() -> Self {
        Self {
            hash_tag: Some(*b"{}"),
            strip_prefix: None,
        }
    }

    /// The bytes of `key` that are hashed.
    #[inline]
    #[must_use]
    pub fn hashed_part<'k>(&self, key: &'k [u8]) -> &'k [u8] {
        let mut part = key;
        if let Some(prefix) = &self.strip_prefix {
            part = part.strip_prefix(prefix.as_slice()).unwrap_or(part);
        }
        match self.hash_tag {
            Some(marks) => tag(part, marks)
                .filter(|tag| !tag.is_empty())
                .unwrap_or(part),
            None => part,
        }
    }
}

/// The text between the first opening mark and the first closing mark after it, which may be empty.
pub(crate) fn tag(key: &[u8], [open, close]: [u8; 2]) -> Option<&[u8]> {
    let start = key.iter().position(|&b| b == open)? + 1;
    let rest = key.get(start..)?;
    let end = rest.iter().position(|&b| b == close)?;
    rest.get(..end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_ends_at_the_first_closing_mark_and_an_empty_one_is_none() {
        let rule = KeyRule::braces();
        let cases = [
            ("foo{bar}{zap}", "bar"),
            ("foo{{bar}}zap", "{bar"),
            ("foo{}{bar}", "foo{}{bar}"),
            ("{x", "{x"),
            ("}{x}", "x"),
            ("", ""),
        ];
        for (key, part) in cases {
            assert_eq!(rule.hashed_part(key.as_bytes()), part.as_bytes(), "{key}");
        }
    }

    /// 3rd-Eden/memcached#307: the prefix is sent and not hashed.
    #[test]
    fn a_prefix_is_dropped_before_the_tag_is_sought() {
        let rule = KeyRule {
            strip_prefix: Some(b"app{1}:".to_vec()),
            ..KeyRule::braces()
        };
        assert_eq!(rule.hashed_part(b"app{1}:user:1"), b"user:1");
        assert_eq!(rule.hashed_part(b"app{1}:a{b}"), b"b");
        assert_eq!(rule.hashed_part(b"other:user:1"), b"other:user:1");
    }
}
