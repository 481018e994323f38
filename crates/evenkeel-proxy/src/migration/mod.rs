//! The migration's rules (`evenkeel_core::migration`) in memcached's words.
//!
//! The rules know commands and answers, not bytes. [`ask`] writes a command of theirs for a node, [`hear`] reads the
//! node's reply as an answer, and [`Item`] is the payload that travels between the two: what a fill must give a value
//! at its target so that nobody can tell that it moved. Pure, like the rules; whoever has the connections calls them.

mod hear;
mod item;
mod say;

pub use hear::hear;
pub use item::{Item, Remarks};
pub use say::{Asked, Context, ask};
