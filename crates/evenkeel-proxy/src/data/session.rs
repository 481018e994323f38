//! A client.

use super::replies::Replies;
use evenkeel_wire::memcached::{Command, Limits, RequestParser};

/// What a client has only while something is going on. Taken from a pool, so that idle clients cost next to nothing.
#[derive(Debug, Default)]
pub struct Busy {
    /// Bytes received and not used up.
    pub input: Vec<u8>,
    /// The command at the front of `input`, whose data block is not there in full.
    pub waiting: Option<Command>,
    /// What it is to be told.
    pub replies: Replies,
}

impl Busy {
    /// True if it can go back to the pool.
    pub fn is_idle(&self) -> bool {
        self.input.is_empty() && self.waiting.is_none() && self.replies.is_idle()
    }
}

/// A client connection, without its socket.
#[derive(Debug)]
pub struct Session {
    /// Tells it from a later client in the same place.
    pub generation: u32,
    pub parser: RequestParser,
    pub busy: Option<Box<Busy>>,
    /// Nothing more is read from it; it is closed once it has its answers.
    pub closing: bool,
    /// It said that it will send no more.
    pub ended: bool,
    /// It has requests that wait for room.
    pub paused: bool,
    /// It is in the list of clients with something to send.
    pub touched: bool,
}

impl Session {
    /// A new client.
    pub fn new(generation: u32, limits: Limits) -> Self {
        Self {
            generation,
            parser: RequestParser::new(limits),
            busy: None,
            closing: false,
            ended: false,
            paused: false,
            touched: false,
        }
    }
}
