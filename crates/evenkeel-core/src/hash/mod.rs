//! Hash functions: one small file for each family, behind the one [table](Hash) that also drives names, parsing and documentation.
//!
//! Every function is one-shot over bytes, has no seed unless its row says so, and gives the value that the program named in its row
//! computes on x86-64. Nothing here knows about nodes or rings.

mod adler32;
mod articles;
mod crc;
mod digest;
mod fnv;
mod haproxy;
mod hsieh;
mod jenkins;
mod mix;
mod murmur;
mod one_at_a_time;
mod step;
mod table;
mod text;

pub(crate) use crc::chained_crc32;
pub use digest::WordForm;
pub(crate) use haproxy::avalanche;
pub(crate) use mix::{GOLDEN, mix};
pub(crate) use murmur::murmur3_32;
pub use step::Step;
pub(crate) use step::{bits_after, finish};
pub use table::{Hash, UnknownHash};
pub(crate) use text::low_bytes_of_code_points;
