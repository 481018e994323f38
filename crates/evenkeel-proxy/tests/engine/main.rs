#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
//! The data plane in memory, against nodes that answer, and nodes that misbehave.

mod failures;
mod order;
mod protocol;
mod world;
