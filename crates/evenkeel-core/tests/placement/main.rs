//! The placements held against what the original programs chose.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod articles;
mod cases;
mod presets;
mod raw;
mod vectors;
