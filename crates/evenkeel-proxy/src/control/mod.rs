//! What people and programs ask of a running proxy about its pools: how they stand, what a change would do, and to make
//! it so. The admin listener mounts [`routes`] behind its guard; the CLI is their first user.

mod api;
mod plan;
mod preflight;
mod probe;

pub use api::{ApplyRequest, Control, Pool, Problem, Refused, Started, routes};
pub use plan::{Flow, NodeReport, Plan};
pub use preflight::{Complaint, preflight};
