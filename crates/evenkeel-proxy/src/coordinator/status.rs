//! How a pool stands, for people and programs.

use std::collections::BTreeMap;

use evenkeel_core::Topology;
use evenkeel_core::migration::{Epoch, Loss, Phase};
use serde::{Deserialize, Serialize};

use crate::copier::{NodeTally, Rates};

/// How a pool stands.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Status {
    /// The version of this form.
    pub schema: u32,
    /// The pool.
    pub pool: String,
    /// The record's epoch.
    pub epoch: Epoch,
    /// The phase; `None` is stable.
    pub phase: Option<Phase>,
    /// Where keys are.
    pub current: Topology,
    /// Where moved keys go.
    pub to: Option<Topology>,
    /// An abort was asked for that has not taken effect yet.
    pub turning_back: bool,
    /// The topologies were exchanged: the migration is on its way back.
    pub going_back: bool,
    /// How often a `hold` has timed out.
    pub failed_holds: u32,
    /// Sources that were given up.
    pub lost_sources: BTreeMap<String, Loss>,
    /// Who started the migration.
    pub started_by: Option<String>,
    /// When, in milliseconds since 1970 UTC.
    pub started_at: Option<u64>,
    /// Whether every worker and the copier have acknowledged the epoch.
    pub acknowledged: bool,
    /// What keeps them from it.
    pub waiting_for: Vec<String>,
    /// What the copier may do per second.
    pub rates: Rates,
    /// How many keys were expected to move, when the migration started; 0 if that is not known.
    pub expected_keys: u64,
    /// What the copier has done, by source.
    pub nodes: BTreeMap<String, NodeTally>,
    /// What keeps the leader from going on, if anything does.
    pub trouble: Option<String>,
    /// How the last migration of this proxy's life ended.
    pub ended: Option<Ended>,
}

/// How a migration ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ended {
    /// The epoch that it ended with.
    pub epoch: Epoch,
    /// The keys are where they were before.
    pub aborted: bool,
    /// Names of nodes that the pool does not use any more: they can be switched off.
    pub switch_off: Vec<String>,
    /// How long it took, in milliseconds.
    pub took_ms: u64,
}

impl Status {
    /// Keys that the copier is done with.
    #[must_use]
    pub fn keys_done(&self) -> u64 {
        let done = |node: &NodeTally| node.moved + node.already + node.dropped;
        self.nodes.values().map(done).sum()
    }

    /// Bytes that the copier has moved.
    #[must_use]
    pub fn bytes_done(&self) -> u64 {
        self.nodes.values().map(|node| node.bytes).sum()
    }

    /// The phase's name.
    #[must_use]
    pub fn phase_name(&self) -> &'static str {
        match self.phase {
            None => "stable",
            Some(Phase::Purge) => "purge",
            Some(Phase::Hold) => "hold",
            Some(Phase::Copy) => "copy",
            Some(Phase::Settle) => "settle",
        }
    }
}
