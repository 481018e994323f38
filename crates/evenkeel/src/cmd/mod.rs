//! A file for each command.

pub mod check;
pub mod completions;
pub mod import;
pub mod lookup;
pub mod man;
pub mod presets;
pub mod proxy;
