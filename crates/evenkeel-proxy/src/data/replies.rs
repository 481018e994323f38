//! A client's replies in the order of its requests, whatever the order in which nodes answer.
//!
//! The request at the front writes straight to the client; the others write to a stash of their own until it is their
//! turn.

use super::outgoing::Outgoing;
use std::collections::VecDeque;

/// How a reply ends once all its parts are there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// With what its node said last.
    Nodes,
    /// With `END`: the parts of a read carry none.
    End,
    /// With `OK`, for a command that went to every node.
    Ok,
    /// Nothing is sent: the client asked for no reply.
    Silent,
}

/// One request that waits for its answer.
#[derive(Debug)]
struct Slot {
    parts: u32,
    ending: Ending,
    /// What to send in place of the ending.
    failure: Option<Vec<u8>>,
    stash: Vec<u8>,
}

impl Slot {
    fn is_done(&self) -> bool {
        self.parts == 0
    }

    fn end(&mut self, out: &mut Vec<u8>) {
        match (self.ending, self.failure.take()) {
            (Ending::Silent, _) | (Ending::Nodes, None) => {}
            (_, Some(failure)) => out.extend_from_slice(&failure),
            (Ending::End, None) => out.extend_from_slice(b"END\r\n"),
            (Ending::Ok, None) => out.extend_from_slice(b"OK\r\n"),
        }
    }
}

/// Most stashes that are kept for reuse, per worker.
const KEPT_STASHES: usize = 256;
/// A stash that grew beyond this is not kept. Bytes.
const KEPT_STASH: usize = 16 * 1024;

/// Stashes for reuse.
#[derive(Debug, Default)]
pub struct Stashes(Vec<Vec<u8>>);

impl Stashes {
    fn take(&mut self) -> Vec<u8> {
        self.0.pop().unwrap_or_default()
    }

    fn give(&mut self, mut stash: Vec<u8>) {
        if (1..=KEPT_STASH).contains(&stash.capacity()) && self.0.len() < KEPT_STASHES {
            stash.clear();
            self.0.push(stash);
        }
    }
}

/// The replies of one client.
#[derive(Debug, Default)]
pub struct Replies {
    slots: VecDeque<Slot>,
    /// Number of the request at the front; wraps around.
    head: u32,
    /// Bytes in stashes.
    stashed: usize,
    /// What goes to the client next.
    pub out: Outgoing,
}

impl Replies {
    /// Requests that wait for answers.
    pub fn in_flight(&self) -> usize {
        self.slots.len()
    }

    /// Bytes of answers that wait to be sent.
    pub fn buffered(&self) -> usize {
        self.out.len() + self.stashed
    }

    /// True if nothing waits and nothing is to be sent.
    pub fn is_idle(&self) -> bool {
        self.slots.is_empty() && self.out.is_empty()
    }

    /// A request that waits for `parts` answers (at least one); gives its number.
    pub fn push(&mut self, parts: u32, ending: Ending) -> u32 {
        let seq = self.next();
        self.slots.push_back(Slot {
            parts,
            ending,
            failure: None,
            stash: Vec::new(),
        });
        seq
    }

    /// A request that is answered already.
    pub fn push_answer(&mut self, text: &[u8]) {
        if self.slots.is_empty() {
            self.out.push(text);
            return;
        }
        self.stashed += text.len();
        self.slots.push_back(Slot {
            parts: 0,
            ending: Ending::Nodes,
            failure: None,
            stash: text.to_vec(),
        });
    }

    /// The number that the next request gets.
    pub fn next(&self) -> u32 {
        self.head.wrapping_add(self.slots.len() as u32)
    }

    /// A piece of the reply to request `seq`.
    pub fn write(&mut self, seq: u32, bytes: &[u8], stashes: &mut Stashes) {
        self.write_with(seq, stashes, |out| out.extend_from_slice(bytes));
    }

    /// As [`Self::write`], composed in place.
    pub fn write_with(
        &mut self,
        seq: u32,
        stashes: &mut Stashes,
        compose: impl FnOnce(&mut Vec<u8>),
    ) {
        let index = seq.wrapping_sub(self.head) as usize;
        let Some(slot) = self.slots.get_mut(index) else {
            return;
        };
        if slot.ending == Ending::Silent {
            return;
        }
        if index == 0 {
            return compose(self.out.bytes_mut());
        }
        if slot.stash.capacity() == 0 {
            slot.stash = stashes.take();
        }
        let before = slot.stash.len();
        compose(&mut slot.stash);
        self.stashed += slot.stash.len() - before;
    }

    /// Replaces the ending of request `seq`. The first failure is the one that is told.
    pub fn fail(&mut self, seq: u32, text: &[u8]) {
        if let Some(slot) = self.slots.get_mut(seq.wrapping_sub(self.head) as usize) {
            slot.failure.get_or_insert_with(|| text.to_vec());
        }
    }

    /// One part of request `seq` is over. Releases what is in turn.
    pub fn part_done(&mut self, seq: u32, stashes: &mut Stashes) {
        let index = seq.wrapping_sub(self.head) as usize;
        if let Some(slot) = self.slots.get_mut(index) {
            slot.parts = slot.parts.saturating_sub(1);
        }
        if index == 0 {
            self.release(stashes);
        }
    }

    fn release(&mut self, stashes: &mut Stashes) {
        while let Some(slot) = self.slots.front_mut() {
            if !slot.stash.is_empty() {
                let stash = std::mem::take(&mut slot.stash);
                self.stashed -= stash.len();
                self.out.push(&stash);
                stashes.give(stash);
            }
            if !slot.is_done() {
                return;
            }
            slot.end(self.out.bytes_mut());
            self.slots.pop_front();
            self.head = self.head.wrapping_add(1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replies_leave_in_request_order() {
        let (mut replies, mut stashes) = (Replies::default(), Stashes::default());
        let a = replies.push(1, Ending::Nodes);
        let b = replies.push(2, Ending::End);
        let c = replies.push(1, Ending::Silent);
        replies.push_answer(b"MN\r\n");
        replies.write(b, b"VALUE b 0 0\r\n\r\n", &mut stashes);
        replies.part_done(b, &mut stashes);
        replies.write(c, b"STORED\r\n", &mut stashes);
        replies.part_done(c, &mut stashes);
        replies.part_done(b, &mut stashes);
        assert!(replies.out.is_empty());
        replies.write(a, b"STORED\r\n", &mut stashes);
        replies.part_done(a, &mut stashes);
        assert_eq!(
            replies.out.unsent(),
            b"STORED\r\nVALUE b 0 0\r\n\r\nEND\r\nMN\r\n"
        );
        assert_eq!((replies.in_flight(), replies.stashed), (0, 0));
    }

    #[test]
    fn a_failed_part_replaces_the_end() {
        let (mut replies, mut stashes) = (Replies::default(), Stashes::default());
        let seq = replies.push(2, Ending::End);
        replies.fail(seq, b"SERVER_ERROR x\r\n");
        replies.part_done(seq, &mut stashes);
        replies.write(seq, b"VALUE b 0 0\r\n\r\n", &mut stashes);
        replies.part_done(seq, &mut stashes);
        assert_eq!(
            replies.out.unsent(),
            b"VALUE b 0 0\r\n\r\nSERVER_ERROR x\r\n"
        );
    }
}
