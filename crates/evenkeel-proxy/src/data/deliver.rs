//! From a node's bytes to the client, or the operation, that waits for them.

use super::engine::{Engine, Heard, Outcome};
use super::link::{Received, State};
use super::links::End;
use super::pending::{Form, Owner, Pending};
use evenkeel_wire::memcached::{Reply, cas};

impl Engine {
    /// Bytes from a node.
    pub fn link_received(&mut self, id: usize, bytes: &[u8]) {
        let Some(link) = self.links.get_mut(id) else {
            return;
        };
        let bytes = link.join(bytes);
        let mut used = 0;
        loop {
            let rest = bytes.get(used..).unwrap_or_default();
            let Some(link) = self.links.get_mut(id) else {
                return;
            };
            match link.receive(rest) {
                Received::Nothing => {
                    link.keep(bytes, used);
                    return;
                }
                Received::Broken(why) => {
                    self.counters.node_malformed.add();
                    return self.end_link(id, why, End::Ours);
                }
                Received::Piece {
                    len,
                    reply,
                    pending,
                } => {
                    let piece = rest.get(..len).unwrap_or_default();
                    self.deliver(id, &pending, &reply, piece);
                    used += len;
                }
            }
        }
    }

    fn deliver(&mut self, id: usize, pending: &Pending, reply: &Reply, piece: &[u8]) {
        match pending.owner {
            Owner::Client { .. } => self.give_client(id, pending, reply, piece),
            Owner::Operation(operation) => self.give_operation(id, operation, reply, piece),
            Owner::Nobody => {}
        }
        if reply.last {
            self.answered(id);
        }
    }

    fn give_client(&mut self, id: usize, pending: &Pending, reply: &Reply, piece: &[u8]) {
        let Owner::Client {
            id: client, seq, ..
        } = pending.owner
        else {
            return;
        };
        let tag = self.tag_of(id);
        let Some((busy, stashes)) = self.busy_of(pending.owner) else {
            return;
        };
        let replies = &mut busy.replies;
        if pending.form.shows(reply.status) {
            if reply.status.is_error() && matches!(pending.form, Form::Items | Form::Errors) {
                replies.fail(seq, piece);
            } else if reply.cas.is_empty() {
                replies.write(seq, piece, stashes);
            } else {
                replies.write_with(seq, stashes, |out| push_tagged(out, reply, piece, tag));
            }
        }
        if reply.last {
            replies.part_done(seq, stashes);
            self.client_answered(client as usize);
        }
    }

    /// A client has one answer more.
    pub(super) fn client_answered(&mut self, id: usize) {
        if let Some(session) = self.clients.get(id) {
            let paused = session.paused;
            self.touch_client(id);
            if paused {
                self.resume_if_room(id);
            }
        }
    }

    fn give_operation(&mut self, id: usize, operation: u64, reply: &Reply, piece: &[u8]) {
        let Some(link) = self.links.get_mut(id) else {
            return;
        };
        link.collected.extend_from_slice(piece);
        if reply.last {
            let bytes = std::mem::take(&mut link.collected);
            self.heard.push(Heard {
                operation,
                connection: link.connection,
                outcome: Outcome::Reply(bytes),
            });
        }
    }

    /// The node has answered a command: it works, and there may be room for those who wait.
    fn answered(&mut self, id: usize) {
        let settings = &self.snapshot.settings;
        let Some(link) = self.links.get_mut(id) else {
            return;
        };
        if link.state == State::Probing {
            link.state = State::Up;
        }
        link.attempts = 0;
        if !link.blocked.is_empty()
            && link.waiting.len() <= settings.node_in_flight / 2
            && link.out.len() <= settings.node_out / 2
        {
            self.resumable.append(&mut link.blocked);
        }
    }

    fn tag_of(&self, link: usize) -> u16 {
        self.links
            .get(link)
            .and_then(|link| self.nodes.get(link.node))
            .map_or(0, |node| node.tag)
    }
}

/// The piece with the tag in its token. A token so large that it needs the tag's bits cannot be compared later; 0 is
/// one that no value has.
fn push_tagged(out: &mut Vec<u8>, reply: &Reply, piece: &[u8], tag: u16) {
    let token = cas::read(reply.cas.of(piece)).and_then(|token| cas::join(tag, token));
    let (line, data) = piece
        .split_at_checked(reply.line_len)
        .unwrap_or((piece, &[]));
    cas::push_line(out, line, reply.cas, token.unwrap_or(0));
    out.extend_from_slice(data);
}
