//! The Evenkeel proxy: one port in front of a cache cluster.
//!
//! - [`data`]: what a worker does with bytes, without I/O.
//! - [`worker`]: the sockets of one worker and its event loop.
//! - [`Pool`]: the workers of a pool, for who starts them.
//! - [`embedded`]: nodes inside this process.
//! - [`migration`], [`coordinator`], [`copier`], [`store`], [`control`]: moving data while serving.
//! - [`demo`]: the story of a growing cluster.
//! - [`serve`]: the whole proxy: configuration, admin listener, signals.
//! - [`Settings`], [`Snapshot`]: what is served.

pub mod control;
pub mod coordinator;
pub mod copier;
pub mod counters;
pub mod data;
pub mod demo;
pub mod embedded;
pub mod gate;
pub mod migration;
mod pool;
pub mod serve;
mod snapshot;
pub mod store;
pub mod worker;

pub use evenkeel_config::{OnNodeDown, Settings};
pub use pool::{Pool, Workers};
pub use snapshot::Snapshot;

/// The version of this program.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
