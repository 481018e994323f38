//! The embedded node against the real server, and what it must keep on its own.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod differential;
mod generate;
mod limits;
mod normalise;
mod random;
mod server;
mod time;
