//! Public reports of this field, each replayed against the running proxy. A test's comment names the reports.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod bytes;
mod down;
mod errors;
mod late;
mod limits;
mod pool;
mod values;
