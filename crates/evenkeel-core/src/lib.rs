//! Placement for cache clusters: every consistent-hashing ring that people run, bit for bit, and the rules of a safe migration.

pub mod migration;
