//! The placements held against what the original programs chose.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod analysis;
mod articles;
mod cases;
mod docs;
mod presets;
mod properties;
mod raw;
mod refusals;
mod vectors;
