//! `slots`, version 1 (frozen): the default placement.
//!
//! A key's slot is the top bits of its XXH3; a slot's node is found by weighted rendezvous over the names, in integers. The table is a
//! cache of that function: it can be rebuilt by anybody from names and weights.

mod build;
mod change;
mod table;

pub(super) use table::{Slots, in_order};
