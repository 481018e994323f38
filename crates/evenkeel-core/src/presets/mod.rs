//! Presets: names for complete descriptions that reproduce an existing client bit for bit.
//!
//! A preset is data, a [`Recipe`] with what it reproduces and its quirks; one small file for each family. They are frozen: the output
//! of a preset never changes.

mod options;
mod registry;

mod libmemcached;

pub(crate) use options::resolve;
pub use registry::{Preset, find, nearest, presets};
