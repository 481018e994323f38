//! What the workers serve: one immutable value, replaced as a whole.

use crate::Settings;
use evenkeel_core::{Placement, Topology};

/// Topology, placement and settings of a pool. Workers load it once per turn.
#[derive(Debug)]
pub struct Snapshot {
    /// The pool's name, for people.
    pub pool: String,
    /// Who is in the pool.
    pub topology: Topology,
    /// Which key is whose.
    pub placement: Placement,
    /// What may change without moving a key.
    pub settings: Settings,
}

impl Snapshot {
    /// Builds the placement of `topology`.
    pub fn new(pool: impl Into<String>, topology: Topology, settings: Settings) -> Self {
        Self {
            pool: pool.into(),
            placement: Placement::build(&topology),
            topology,
            settings,
        }
    }
}
