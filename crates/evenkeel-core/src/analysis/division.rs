//! How a placement divides the values of its hash among the nodes.

use crate::hash::{Hash, Step};
use crate::scheme::Tag;
use crate::{KeyRule, Placement};

/// Which value of a key is divided. Two placements with the same source see the same value for every key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Source {
    pub(crate) hash: Hash,
    pub(crate) steps: Vec<Step>,
    pub(crate) tag: Tag,
    pub(crate) key_rule: KeyRule,
}

impl Source {
    pub(crate) fn plain(hash: Hash, placement: &Placement) -> Self {
        Self {
            hash,
            steps: Vec::new(),
            tag: Tag::None,
            key_rule: placement.topology().key_rule().clone(),
        }
    }

    /// Whether knowing one value says something about the other, although they differ.
    pub(crate) fn related(&self, other: &Self) -> bool {
        family(self.hash) == family(other.hash)
    }
}

/// Hashes that are cut from one computation.
fn family(hash: Hash) -> Hash {
    match hash {
        Hash::Crc32Fold => Hash::Crc32,
        Hash::Md5Be32 | Hash::Md5SignedBe32 | Hash::Md5Le64 | Hash::Md5Be64 => Hash::Md5,
        Hash::Sha1Be32 | Hash::Sha1SignedBe32 | Hash::Sha1Le64 => Hash::Sha1,
        Hash::Sha256Le64 => Hash::Sha256,
        Hash::Crc16Wide => Hash::Crc16,
        Hash::Java31Abs => Hash::Java31,
        other => other,
    }
}

/// Who owns which values.
#[derive(Clone, Debug)]
pub(crate) enum Parts {
    /// Ascending segments: the last value of each, and its owner.
    Segments(Vec<(u64, u16)>),
    /// The owner by the remainder of the value.
    Residues(Vec<u16>),
}

/// A division of all values below 2 to the power of `bits`.
#[derive(Clone, Debug)]
pub(crate) struct Division {
    pub(crate) source: Source,
    pub(crate) bits: u32,
    pub(crate) parts: Parts,
}

impl Division {
    /// How many values there are.
    pub(crate) fn values(&self) -> u128 {
        1 << self.bits
    }
}
