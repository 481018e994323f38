//! From a request to the node that serves it.

use super::engine::Engine;
use super::link::Link;
use super::pending::{Form, Owner, Pending};
use super::replies::Ending;
use super::rewrite;
use super::work::{Flow, Turn};
use crate::OnNodeDown;
use evenkeel_wire::memcached::{Class, Command, Expect, Kind, MAX_KEY_LEN, cas};

/// Whether a node connection takes a request.
pub(super) enum Room {
    Yes,
    /// Later: it has too much to do.
    Full,
    /// The node is down.
    Down,
}

impl Engine {
    /// Deals with one whole request. The place of the migration gate is between `node_of` and `forward`.
    pub(super) fn route(&mut self, turn: &mut Turn<'_>, command: &Command, bytes: &[u8]) -> Flow {
        match command.kind {
            Kind::Get | Kind::Gets | Kind::Gat | Kind::Gats => {
                self.counters.requests_get.add();
                if command.key_count > 1 {
                    return self.split(turn, command, bytes);
                }
            }
            kind if command.key_count == 0 => return self.local(turn, kind, command, bytes),
            Kind::MetaGet => self.counters.requests_get.add(),
            kind if kind.has_body() => self.counters.requests_set.add(),
            _ => {}
        }
        if self.gate.is_some()
            && let Some(flow) = self.gate_one(turn, command, bytes)
        {
            return flow;
        }
        let node = if command.base64_key {
            let mut scratch = [0; MAX_KEY_LEN];
            self.node_of(command.routing_key(bytes, &mut scratch))
        } else {
            self.node_of(command.key(bytes))
        };
        self.forward(turn, node, command, bytes)
    }

    /// The engine's number of the node that owns the key.
    pub(super) fn node_of(&self, key: &[u8]) -> usize {
        let index = self.snapshot.placement.node_of(key).get();
        self.owners.get(index).copied().unwrap_or_default()
    }

    fn forward(
        &mut self,
        turn: &mut Turn<'_>,
        node: usize,
        command: &Command,
        bytes: &[u8],
    ) -> Flow {
        let Some(link) = self.link_for(node, turn.id) else {
            return Flow::Done;
        };
        match self.room(link) {
            Room::Yes => {}
            Room::Full => return self.block(turn, link),
            Room::Down => {
                self.refuse(turn, node, command);
                return Flow::Done;
            }
        }
        let tag = self.nodes.get(node).map_or(0, |node| node.tag);
        let Some(token) = node_token(command, bytes, tag) else {
            return foreign_token(turn, command, bytes);
        };
        let Some(expect) = command.kind.expect() else {
            return Flow::Done;
        };
        let pending = self.pending(turn, command, expect);
        if let Some(link) = self.links.get_mut(link) {
            push_command(link, command, bytes, token, expect);
            link.wait_for(pending);
        }
        self.touch_link(link);
        Flow::Done
    }

    /// The entry for a command to one node, with a place among the client's replies.
    fn pending(&mut self, turn: &mut Turn<'_>, command: &Command, expect: Expect) -> Pending {
        let is_read = matches!(expect, Expect::Values { .. });
        let ending = match command.quiet && !command.kind.is_meta() {
            true => Ending::Silent,
            false if is_read => Ending::End,
            false => Ending::Nodes,
        };
        let form = match command.quiet && command.kind.is_meta() {
            true => Form::Quiet(command.kind),
            false if is_read => Form::Items,
            false => Form::Whole,
        };
        let seq = turn.busy.replies.push(1, ending);
        Pending {
            owner: Owner::Client {
                id: turn.id as u32,
                generation: turn.generation,
                seq,
            },
            expect,
            form,
            reads: command.class == Class::Read,
            keys: u32::from(is_read),
            moved: std::mem::take(&mut self.marks),
            deadline: self.deadline(),
        }
    }

    pub(super) fn link_for(&self, node: usize, client: usize) -> Option<usize> {
        self.nodes.get(node)?.link_for(client)
    }

