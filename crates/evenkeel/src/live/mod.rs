//! The commands that talk to a running proxy: `apply`, `abort`, `status`, `rate`.
//!
//! They know the admin API and nothing of sockets or stores. What is data goes to standard output, talk to standard
//! error.

mod abort;
mod apply;
mod client;
mod failure;
mod follow;
mod rate;
mod render;
mod status;
mod target;

pub use abort::AbortArgs;
pub use apply::ApplyArgs;
pub use failure::Failure;
pub use rate::RateArgs;
pub use status::StatusArgs;
