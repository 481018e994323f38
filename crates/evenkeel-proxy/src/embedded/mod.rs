//! A memcached node inside this process, for trying out and for tests.
//!
//! [`EmbeddedNode`] is the store, shared by all workers; [`EmbeddedSession`] is one connection to it: bytes in, bytes
//! out, no I/O. It speaks text and meta as memcached 1.6.18 does, down to the bytes, so that whatever works on it
//! works on a real node. What differs: a data block behind a line that cannot be read is swallowed (the server takes
//! it for commands); `ma ... T` works also where the number grows by a digit (there the server loses it); and
//! administration beyond `stats` and the listing of keys is not there.
//!
//! A request's path: `session` takes it apart with `evenkeel-wire`; `text` or `meta` looks up the node's `shard`,
//! acts on the `item` under the shard's lock, and writes the answer.

mod clock;
mod counters;
mod item;
mod listing;
mod meta;
mod meta_change;
mod meta_options;
mod node;
mod session;
mod shard;
mod stats;
mod store;
mod text;

pub use clock::{Clock, SystemClock};
pub use item::MAX_ITEM_SIZE;
pub use node::{DIALECT_VERSION, EmbeddedNode};
pub use session::EmbeddedSession;
