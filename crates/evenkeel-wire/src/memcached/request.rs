//! What a client sends, one command at a time.
//!
//! The caller keeps the client's unread bytes, gives all of them to [`RequestParser::parse`], and drops from their
//! front what a [`Step`] says. The parser remembers how far it looked for the end of a line and how much of a refused
//! data block is still to come, so no byte is scanned twice and a block of any announced length is swallowed without
//! memory.
//!
//! ```
//! use evenkeel_wire::memcached::{Kind, RequestParser, Step};
//!
//! let mut parser = RequestParser::default();
//! let bytes = b"get foo bar\r\n";
//! let Step::Command(command) = parser.parse(bytes) else { panic!() };
//! assert_eq!(command.kind, Kind::Get);
//! assert_eq!(command.keys(bytes).collect::<Vec<_>>(), [b"foo", b"bar"]);
//! ```

use super::answers::{self, Answer};
use super::command::Command;
use super::line::Line;
use super::{Kind, Limits, classic, meta, read};

/// First byte of a request in the binary dialect.
const BINARY_MAGIC: u8 = 0x80;

/// What the bytes at hand amount to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// No whole unit yet: read more, then call again with these bytes and the new ones behind them.
    Incomplete,
    /// Drop this many bytes (at least one) and call again: they belong to something that was answered already.
    Skip(usize),
    /// A request. Drop `command.line_len` bytes, then deal with the data block if `command.body_len` tells of one;
    /// the next call begins behind the block and its line end.
    Command(Command),
    /// Answered here, without a node: an error, mostly. Drop `answer.consumed` bytes and go on, or close.
    Answer(Answer),
}

/// The parser of one client connection. 40 bytes, no allocation.
#[derive(Clone, Debug, Default)]
pub struct RequestParser {
    limits: Limits,
    /// Bytes from the front that are known to hold no line end.
    scanned: usize,
    /// Bytes of a refused data block still to drop.
    swallow: u64,
    /// True while the rest of a line that was too long is dropped.
    skipping_line: bool,
    /// True once the connection has shown which dialect it speaks.
    begun: bool,
}

impl RequestParser {
    /// A parser for a new connection.
    pub fn new(limits: Limits) -> Self {
        Self {
            limits,
            ..Self::default()
        }
    }

    /// The next unit at the front of `bytes`, the connection's unread bytes. O(new bytes).
    pub fn parse(&mut self, bytes: &[u8]) -> Step {
        if self.swallow > 0 || self.skipping_line {
            return self.skip(bytes);
        }
        if !self.begun {
            match bytes.first() {
                None => return Step::Incomplete,
                Some(&BINARY_MAGIC) => return Step::Answer(answers::binary(bytes.len())),
                Some(_) => self.begun = true,
            }
        }
        let unscanned = bytes.get(self.scanned..).unwrap_or_default();
        match memchr::memchr(b'\n', unscanned) {
            Some(at) => {
                let line_len = self.scanned + at + 1;
                self.scanned = 0;
                self.line(bytes, line_len)
            }
            None => self.no_line_end(bytes),
        }
    }

    /// Answers with the next unit as if nothing had been seen before; for a caller that threw bytes away.
    pub fn reset(&mut self) {
        *self = Self {
            limits: self.limits,
            begun: self.begun,
            ..Self::default()
        };
    }

    fn line(&mut self, bytes: &[u8], line_len: usize) -> Step {
        if line_len > self.limits.max_line && line_len > self.longest(bytes) {
            return Step::Answer(answers::line_too_long(bytes, line_len));
        }
        let line = Line::new(bytes, line_len);
        match self.command(&line) {
            Ok(command) => Step::Command(command),
            Err(answer) => {
                self.swallow = answer.swallow;
                Step::Answer(answer)
            }
        }
    }

    fn no_line_end(&mut self, bytes: &[u8]) -> Step {
        self.scanned = bytes.len();
        if bytes.len() < self.limits.max_line || bytes.len() < self.longest(bytes) {
            return Step::Incomplete;
        }
        self.scanned = 0;
        self.skipping_line = true;
        Step::Answer(answers::line_too_long(bytes, bytes.len()))
    }

    /// The bound on the line that begins here. Only multi-key reads may be longer than the server's own bound.
    fn longest(&self, bytes: &[u8]) -> usize {
        if read::is_read(bytes) {
            self.limits.max_read_line.max(self.limits.max_line)
        } else {
            self.limits.max_line
        }
    }

    fn skip(&mut self, bytes: &[u8]) -> Step {
        if bytes.is_empty() {
            return Step::Incomplete;
        }
        if self.swallow > 0 {
            let len = usize::try_from(self.swallow)
                .unwrap_or(usize::MAX)
                .min(bytes.len());
            self.swallow -= len as u64;
            return Step::Skip(len);
        }
        let end = memchr::memchr(b'\n', bytes);
        self.skipping_line = end.is_none();
        Step::Skip(end.map_or(bytes.len(), |at| at + 1))
    }

    fn command(&self, line: &Line<'_>) -> Result<Command, Answer> {
        let mut tokens = line.tokens();
        let Some(word) = tokens.next() else {
            return Err(line.error());
        };
        let word = word.of(line.bytes);
        let Some(kind) = Kind::from_word(word) else {
            return Err(unknown(line, word));
        };
        let rest = tokens.rest();
        match kind {
            Kind::Get | Kind::Gets => read::get(line, kind, rest, &self.limits),
            Kind::Gat | Kind::Gats => read::gat(line, kind, rest, &self.limits),
            Kind::Set | Kind::Add | Kind::Replace | Kind::Append | Kind::Prepend | Kind::Cas => {
                classic::store(line, kind, rest, &self.limits)
            }
            Kind::Incr | Kind::Decr => classic::arithmetic(line, kind, rest),
            Kind::Touch => classic::touch(line, rest),
            Kind::Delete => classic::delete(line, rest),
            Kind::Verbosity => classic::verbosity(line, rest),
            Kind::FlushAll => classic::flush_all(line, rest),
            Kind::MetaSet => meta::set(line, rest, &self.limits),
            Kind::MetaGet | Kind::MetaDelete | Kind::MetaArithmetic => {
                meta::keyed(line, kind, rest)
            }
            Kind::MetaDebug => meta::debug(line, rest),
            Kind::MetaNoop | Kind::Version | Kind::Quit | Kind::Stats | Kind::Admin => {
                Ok(Command {
                    args: rest,
                    ..Command::bare(line, kind)
                })
            }
        }
    }
}

/// A word that is no command. A line that ends in "HTTP/1.1" comes from someone who found the wrong port, or from a
/// browser that was made to send it; the server closes such a connection without a word, and so do we.
fn unknown(line: &Line<'_>, word: &[u8]) -> Answer {
    let judged_early = matches!(
        word.first(),
        Some(b'g' | b's' | b'a' | b'c' | b'i' | b'd' | b't')
    );
    let last = line.tokens().last().unwrap_or_default();
    if !judged_early && last.of(line.bytes).starts_with(b"HTTP/") {
        return Answer {
            close: true,
            ..line.answer(b"")
        };
    }
    line.error()
}
