//! A request, taken apart.

use super::base64;
use super::line::Line;
use super::tokens::Tokens;
use super::{Class, Kind, MAX_KEY_LEN, MetaFlags};
use crate::Span;

/// One request. All ranges refer to the bytes that were given to the parser; parts that a command does not have are
/// empty ranges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Command {
    /// Which command.
    pub kind: Kind,
    /// What it means to a key that is being moved.
    pub class: Class,
    /// `noreply`, or the meta flag `q`. Quiet meta commands still answer errors and unexpected outcomes.
    pub quiet: bool,
    /// The key is written in base64 (meta flag `b`); route on what [`Command::routing_key`] gives.
    pub base64_key: bool,
    /// Length of the line, its end included.
    pub line_len: usize,
    /// The line without its end, and without what a NUL byte cuts off.
    pub text: Span,
    /// From the first key to the last.
    pub keys: Span,
    /// How many keys there are.
    pub key_count: u32,
    /// Everything behind the command word that is not key: the flags of a meta command, the words of `stats`.
    pub args: Span,
    /// Expiry of storage commands, `touch`, `gat` and `flush_all`. Pass it on as it is written, never as a number.
    pub exptime: Span,
    /// Client flags of storage commands.
    pub client_flags: Span,
    /// CAS token of `cas`, and of meta commands with the flag `C` (without the letter).
    pub cas: Span,
    /// Delta of `incr` and `decr`.
    pub delta: Span,
    /// Length of the data block, without the CR LF behind it; `None` for commands that have no data block.
    pub body_len: Option<u32>,
}

impl Command {
    /// A command with nothing but its word.
    pub(crate) fn bare(line: &Line<'_>, kind: Kind) -> Self {
        Self {
            kind,
            class: Class::of(kind, MetaFlags::none()),
            quiet: false,
            base64_key: false,
            line_len: line.len,
            text: line.text,
            keys: Span::default(),
            key_count: 0,
            args: Span::default(),
            exptime: Span::default(),
            client_flags: Span::default(),
            cas: Span::default(),
            delta: Span::default(),
            body_len: None,
        }
    }

    /// A command with one key.
    pub(crate) fn keyed(line: &Line<'_>, kind: Kind, key: Span) -> Self {
        Self {
            keys: key,
            key_count: 1,
            ..Self::bare(line, kind)
        }
    }

    /// The only key, or the first; empty if there is none.
    pub fn key<'a>(&self, bytes: &'a [u8]) -> &'a [u8] {
        self.keys(bytes).next().unwrap_or_default()
    }

    /// All keys, in order, doubles included.
    pub fn keys<'a>(&self, bytes: &'a [u8]) -> impl Iterator<Item = &'a [u8]> + use<'a> {
        self.key_spans(bytes).map(|key| key.of(bytes))
    }

    /// Where the keys are.
    pub fn key_spans<'a>(&self, bytes: &'a [u8]) -> impl Iterator<Item = Span> + use<'a> {
        Tokens::new(bytes, self.keys)
    }

    /// The bytes to route a single-key command on: the key, decoded into `scratch` if it is written in base64.
    pub fn routing_key<'a>(&self, bytes: &'a [u8], scratch: &'a mut [u8; MAX_KEY_LEN]) -> &'a [u8] {
        let key = self.key(bytes);
        if self.base64_key {
            base64::decode(key, scratch).unwrap_or_default()
        } else {
            key
        }
    }

    /// The flags of a meta command.
    pub fn flags<'a>(&self, bytes: &'a [u8]) -> MetaFlags<'a> {
        if self.kind.is_meta() {
            MetaFlags::new(bytes, self.args)
        } else {
            MetaFlags::none()
        }
    }

    /// Line, data block and line end together: what to forward verbatim.
    pub fn whole_len(&self) -> usize {
        self.line_len + self.body_len.map_or(0, |len| len as usize + 2)
    }
}
