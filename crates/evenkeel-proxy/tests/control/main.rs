//! The control plane against real memcached servers.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod cluster;
mod migrations;
mod preflights;
