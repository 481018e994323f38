//! The background filler: lists the sources and brings every moved key over, at a rate.
//!
//! It is a member like a worker: it begins each move with a ticket on node connections of its own, and acknowledges
//! an epoch when nothing that it began earlier can still reach a node.
//!
//! ```text
//! Listing (metadump) ─▶ Map: listed where it is owned, and moved? ─▶ Pace ─▶ Mover: Operation over two Links
//! ```
//!
//! Memory is bounded: a listing is read as fast as keys are moved, and the one that decides goes into a [`Window`].

mod link;
mod listing;
mod map;
mod member;
mod mover;
mod network;
mod pace;
mod pass;
mod tally;
mod window;

pub use link::{Dialling, Failure, Link, Links, Network, Stream};
pub use listing::{Key, Listing, ListingError};
pub use map::{Map, server_of};
pub use member::{CopierMember, Pass};
pub use mover::{Moved, Mover, Route};
pub use network::Reach;
pub use pace::{Pace, Rates};
pub use pass::{Copier, DEFAULT_SLOW_ABOVE};
pub use tally::{NodeTally, Tally};
pub use window::Window;