    pub(super) fn deadline(&self) -> u64 {
        self.now + self.snapshot.settings.request_timeout.as_millis() as u64
    }

    pub(super) fn room(&self, link: usize) -> Room {
        let settings = &self.snapshot.settings;
        match self.links.get(link) {
            Some(link) if !link.takes() => Room::Down,
            Some(link)
                if link.out.len() >= settings.node_out
                    || link.waiting.len() >= settings.node_in_flight =>
            {
                Room::Full
            }
            Some(_) => Room::Yes,
            None => Room::Down,
        }
    }

    pub(super) fn block(&mut self, turn: &Turn<'_>, link: usize) -> Flow {
        if let Some(link) = self.links.get_mut(link)
            && link.blocked.last() != Some(&turn.id)
        {
            link.blocked.push(turn.id);
        }
        Flow::Blocked
    }

    /// Answers a request whose node is down.
    fn refuse(&mut self, turn: &mut Turn<'_>, node: usize, command: &Command) {
        if command.quiet && !command.kind.is_meta() {
            return;
        }
        if command.class == Class::Read && self.snapshot.settings.on_node_down == OnNodeDown::Miss {
            self.counters.misses_for_down_node.add();
            match command.kind {
                Kind::MetaGet | Kind::MetaDebug if command.quiet => {}
                Kind::MetaGet | Kind::MetaDebug => turn.busy.replies.push_answer(b"EN\r\n"),
                _ => turn.busy.replies.push_answer(b"END\r\n"),
            }
            return;
        }
        self.counters.node_failures.add();
        turn.busy.replies.push_answer(&self.down(node));
    }

    /// The error for requests to a node that is down.
    pub(super) fn down(&self, node: usize) -> Vec<u8> {
        self.nodes.get(node).map_or_else(
            || b"SERVER_ERROR no such node\r\n".to_vec(),
            |node| node.failure(&format!("down ({})", node.trouble)),
        )
    }

    /// A value too large to be taken removes the old one, as it does at a node.
    pub(super) fn remove_refused(&mut self, turn: &mut Turn<'_>, key: &[u8]) {
        let node = self.node_of(key);
        let deadline = self.deadline();
        let Some(id) = self.link_for(node, turn.id) else {
            return;
        };
        let Room::Yes = self.room(id) else { return };
        if let Some(link) = self.links.get_mut(id) {
            link.out.push(b"delete ");
            link.out.push(key);
            link.out.push(b"\r\n");
            link.wait_for(Pending {
                owner: Owner::Nobody,
                expect: Expect::Deleted,
                form: Form::Whole,
                reads: false,
                keys: 0,
                moved: false,
                deadline,
            });
        }
        self.touch_link(id);
    }
}

/// The node's token in a command that compares, `Some(None)` in one that does not, `None` if the token is not this
/// node's.
fn node_token(command: &Command, bytes: &[u8], tag: u16) -> Option<Option<u64>> {
    if command.cas.is_empty() {
        return Some(None);
    }
    let (of, token) = cas::split(cas::read(command.cas.of(bytes))?);
    (of == tag).then_some(Some(token))
}

fn foreign_token(turn: &mut Turn<'_>, command: &Command, bytes: &[u8]) -> Flow {
    if !command.quiet || command.kind.is_meta() {
        let mut answer = Vec::new();
        rewrite::push_foreign_token(&mut answer, command, bytes);
        turn.busy.replies.push_answer(&answer);
    }
    Flow::Done
}

fn push_command(
    link: &mut Link,
    command: &Command,
    bytes: &[u8],
    token: Option<u64>,
    expect: Expect,
) {
    if let Expect::Values { .. } = expect {
        link.ask(command.key(bytes));
    }
    if rewrite::is_needed(command) {
        rewrite::push_line(link.out.bytes_mut(), command, bytes, token);
        link.out
            .push(bytes.get(command.line_len..).unwrap_or_default());
    } else {
        link.out.push(bytes);
    }
}
