//! From a client's bytes to requests.

use super::engine::Engine;
use super::session::Busy;
use evenkeel_wire::memcached::{Answer, Command, Kind, RequestParser, Step, answers};

/// What a request led to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// It is dealt with.
    Done,
    /// There is no room for it now: the same bytes are to be looked at again.
    Blocked,
    /// It is dealt with, and the client is to be closed.
    Close,
}

/// The client whose bytes are being worked on.
#[derive(Debug)]
pub struct Turn<'a> {
    pub id: usize,
    pub generation: u32,
    pub busy: &'a mut Busy,
}

impl Engine {
    /// Works through a client's bytes and says how many are used up.
    pub(super) fn work(&mut self, id: usize, busy: &mut Busy, bytes: &[u8]) -> usize {
        let Some(session) = self.clients.get_mut(id) else {
            return bytes.len();
        };
        let mut parser = std::mem::take(&mut session.parser);
        let mut turn = Turn {
            id,
            generation: session.generation,
            busy,
        };
        let (used, flow) = self.requests(&mut turn, &mut parser, bytes);
        if let Some(session) = self.clients.get_mut(id) {
            session.parser = parser;
            session.paused = flow == Flow::Blocked;
            session.closing |= flow == Flow::Close || (session.ended && !session.paused);
        }
        used
    }

    fn requests(
        &mut self,
        turn: &mut Turn<'_>,
        parser: &mut RequestParser,
        bytes: &[u8],
    ) -> (usize, Flow) {
        let mut used = 0;
        loop {
            let rest = bytes.get(used..).unwrap_or_default();
            if !rest.is_empty() && !self.has_room(turn) {
                return (used, Flow::Blocked);
            }
            let (len, flow) = self.request(turn, parser, rest);
            used += len;
            if len == 0 || flow != Flow::Done {
                return (used, flow);
            }
        }
    }

    fn has_room(&self, turn: &Turn<'_>) -> bool {
        let settings = &self.snapshot.settings;
        turn.busy.replies.in_flight() < settings.max_in_flight
            && turn.busy.replies.buffered() < settings.client_out
    }

    /// One unit at the front of `rest`; 0 bytes if it is not there in full.
    fn request(
        &mut self,
        turn: &mut Turn<'_>,
        parser: &mut RequestParser,
        rest: &[u8],
    ) -> (usize, Flow) {
        if let Some(command) = turn.busy.waiting.take() {
            return self.whole(turn, command, rest);
        }
        match parser.parse(rest) {
            Step::Incomplete => (0, Flow::Done),
            Step::Skip(len) => (len, Flow::Done),
            Step::Answer(answer) => self.answer(turn, answer, rest),
            Step::Command(command) => self.whole(turn, command, rest),
        }
    }

    /// A command, once its data block is there.
    fn whole(&mut self, turn: &mut Turn<'_>, command: Command, rest: &[u8]) -> (usize, Flow) {
        let len = command.whole_len();
        let Some(bytes) = rest.get(..len) else {
            turn.busy.waiting = Some(command);
            return (0, Flow::Done);
        };
        if command.body_len.is_some() && !bytes.ends_with(b"\r\n") {
            let silent = command.quiet && !command.kind.is_meta();
            if !silent {
                turn.busy.replies.push_answer(answers::BAD_DATA_CHUNK);
            }
            self.counters.requests_bad.add();
            return (len, Flow::Done);
        }
        match self.route(turn, &command, bytes) {
            Flow::Blocked => {
                // The parser is not asked twice about one line.
                turn.busy.waiting = Some(command);
                (0, Flow::Blocked)
            }
            flow => {
                self.counters.requests.add();
                (len, flow)
            }
        }
    }

    fn answer(&mut self, turn: &mut Turn<'_>, answer: Answer, rest: &[u8]) -> (usize, Flow) {
        self.counters.requests_bad.add();
        if answer.is_too_large() && matches!(answer.kind, Some(Kind::Set | Kind::MetaSet)) {
            self.remove_refused(turn, answer.key.of(rest));
        }
        if !answer.text.is_empty() {
            turn.busy.replies.push_answer(answer.text);
        }
        let flow = if answer.close {
            Flow::Close
        } else {
            Flow::Done
        };
        (answer.consumed, flow)
    }
}
