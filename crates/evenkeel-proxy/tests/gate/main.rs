//! The migration gate against real memcached servers.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod commands;
mod driver;
mod fleet;
mod history;
mod leader;
mod memcached;
mod node;
mod rounds;
