//! A pool's nodes and how keys are placed on them: validated once, then immutable.
//!
//! Whoever holds a [`Topology`] need not check anything again. [`crate::Placement`] is built from it.

mod check;
mod digest;
mod edit;
mod error;
mod value;
mod warning;

pub use error::{BadName, EditError, TopologyError};
pub use value::{MAX_NODES, MAX_POINTS, Topology};
pub use warning::Warning;
pub(crate) use warning::ignores_weights;
