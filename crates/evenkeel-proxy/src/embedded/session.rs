//! One connection to an embedded node.

use super::counters::Count;
use super::node::{DIALECT_VERSION, EmbeddedNode};
use super::{listing, meta, meta_change, stats, text};
use evenkeel_wire::memcached::{Body, Command, Kind, Limits, RequestParser, Step, answers};
use std::sync::Arc;

/// Longest line of a multi-key read, in bytes. The server has no bound; this one only guards the memory.
const MAX_READ_LINE: usize = 4 * 1024 * 1024;

/// Bytes in, bytes out: what a socket to a real node would do.
///
/// ```
/// # use evenkeel_proxy::embedded::{EmbeddedNode, EmbeddedSession};
/// let node = std::sync::Arc::new(EmbeddedNode::new(64 * 1024 * 1024));
/// let mut session = EmbeddedSession::new(node);
/// let mut out = Vec::new();
/// session.receive(b"set k 0 0 1\r\nx\r\nget k\r\n", &mut out);
/// assert_eq!(out, b"STORED\r\nVALUE k 0 1\r\nx\r\nEND\r\n");
/// ```
#[derive(Debug)]
pub struct EmbeddedSession {
    node: Arc<EmbeddedNode>,
    parser: RequestParser,
    /// Bytes received and not used up.
    unread: Vec<u8>,
    /// The command at the front of `unread`, whose data block is not there yet in full.
    waiting: Option<Command>,
    /// The data block of a refused command, being dropped.
    dropping: Option<Body>,
    closed: bool,
}

impl EmbeddedSession {
    /// A new connection.
    pub fn new(node: Arc<EmbeddedNode>) -> Self {
        let limits = Limits {
            max_read_line: MAX_READ_LINE,
            max_keys: usize::MAX,
            ..Limits::default()
        };
        Self {
            node,
            parser: RequestParser::new(limits),
            unread: Vec::new(),
            waiting: None,
            dropping: None,
            closed: false,
        }
    }

    /// Takes what was sent to the node and appends what it answers. After `quit`, nothing more is answered.
    pub fn receive(&mut self, bytes: &[u8], out: &mut Vec<u8>) {
        if self.unread.is_empty() {
            let used = self.run(bytes, out);
            self.unread
                .extend_from_slice(bytes.get(used..).unwrap_or_default());
        } else {
            let mut unread = std::mem::take(&mut self.unread);
            unread.extend_from_slice(bytes);
            let used = self.run(&unread, out);
            unread.drain(..used);
            self.unread = unread;
        }
        if self.unread.is_empty() {
            // A large value's memory is not kept.
            self.unread = Vec::new();
        }
    }

    /// True once the node has closed the connection.
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    /// Works through `bytes` and says how many are done with.
    fn run(&mut self, bytes: &[u8], out: &mut Vec<u8>) -> usize {
        let mut used = 0;
        loop {
            let rest = bytes.get(used..).unwrap_or_default();
            match self.step(rest, out) {
                _ if self.closed => return bytes.len(),
                0 => return used,
                len => used += len,
            }
        }
    }

    /// One unit at the front of `rest`; 0 if it is not there in full.
    fn step(&mut self, rest: &[u8], out: &mut Vec<u8>) -> usize {
        if let Some(body) = &mut self.dropping {
            let piece = body.advance(rest);
            if piece.last {
                self.dropping = None;
            }
            return piece.len;
        }
        if let Some(command) = self.waiting {
            return self.with_body(command, rest, out);
        }
        match self.parser.parse(rest) {
            Step::Incomplete => 0,
            Step::Skip(len) => len,
            Step::Answer(answer) => {
                out.extend_from_slice(answer.text);
                self.closed |= answer.close;
                answer.consumed
            }
            Step::Command(command) => match command.body_len {
                None => {
                    self.plain(&command, rest, out);
                    command.line_len
                }
                Some(len) if self.refuses(&command, rest, out) => {
                    self.dropping = Some(Body::new(len));
                    command.line_len
                }
                Some(_) => self.with_body(command, rest, out),
            },
        }
    }

