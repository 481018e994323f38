//! Reads of several keys: one part per node, the values merged as they come.

use super::engine::Engine;
use super::pending::{Form, Owner, Pending};
use super::replies::Ending;
use super::route::Room;
use super::work::{Flow, Turn};
use crate::OnNodeDown;
use evenkeel_core::migration::operation::Source;
use evenkeel_wire::memcached::{Class, Command, Kind};

impl Engine {
    pub(super) fn split(&mut self, turn: &mut Turn<'_>, command: &Command, bytes: &[u8]) -> Flow {
        // One look is enough: a request may exceed the bound by itself, never by much.
        let first = self.node_of(command.key(bytes));
        if let Some(link) = self.link_for(first, turn.id)
            && let Room::Full = self.room(link)
        {
            return self.block(turn, link);
        }
        let moved = match self.gate_many(turn, command, bytes) {
            Ok(moved) => moved,
            Err(flow) => return flow,
        };
        let failure = self.collect(turn, command, bytes, &moved);
        if self.parts.is_empty() && moved.is_empty() {
            turn.busy
                .replies
                .push_answer(failure.as_deref().unwrap_or(b"END\r\n"));
            return Flow::Done;
        }
        self.counters.requests_split.add();
        let seq = turn
            .busy
            .replies
            .push((self.parts.len() + moved.len()) as u32, Ending::End);
        if let Some(failure) = failure {
            turn.busy.replies.fail(seq, &failure);
        }
        self.send_parts(turn, command, seq);
        for (place, way) in moved {
            let key = command.keys(bytes).nth(place).unwrap_or_default();
            self.start_task(turn, command, bytes, key, seq, way);
        }
        Flow::Done
    }

    /// Appends each key to its node's part; gives the failure to tell, if nodes are down.
    fn collect(
        &mut self,
        turn: &Turn<'_>,
        command: &Command,
        bytes: &[u8],
        moved: &[(usize, (Source, usize, usize))],
    ) -> Option<Vec<u8>> {
        let mut moved = moved.iter().map(|(place, _)| *place).peekable();
        self.parts.clear();
        let mut failure = None;
        for (place, key) in command.keys(bytes).enumerate() {
            if moved.next_if_eq(&place).is_some() {
                continue;
            }
            let node = self.node_of(key);
            let Some(id) = self.link_for(node, turn.id) else {
                continue;
            };
            if let Room::Down = self.room(id) {
                if failure.is_none() {
                    failure = self.failure_of_part(node, command);
                }
                continue;
            }
            let Some(link) = self.links.get_mut(id) else {
                continue;
            };
            if link.open_keys == 0 {
                self.parts.push(id);
                link.out.push(word(command.kind));
                if !command.exptime.is_empty() {
                    link.out.push(b" ");
                    link.out.push(command.exptime.of(bytes));
                }
            }
            link.open_keys += 1;
            link.out.push(b" ");
            link.out.push(key);
            link.ask(key);
        }
        failure
    }

    fn failure_of_part(&mut self, node: usize, command: &Command) -> Option<Vec<u8>> {
        if command.class == Class::Read && self.snapshot.settings.on_node_down == OnNodeDown::Miss {
            self.counters.misses_for_down_node.add();
            return None;
        }
        self.counters.node_failures.add();
        Some(self.down(node))
    }

    fn send_parts(&mut self, turn: &Turn<'_>, command: &Command, seq: u32) {
        let Some(expect) = command.kind.expect() else {
            return;
        };
        let deadline = self.deadline();
        let moved = std::mem::take(&mut self.marks);
        let parts = std::mem::take(&mut self.parts);
        for id in &parts {
            if let Some(link) = self.links.get_mut(*id) {
                link.out.push(b"\r\n");
                let keys = std::mem::take(&mut link.open_keys);
                link.wait_for(Pending {
                    owner: Owner::Client {
                        id: turn.id as u32,
                        generation: turn.generation,
                        seq,
                    },
                    expect,
                    form: Form::Items,
                    reads: command.class == Class::Read,
                    keys,
                    moved,
                    deadline,
                });
            }
            self.touch_link(*id);
        }
        self.parts = parts;
    }
}

fn word(kind: Kind) -> &'static [u8] {
    match kind {
        Kind::Gets => b"gets",
        Kind::Gat => b"gat",
        Kind::Gats => b"gats",
        _ => b"get",
    }
}
