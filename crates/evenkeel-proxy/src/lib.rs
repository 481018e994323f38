#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic))]
//! The Evenkeel proxy: one port in front of a cache cluster.

pub mod control;
pub mod coordinator;
pub mod copier;
pub mod demo;
pub mod embedded;
pub mod migration;
pub mod store;