    /// Refuses a storage command by its line alone.
    fn refuses(&self, command: &Command, rest: &[u8], out: &mut Vec<u8>) -> bool {
        if command.kind == Kind::MetaSet {
            let refusal = meta_change::refuse_set(&self.node, command, rest);
            if let Some(line) = refusal {
                meta::push_line(out, line);
            }
            return refusal.is_some();
        }
        let refused = text::refuse_too_large(&self.node, command, rest);
        if refused && !command.quiet {
            out.extend_from_slice(answers::TOO_LARGE);
        }
        refused
    }

    /// A storage command, once its block is there.
    fn with_body(&mut self, command: Command, rest: &[u8], out: &mut Vec<u8>) -> usize {
        let Some(block) = rest.get(command.line_len..command.whole_len()) else {
            self.waiting = Some(command);
            return 0;
        };
        self.waiting = None;
        self.node.counters.add(Count::CmdSet);
        let is_meta = command.kind == Kind::MetaSet;
        match block.strip_suffix(b"\r\n") {
            None if command.quiet && !is_meta => {}
            None => out.extend_from_slice(answers::BAD_DATA_CHUNK),
            Some(value) if is_meta => meta_change::set(&self.node, &command, rest, value, out),
            Some(value) => {
                let answer = text::store(&self.node, &command, rest, value);
                push_unless_quiet(&command, answer, out);
            }
        }
        command.whole_len()
    }

    fn plain(&mut self, command: &Command, rest: &[u8], out: &mut Vec<u8>) {
        let node = &*self.node;
        match command.kind {
            Kind::Get | Kind::Gets | Kind::Gat | Kind::Gats => text::get(node, command, rest, out),
            Kind::Incr | Kind::Decr => {
                let mark = out.len();
                text::arithmetic(node, command, rest, out);
                if command.quiet {
                    out.truncate(mark);
                }
            }
            Kind::Touch => push_unless_quiet(command, text::touch(node, command, rest), out),
            Kind::Delete => push_unless_quiet(command, text::delete(node, command, rest), out),
            Kind::FlushAll => push_unless_quiet(command, text::flush_all(node, command, rest), out),
            Kind::Verbosity => push_unless_quiet(command, b"OK\r\n", out),
            Kind::MetaGet => meta::get(node, command, rest, out),
            Kind::MetaDelete => meta_change::delete(node, command, rest, out),
            Kind::MetaArithmetic => meta_change::arithmetic(node, command, rest, out),
            Kind::MetaDebug => meta::debug(node, command, rest, out),
            Kind::MetaNoop => out.extend_from_slice(b"MN\r\n"),
            Kind::Version => {
                out.extend_from_slice(b"VERSION ");
                meta::push_line(out, DIALECT_VERSION);
            }
            Kind::Stats => stats::stats(node, first_word(command.args.of(rest)), out),
            Kind::Quit => self.closed = true,
            Kind::Admin => self.admin(command, rest, out),
            // These have a data block and do not come here.
            Kind::Set
            | Kind::Add
            | Kind::Replace
            | Kind::Append
            | Kind::Prepend
            | Kind::Cas
            | Kind::MetaSet => {}
        }
    }

    /// Of the server's administration only the listing is there.
    fn admin(&self, command: &Command, rest: &[u8], out: &mut Vec<u8>) {
        let words: Vec<&[u8]> = command
            .text
            .of(rest)
            .split(|byte| *byte == b' ')
            .filter(|word| !word.is_empty())
            .collect();
        match words.as_slice() {
            [b"lru_crawler", b"metadump", b"all" | b"hash"] => listing::list(&self.node, out),
            [b"lru_crawler", b"metadump", _] => {
                out.extend_from_slice(b"BADCLASS invalid class id\r\n")
            }
            _ => out.extend_from_slice(answers::ERROR),
        }
    }
}

fn push_unless_quiet(command: &Command, answer: &[u8], out: &mut Vec<u8>) {
    if !command.quiet {
        out.extend_from_slice(answer);
    }
}

fn first_word(args: &[u8]) -> &[u8] {
    args.split(|byte| *byte == b' ')
        .find(|word| !word.is_empty())
        .unwrap_or_default()
}
