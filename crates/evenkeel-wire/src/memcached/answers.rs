//! The answers that need no node, worded as memcached 1.6.18 words them.

use super::{Kind, read};
use crate::Span;

/// Unknown command, or a wrong number of words.
pub const ERROR: &[u8] = b"ERROR\r\n";
/// A word of the line cannot be read, or the key is too long.
pub const BAD_FORMAT: &[u8] = b"CLIENT_ERROR bad command line format\r\n";
/// The data block does not end in CR LF where its length says.
pub const BAD_DATA_CHUNK: &[u8] = b"CLIENT_ERROR bad data chunk\r\n";
/// The value is larger than the limit.
pub const TOO_LARGE: &[u8] = b"SERVER_ERROR object too large for cache\r\n";
/// The expiry of `touch`, `gat` or `flush_all` is no number.
pub const BAD_EXPTIME: &[u8] = b"CLIENT_ERROR invalid exptime argument\r\n";
/// The delta of `incr` or `decr` is no number.
pub const BAD_DELTA: &[u8] = b"CLIENT_ERROR invalid numeric delta argument\r\n";
/// `delete` with words that it does not know.
pub const BAD_DELETE: &[u8] =
    b"CLIENT_ERROR bad command line format.  Usage: delete <key> [noreply]\r\n";
/// A base64 key that is none.
pub const BAD_BASE64: &[u8] = b"CLIENT_ERROR error decoding key\r\n";
/// The same, as `md` and `ma` say it.
pub const BAD_FLAG: &[u8] = b"CLIENT_ERROR invalid or duplicate flag\r\n";
/// More flags than the server takes, as `mg` says it.
pub const TOO_MANY_FLAGS_GET: &[u8] = b"CLIENT_ERROR options flags are too long\r\n";
/// The same, as the others say it.
pub const TOO_MANY_FLAGS: &[u8] = b"CLIENT_ERROR options flags too long\r\n";
/// A line above the limit. The server closes without a word; ours is our own.
pub const LINE_TOO_LONG: &[u8] = b"CLIENT_ERROR line too long\r\n";
/// More keys than the limit. The server has none; the wording is ours.
pub const TOO_MANY_KEYS: &[u8] = b"CLIENT_ERROR too many keys\r\n";
/// `gat` without a key is a read of nothing.
pub const END: &[u8] = b"END\r\n";

/// A response of the binary dialect, so that a binary client shows its text: magic, 4 bytes of opcode and lengths,
/// status 0x83 (not supported), the body's length, and the text. Opcode, opaque and token are 0.
const BINARY: &[u8; 24 + 69] = b"\x81\0\0\0\0\0\0\x83\0\0\0\x45\0\0\0\0\0\0\0\0\0\0\0\0\
The binary protocol is not supported: use the text or meta protocol.\n";

/// An answer given without a node, and how to go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// What to send, in its place among the client's replies. Empty if the client asked for no reply.
    pub text: &'static [u8],
    /// Bytes to drop from the front.
    pub consumed: usize,
    /// The connection cannot go on: send the text, then close.
    pub close: bool,
    /// Bytes of the refused data block behind the line, its line end included. The parser drops them itself.
    pub swallow: u64,
    /// The command, where it got as far as being known and being refused for its data: so that a `set` that is too
    /// large can remove the old value, as the server does.
    pub kind: Option<Kind>,
    /// Its key, within the bytes that were parsed.
    pub key: Span,
}

impl Answer {
    /// True if this refuses a value for its size. The server removes the old value when a `set` or an `ms` is too
    /// large, so whoever refuses it in front of the server must delete the key.
    pub fn is_too_large(&self) -> bool {
        self.kind.is_some()
    }
}

/// The first byte of the connection announces the binary dialect.
pub(crate) fn binary(consumed: usize) -> Answer {
    Answer {
        text: BINARY,
        consumed,
        close: true,
        swallow: 0,
        kind: None,
        key: Span::default(),
    }
}

/// A line that ends nowhere near. If a data block may follow, nobody can tell where it begins.
pub(crate) fn line_too_long(bytes: &[u8], consumed: usize) -> Answer {
    let close = read::first_word(bytes)
        .and_then(Kind::from_word)
        .is_some_and(Kind::has_body);
    Answer {
        text: LINE_TOO_LONG,
        consumed,
        close,
        swallow: 0,
        kind: None,
        key: Span::default(),
    }
}
