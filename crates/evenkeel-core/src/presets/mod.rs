//! Presets: names for complete descriptions that reproduce an existing client bit for bit.
//!
//! A preset is data: a [`crate::scheme::Recipe`] with what it reproduces and its quirks, in one small
//! file for each family. They are frozen: the output of a preset never changes.

mod options;
mod registry;

mod articles;
mod flexihash;
mod go;
mod haproxy;
mod java;
mod javascript;
mod libketama;
mod libmemcached;
mod nginx;
mod pecl_memcache;
mod perl;
mod phpredis;
mod python;
mod ruby;
mod twemproxy;

pub(crate) use options::resolve;
pub use registry::{Preset, find, nearest, presets};
