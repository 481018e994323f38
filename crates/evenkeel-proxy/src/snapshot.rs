//! What the workers serve: one immutable value, replaced as a whole.

use crate::Settings;
use crate::store::PoolRecord;
use evenkeel_core::{Placement, Topology};
use std::sync::Arc;

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
    /// The record that it is made from; `None` for a pool that no store keeps.
    pub record: Option<Arc<PoolRecord>>,
    /// Which key goes where, while a migration is under way.
    pub to: Option<Placement>,
}

impl Snapshot {
    /// Builds the placement of `topology`.
    pub fn new(pool: impl Into<String>, topology: Topology, settings: Settings) -> Self {
        Self {
            pool: pool.into(),
            placement: Placement::build(&topology),
            topology,
            settings,
            record: None,
            to: None,
        }
    }

    /// What a record says: served is its `current`, and a migration under way moves keys to its `to`.
    pub fn of_record(pool: impl Into<String>, record: Arc<PoolRecord>, settings: Settings) -> Self {
        let to = record.migration.as_ref();
        Self {
            to: to.map(|migration| Placement::build(&migration.to)),
            record: Some(record.clone()),
            ..Self::new(pool, record.current.clone(), settings)
        }
    }
}
