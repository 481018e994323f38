//! The Evenkeel proxy: one port in front of a cache cluster.

pub mod embedded;
pub mod migration;
