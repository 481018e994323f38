//! The record: what a pool is, and the migration under way in it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::tags::Tags;

/// The number of a record, one higher at each change.
pub type Epoch = u64;

/// The one record of a pool in the store, replaced only by compare-and-swap on its epoch.
///
/// `T` is the topology. The rules never look into it, so the model uses a number in its place.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Record<T> {
    /// One higher at each change of anything in here.
    pub epoch: Epoch,
    /// Where keys are; in a migration, where moved keys come from.
    pub current: T,
    /// The change under way; `None` is the phase `stable`.
    pub migration: Option<Migration<T>>,
    /// The tags of the servers' CAS tokens.
    #[serde(default)]
    pub tags: Tags,
}

/// A change of a pool from `current` to `to`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Migration<T> {
    /// Where moved keys go.
    pub to: T,
    /// What a proxy does with a moved key now.
    pub phase: Phase,
    /// Where a `hold` that times out returns to.
    pub back: Back,
    /// Whether an abort was asked for that has not taken effect yet.
    #[serde(default)]
    pub turn_back: bool,
    /// How many times a `hold` has timed out on the way to the next phase. It sets the pause before the next try.
    #[serde(default)]
    pub failed_holds: u32,
    /// Sources that were given up, by server address. Each stays so until the migration ends or turns back.
    #[serde(default)]
    pub lost_sources: BTreeMap<String, Loss>,
    /// What the operator chose for this migration.
    pub options: Options,
    /// Who started it, for `status`.
    pub started_by: String,
    /// When, in milliseconds since 1970 UTC.
    pub started_at: u64,
}

/// What a proxy does with a moved key. `stable` is a record without a migration.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Phase {
    /// As in stable; meanwhile the targets are emptied of keys that they do not own.
    Purge,
    /// New operations wait in the proxy.
    Hold,
    /// Lease, fetch, fill: the rules of [`Operation`](super::Operation).
    Copy,
    /// Served at the target alone, with no new leases, but what a lease left is known for what it is.
    Settle,
}

/// Where a `hold` returns to when it times out: to what was before, and nothing has happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Back {
    /// The hold of a migration that begins: back to `purge`, in which a proxy does as in stable.
    Purge,
    /// The hold of an abort: back to `copy` with the topologies exchanged once more, so as they were.
    Copy,
}

/// How far a source has been given up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Loss {
    /// Nobody reads it any more; whoever must delete at it still does.
    NotRead,
    /// Everybody has stopped reading it, so nobody need delete at it.
    NotDeleted,
}

/// What the operator chose for a migration. Times are milliseconds unless the name says otherwise.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default)]
pub struct Options {
    /// How long a lease lasts, in seconds. A filler that dies leaves a placeholder for at most this long.
    pub lease_seconds: u32,
    /// How long an update waits for another's lease before it takes it away.
    pub lease_wait_ms: u64,
    /// How long a `hold` may take to be acknowledged by everybody.
    pub hold_timeout_ms: u64,
    /// How long a proxy in `hold` that cannot reach the store keeps operations waiting.
    pub hold_max_ms: u64,
    /// What stands in for the end of a connection to a node that cannot be reached.
    pub late_grace_ms: u64,
    /// Let go of keys that their target refuses for good, instead of waiting in `copy`.
    pub drop_unmovable: bool,
    /// Only keys that begin so belong to the pool.
    pub node_prefix: Vec<u8>,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            lease_seconds: 30,
            lease_wait_ms: 200,
            hold_timeout_ms: 500,
            hold_max_ms: 2_000,
            late_grace_ms: 5_000,
            drop_unmovable: false,
            node_prefix: Vec::new(),
        }
    }
}

impl<T> Record<T> {
    /// The first record of a pool.
    pub fn first(current: T) -> Self {
        Record {
            epoch: 1,
            current,
            migration: None,
            tags: Tags::default(),
        }
    }

    /// The phase, or `None` in stable.
    pub fn phase(&self) -> Option<Phase> {
        self.migration.as_ref().map(|migration| migration.phase)
    }

    /// How far `server` has been given up as a source.
    pub fn loss(&self, server: &str) -> Option<Loss> {
        self.migration
            .as_ref()
            .and_then(|migration| migration.lost_sources.get(server).copied())
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn the_phase_names_are_those_of_the_documentation() {
        let names: Vec<String> = [Phase::Purge, Phase::Hold, Phase::Copy, Phase::Settle]
            .iter()
            .map(|phase| format!("{phase:?}").to_lowercase())
            .collect();
        assert_eq!(names, ["purge", "hold", "copy", "settle"]);
    }

    #[test]
    fn a_new_record_is_stable() {
        assert_eq!(Record::first(()).phase(), None);
    }
}
