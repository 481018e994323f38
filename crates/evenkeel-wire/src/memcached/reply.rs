//! What a node answers, one line or item at a time.
//!
//! Replies carry no request id, so the parser is told which reply is awaited and takes nothing else: what does not
//! parse as *that* reply is [`ReplyStep::Malformed`], and the connection must be closed, for nobody knows any more
//! which reply belongs to whom.

use super::reply_lines;
use super::{MAX_KEY_LEN, MetaFlags};
use crate::Span;

/// Longest line of a reply in bytes, its end included. The longest that memcached sends is an item of the meta
/// dialect with a key, an opaque and all flags: about 700 bytes; a line of `stats` or of a listing stays below 1,100.
pub const MAX_REPLY_LINE: usize = 2048;

/// Which reply is awaited.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Expect {
    /// `VALUE` items, then `END`.
    Values {
        /// The items carry a CAS token (`gets`, `gats`).
        cas: bool,
    },
    /// `STORED`, `NOT_STORED`, `EXISTS` or `NOT_FOUND`.
    Stored,
    /// A number, or `NOT_FOUND`.
    Number,
    /// `TOUCHED` or `NOT_FOUND`.
    Touched,
    /// `DELETED` or `NOT_FOUND`.
    Deleted,
    /// `VA`, `HD` or `EN`.
    MetaGet,
    /// `HD`, `NS`, `EX` or `NF`.
    MetaSet,
    /// `HD`, `EX` or `NF`.
    MetaDelete,
    /// `VA`, `HD`, `NS`, `EX` or `NF`.
    MetaArithmetic,
    /// `MN`.
    MetaNoop,
    /// `ME` or `EN`.
    MetaDebug,
    /// `VERSION`.
    Version,
    /// `OK`.
    Ok,
    /// `STAT` lines, then `END`; or `RESET` or `OK`.
    Stats,
    /// Lines of `lru_crawler metadump`, then `END`; or `BUSY` and its like.
    Metadump,
}

/// What a line of a reply says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Status {
    /// `VALUE`: an item, its data behind the line.
    Value,
    /// `END`.
    End,
    /// `STORED`.
    Stored,
    /// `NOT_STORED`, meta `NS`.
    NotStored,
    /// `EXISTS`, meta `EX`.
    Exists,
    /// `NOT_FOUND`, meta `NF`.
    NotFound,
    /// `DELETED`.
    Deleted,
    /// `TOUCHED`.
    Touched,
    /// The result of `incr` or `decr`, in `Reply::number`.
    Number,
    /// Meta `VA`: an item, its data behind the line.
    MetaValue,
    /// Meta `HD`: done, or found without its data.
    MetaHeader,
    /// Meta `EN`: a miss.
    MetaMiss,
    /// Meta `MN`.
    MetaNoop,
    /// Meta `ME`.
    MetaDebug,
    /// `VERSION`.
    Version,
    /// `OK` or `RESET`.
    Ok,
    /// `STAT`.
    Stat,
    /// One key of a listing; parse its text with [`metadump`](super::metadump).
    Listed,
    /// `BUSY`, `BADCLASS` or `NOTSTARTED`: no listing now.
    NoListing,
    /// `ERROR`: the node does not know the command.
    Error,
    /// `CLIENT_ERROR`.
    ClientError,
    /// `SERVER_ERROR`.
    ServerError,
}

impl Status {
    /// True for the three kinds of error line. An error is a whole reply: the connection stays in step.
    pub fn is_error(self) -> bool {
        matches!(self, Self::Error | Self::ClientError | Self::ServerError)
    }
}

/// One line of a reply. Ranges refer to the bytes that were parsed; parts that a line does not have are empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reply {
    /// What it says.
    pub status: Status,
    /// Length of the line, its end included.
    pub line_len: usize,
    /// The line without its end.
    pub text: Span,
    /// Key of a `VALUE` or `ME`; compare it with the one asked for.
    pub key: Span,
    /// Client flags of a `VALUE`.
    pub client_flags: Span,
    /// CAS token of a `VALUE`, or of the meta flag `c` (without the letter).
    pub cas: Span,
    /// Flags of a meta line.
    pub meta: Span,
    /// The result of `incr` or `decr`.
    pub number: u64,
    /// Length of the data behind the line, without its CR LF; `None` if there is none.
    pub body_len: Option<u32>,
    /// With this line (and its data) the reply is over.
    pub last: bool,
}

impl Reply {
    /// The flags of a meta line.
    pub fn flags<'a>(&self, bytes: &'a [u8]) -> MetaFlags<'a> {
        MetaFlags::new(bytes, self.meta)
    }

    /// Line, data and line end together.
    pub fn whole_len(&self) -> usize {
        self.line_len + self.body_len.map_or(0, |len| len as usize + 2)
    }
}

/// What the bytes at hand amount to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReplyStep {
    /// No whole line yet: read more, then call again with these bytes and the new ones behind them.
    Incomplete,
    /// A line. Drop `line_len` bytes, then deal with the data ([`Body`](super::Body)); the next call begins behind it.
    Line(Reply),
    /// Not the reply that was awaited: close the connection and fail everything that waits on it.
    Malformed,
}

/// The parser of one node connection. Holds one number, allocates nothing.
#[derive(Clone, Debug, Default)]
pub struct ReplyParser {
    /// Bytes from the front that are known to hold no line end.
    scanned: usize,
}

impl ReplyParser {
    /// A parser for a new connection.
    pub fn new() -> Self {
        Self::default()
    }

    /// The next line at the front of `bytes`, the connection's unread bytes. O(new bytes).
    pub fn parse(&mut self, bytes: &[u8], expect: Expect) -> ReplyStep {
        let unscanned = bytes.get(self.scanned..).unwrap_or_default();
        let Some(at) = memchr::memchr(b'\n', unscanned) else {
            self.scanned = bytes.len();
            let hopeless = bytes.len() >= MAX_REPLY_LINE;
            return if hopeless {
                ReplyStep::Malformed
            } else {
                ReplyStep::Incomplete
            };
        };
        let line_len = self.scanned + at + 1;
        self.scanned = 0;
        match reply_lines::parse(bytes, line_len, expect) {
            Some(reply) if line_len <= MAX_REPLY_LINE && reply.key.len() <= MAX_KEY_LEN => {
                ReplyStep::Line(reply)
            }
            _ => ReplyStep::Malformed,
        }
    }
}
