//! The migration's rules (`evenkeel_core::migration`) in memcached's words.
//!
//! The rules know commands and answers, not bytes. [`ask`] writes a command of theirs for a node, [`hear`] reads the
//! node's reply as an answer, and [`Item`] is the payload that travels between the two: what a fill must give a value
//! at its target so that nobody can tell that it moved. A client's side of it is
//! [`Request`]: which kind of operation it is, what its own write looks like, and what the client is told in the end.
//! Pure, like the rules; whoever has the connections calls them.

mod act;
mod answer;
mod hear;
mod item;
mod request;
mod say;

pub use answer::{Last, Told};
pub use hear::hear;
pub use item::{Item, Remarks};
pub use request::{Plan, Request};
pub use say::{Asked, Context, ask};
