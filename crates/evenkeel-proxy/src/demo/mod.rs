//! The story that Evenkeel exists for, told on embedded nodes: a cluster grows from 16 to 20 nodes under load, and the
//! database behind it feels it, or does not.
//!
//! A [`Story`] is one cluster with one way to change: modulo, a ring that switches at once, or a migration by the
//! rules of `evenkeel_core::migration`, the same code that the proxy runs. It advances by [`Story::tick`], has no
//! clock and no threads, and with one seed always tells the same. [`Picture`] draws all three side by side, for
//! `evenkeel demo`.

mod chart;
mod cluster;
mod load;
mod migrating;
mod operating;
mod picture;
mod story;

pub use chart::chart;
pub use picture::{DEFAULT_TICKS, Picture};
pub use story::{Settings, Story, Strategy, Tick};
