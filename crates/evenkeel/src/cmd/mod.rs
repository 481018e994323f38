//! The subcommands, a file each.

pub mod proxy;
