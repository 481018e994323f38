//! memcached's text and meta dialects.
//!
//! - [`request`]: what a client sends, one [`Command`] at a time; errors are answered as memcached 1.6.18 does.
//! - [`reply`]: what a node answers, one line or item at a time.
//! - [`body`]: the data block that follows some lines, collected or streamed.
//! - [`cas`]: the tag in the upper bits of the tokens that clients see.
//! - [`compose`]: the commands that a proxy sends to nodes on its own account.
//! - [`metadump`]: the lines of `lru_crawler metadump`.
//!
//! The binary dialect is not spoken: memcached deprecates it, and a connection that begins with its magic byte is
//! told so and closed.

pub mod answers;
pub mod base64;
pub mod body;
pub mod cas;
mod class;
mod classic;
mod command;
pub mod compose;
mod kind;
mod limits;
mod line;
mod meta;
mod meta_flags;
pub mod metadump;
mod read;
pub mod reply;
mod reply_lines;
pub mod request;
mod tokens;

pub use answers::Answer;
pub use body::{Body, Piece};
pub use class::Class;
pub use command::Command;
pub use kind::Kind;
pub use limits::{Limits, MAX_KEY_LEN, MAX_META_TOKENS, MAX_VALUE_LEN};
pub use meta_flags::{MetaFlag, MetaFlags};
pub use reply::{Expect, Reply, ReplyParser, ReplyStep, Status};
pub use request::{RequestParser, Step};
