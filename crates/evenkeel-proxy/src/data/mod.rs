//! The data plane of one worker, from client bytes to node bytes and back, without I/O.
//!
//! ```text
//! client bytes ─▶ work (parse) ─▶ route (which node, in which form) ─▶ link: out-buffer and queue of what waits
//! client bytes ◀─ replies (request order) ◀─ deliver (for whom, in which form) ◀─ link: reply parser ◀─ node bytes
//! ```
//!
//! - [`engine`]: the state, and what a driver calls for clients.
//! - `work`, `route`, `split`, `local`, `rewrite`: the way out.
//! - `link`, `deliver`, `replies`: the way back.
//! - `links`: connecting, failing, timing out.
//! - `operations`: commands of our own.
//! - `gate`, `moved`: what a record of a migration asks for, and requests on moved keys.
//!
//! The sockets are in [`worker`](crate::worker).

mod deliver;
pub mod engine;
mod gate;
mod link;
mod links;
mod local;
mod moved;
mod node;
mod operations;
mod outgoing;
mod pending;
mod replies;
mod rewrite;
mod route;
mod session;
mod split;
mod work;

pub use engine::{Action, Engine, Heard, Outcome};
