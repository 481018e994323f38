//! One pipelined connection to a node, without its socket.
//!
//! Commands go out in the order of the queue of what waits, and replies are taken for the entry at its front. Whatever
//! breaks that order (a reply that does not parse, a value that nobody asked for, a reply that is late) ends the
//! connection, for after it nobody knows which reply is whose.

use super::outgoing::Outgoing;
use super::pending::{Pending, fingerprint};
use evenkeel_wire::memcached::{Expect, Reply, ReplyParser, ReplyStep, Status};
use std::collections::VecDeque;

/// Largest data block that is taken from a node. Bytes.
pub const MAX_NODE_VALUE: u32 = 128 * 1024 * 1024;

/// How far a connection has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// Not connected; nothing is tried before this time (milliseconds of the engine's clock).
    Down { until: u64 },
    /// The driver connects; given up at this time.
    Connecting { until: u64 },
    /// Connected after a failure; the node must answer one command first.
    Probing,
    /// In use.
    Up,
}

/// A node connection.
#[derive(Debug)]
pub struct Link {
    /// The engine's number of the node.
    pub node: usize,
    /// Number of this connection, new for each connect, never reused.
    pub connection: u64,
    pub state: State,
    /// Failed attempts since it last worked.
    pub attempts: u32,
    /// Commands to be sent.
    pub out: Outgoing,
    /// Commands that are not answered yet, in the order in which they were sent.
    pub waiting: VecDeque<Pending>,
    /// Fingerprints of the keys that reads in `waiting` asked for, in order.
    asked: VecDeque<u64>,
    /// Bytes received and not used up.
    input: Vec<u8>,
    parser: ReplyParser,
    /// The line at the front of `input`, whose data is not there in full.
    line: Option<Reply>,
    /// Whole reply of an operation of ours, so far.
    pub collected: Vec<u8>,
    /// Clients that are not read until this connection has less to do.
    pub blocked: Vec<usize>,
    /// Keys of the read that is being composed; 0 if none is.
    pub open_keys: u32,
    /// It is in the list of connections with something to send.
    pub touched: bool,
    /// How many of the first commands on moved keys in `waiting` were begun under an earlier record.
    pub earlier: usize,
}

/// What a node sent, one item or line at a time.
#[derive(Debug)]
pub enum Received {
    /// More is needed.
    Nothing,
    /// A line, with its data if it has any: `len` bytes at the front belong to `pending`.
    Piece {
        len: usize,
        reply: Reply,
        pending: Pending,
    },
    /// Out of step: end the connection.
    Broken(&'static str),
}

impl Link {
    /// A connection that was never tried.
    pub fn new(node: usize) -> Self {
        Self {
            node,
            connection: 0,
            state: State::Down { until: 0 },
            attempts: 0,
            out: Outgoing::default(),
            waiting: VecDeque::new(),
            asked: VecDeque::new(),
            input: Vec::new(),
            parser: ReplyParser::new(),
            line: None,
            collected: Vec::new(),
            blocked: Vec::new(),
            open_keys: 0,
            touched: false,
            earlier: 0,
        }
    }

    /// True if requests are taken: it is up, or it may well be in a moment.
    pub fn takes(&self) -> bool {
        match self.state {
            State::Up => true,
            State::Connecting { .. } | State::Probing => self.attempts <= 1,
            State::Down { .. } => false,
        }
    }

    /// Notes that the value of this key may come.
    pub fn ask(&mut self, key: &[u8]) {
        self.asked.push_back(fingerprint(key));
    }

    /// Notes a command that was appended to `out`.
    pub fn wait_for(&mut self, pending: Pending) {
        self.waiting.push_back(pending);
    }

    /// Unread bytes that are kept from the last time, with `bytes` behind them; give back what is left with
    /// [`Self::keep`].
    pub fn join<'a>(&mut self, bytes: &'a [u8]) -> std::borrow::Cow<'a, [u8]> {
        if self.input.is_empty() {
            return bytes.into();
        }
        let mut joined = std::mem::take(&mut self.input);
        joined.extend_from_slice(bytes);
        joined.into()
    }

    /// Keeps what is not used up yet. A buffer that is ours already is not copied.
    pub fn keep(&mut self, bytes: std::borrow::Cow<'_, [u8]>, used: usize) {
        if used >= bytes.len() {
            return;
        }
        self.input = match bytes {
            std::borrow::Cow::Borrowed(bytes) => bytes.get(used..).unwrap_or_default().to_vec(),
            std::borrow::Cow::Owned(mut bytes) => {
                bytes.drain(..used);
                bytes
            }
        };
    }

    /// The next piece at the front of `rest`.
    pub fn receive(&mut self, rest: &[u8]) -> Received {
        let Some(pending) = self.waiting.front().copied() else {
            return if rest.is_empty() {
                Received::Nothing
            } else {
                Received::Broken("it sent something that nobody asked for")
            };
        };
        let reply = match self.line.take() {
            Some(reply) => reply,
            None => match self.parser.parse(rest, pending.expect) {
                ReplyStep::Incomplete => return Received::Nothing,
                ReplyStep::Malformed => return Received::Broken("its reply cannot be read"),
                ReplyStep::Line(reply) => reply,
            },
        };
        if reply.body_len.is_some_and(|len| len > MAX_NODE_VALUE) {
            return Received::Broken("its value is too large");
        }
        let len = reply.whole_len();
        if rest.len() < len {
            self.line = Some(reply);
            return Received::Nothing;
        }
        self.check(len, reply, pending, rest)
    }

    /// Sees that data end where they should, and that a value is one of those asked for.
    fn check(&mut self, len: usize, reply: Reply, pending: Pending, rest: &[u8]) -> Received {
        let whole = rest.get(..len).unwrap_or_default();
        if reply.body_len.is_some() && !whole.ends_with(b"\r\n") {
            return Received::Broken("its value does not end where it said");
        }
        if reply.status == Status::Value && !self.was_asked(reply.key.of(rest)) {
            return Received::Broken("it sent the value of another key");
        }
        if reply.last {
            self.answered();
        }
        Received::Piece {
            len,
            reply,
            pending,
        }
    }

    /// Values come in the order of the keys; a key that is skipped is a miss.
    fn was_asked(&mut self, key: &[u8]) -> bool {
        let Some(pending) = self.waiting.front_mut() else {
            return false;
        };
        let wanted = fingerprint(key);
        while pending.keys > 0 {
            pending.keys -= 1;
            if self.asked.pop_front() == Some(wanted) {
                return true;
            }
        }
        false
    }

    fn answered(&mut self) {
        if let Some(pending) = self.waiting.pop_front() {
            if pending.moved {
                self.earlier = self.earlier.saturating_sub(1);
            }
            self.asked
                .drain(..(pending.keys as usize).min(self.asked.len()));
        }
    }

    /// Forgets the connection and gives what waited on it.
    pub fn end(&mut self) -> VecDeque<Pending> {
        self.out.clear();
        self.asked.clear();
        self.input = Vec::new();
        self.parser = ReplyParser::new();
        self.line = None;
        self.collected = Vec::new();
        self.open_keys = 0;
        self.earlier = 0;
        std::mem::take(&mut self.waiting)
    }
}

/// The command that shows that a node answers.
pub const PROBE: &[u8] = b"version\r\n";
/// Its reply.
pub const PROBE_EXPECT: Expect = Expect::Version;
