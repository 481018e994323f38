//! The leader of one pool's migrations: it drives the pure rules of `evenkeel_core::migration::leader` with what is
//! seen of members and nodes, and keeps the record.
//!
//! ```text
//! Request (apply, abort) ─▶ Coordinator ─▶ PoolStore (on disk first) ─▶ Members (workers), CopierMember
//!                               ▲                                            │
//!                               └── acknowledged epochs, purge, copier ◀─────┘
//! ```
//!
//! Called by the control plane only. Everything here is idempotent: killed at any moment, it goes on from the record.

mod lead;
mod members;
mod purge;
mod request;
mod status;

pub use lead::{Coordinator, Setup};
pub use members::{Members, NoWorkers};
pub use purge::{Leftovers, leftovers};
pub use request::{Leader, RequestError, StartRequest};
pub use status::{Ended, Status};
