#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic))]
//! Cache protocols as bytes to requests and replies and back, without I/O.
//!
//! The parsers are incremental: they are given the bytes that a peer has sent so far and answer with one unit at a
//! time, or say that more is needed and remember how far they looked. Nothing is copied and nothing is allocated;
//! what a unit is made of is told as ranges ([`Span`]) of the bytes that were given.
//!
//! [`memcached`] is the text and the meta dialect of memcached, from both sides: what a client sends, what a node
//! answers, and the commands that we send to nodes ourselves.

pub mod memcached;
pub mod number;
mod span;

pub use span::Span;
