//! The Evenkeel proxy: one port in front of a cache cluster.

pub mod demo;
pub mod embedded;
pub mod migration;
