//! The whole proxy: pools from a configuration, the admin listener, signals, reload and the end.
//!
//! The control plane runs on tokio in the calling thread; the workers have threads of their own.

mod admin;
mod banner;
mod error;
mod guard;
mod notify;
mod open;
mod reload;
mod run;

pub use error::ServeError;
pub use run::{Options, run};
