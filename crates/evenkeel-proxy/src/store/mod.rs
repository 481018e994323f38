//! Where the record of a pool is kept, so that a proxy that is killed goes on in the phase it was in.
//!
//! One proxy keeps its records in a state directory. Called by the coordinator only; the data plane never waits for it.

mod directory;
mod file;

pub use directory::{PoolStore, StateDirectory, StoreError};

use evenkeel_core::Topology;
use evenkeel_core::migration::Record;

/// The record of a pool as it is stored.
pub type PoolRecord = Record<Topology>;
