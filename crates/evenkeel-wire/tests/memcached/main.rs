//! The memcached parsers against naive twins, against every way to split the bytes, and against the real server.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod drive;
mod fuzz_smoke;
mod naive;
mod random;
mod real_server;
mod replies;
mod requests;
mod samples;
mod server;
mod splits;
