//! Rings: points on a circle, and the next one decides.
//!
//! Every direction and boundary is turned into one question, the first stored position at or after a value, so that one look-up
//! structure serves all rings: a ring that looks down is stored mirrored, strictly after is at or after the next value, and a ring that
//! takes the nearest point is stored as the ends of its arcs.

mod circle;
mod lines;
mod points;
mod position;
mod sort;
mod spec_ring;

pub(super) use spec_ring::Ring;
