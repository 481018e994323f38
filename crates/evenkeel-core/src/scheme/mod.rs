//! What a placement is made of, as data: the schemes and the complete description of each.
//!
//! A [`Scheme`] is what somebody wrote; a [`Recipe`] is what it means, with a preset's name resolved to its description. Nothing here
//! computes a placement: [`crate::Placement`] does.

mod label;
mod modulo;
mod points;
mod recipe;
mod rendezvous;
mod ring;
mod shorthand;
mod tag;

pub use label::{Label, UnknownLabel};
pub use modulo::{Fill, ModuloSpec, Order, Reduce, Retry};
pub use points::Count;
pub use recipe::{MAX_SLOTS, MIN_SLOTS, Recipe, Scheme, SlotRange};
pub use rendezvous::{RendezvousSpec, Text};
pub(crate) use ring::effective;
pub use ring::{Bits, Boundary, Collision, Direction, Generator, RingSpec, Wrap};
pub use shorthand::UnknownScheme;
pub use tag::Tag;
