//! The life of node connections: connect, fail, time out, come back.
//!
//! After a failure the first attempt to connect again is made at once, and requests wait for it. While it fails,
//! requests fail at once, and further attempts are made with growing pauses; each must see one command answered before
//! requests are let through, for a node that hangs still accepts connections.

use super::engine::{Action, Engine, Heard, Outcome};
use super::link::{Link, PROBE, PROBE_EXPECT, State};
use super::node::Node;
use super::pending::{Form, Owner, Pending};
use crate::copier::server_of;
use crate::{OnNodeDown, Snapshot};
use std::sync::Arc;

/// How a node connection ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// The node's end of stream was read, or it was never made.
    Seen,
    /// It was cut, and the node said nothing.
    Reset,
    /// We give it up.
    Ours,
}

impl Engine {
    /// Serves `snapshot` from now on. Connections to nodes that stay are kept.
    pub fn serve(&mut self, snapshot: Arc<Snapshot>) {
        self.snapshot = snapshot.clone();
        let connections = snapshot.settings.connections.max(1);
        for node in &mut self.nodes {
            node.retired = true;
        }
        self.owners = self.engage(&snapshot.topology, connections);
        let to = snapshot
            .record
            .as_ref()
            .and_then(|record| record.migration.as_ref());
        let owners_to = to.map(|migration| self.engage(&migration.to, connections));
        self.learn(owners_to.unwrap_or_default());
    }

    /// Connects to the nodes of a topology that are not connected yet, and gives the number of each.
    fn engage(&mut self, topology: &evenkeel_core::Topology, connections: usize) -> Vec<usize> {
        let mut owners = Vec::new();
        for (index, wanted) in topology.nodes().iter().enumerate() {
            let kept = self.nodes.iter().position(|node| {
                node.name == wanted.name
                    && node.address == wanted.address
                    && node.links.len() == connections
            });
            let id = kept.unwrap_or_else(|| self.add_node(wanted, connections));
            if let Some(node) = self.nodes.get_mut(id) {
                node.retired = false;
            }
            let tag = self.tag_for(wanted, index);
            if let Some(node) = self.nodes.get_mut(id) {
                node.tag = tag;
            }
            owners.push(id);
        }
        owners
    }

    /// The tag of a node's CAS tokens: the record's, or its place where no record has one.
    fn tag_for(&self, node: &evenkeel_core::Node, index: usize) -> u16 {
        let record = self.snapshot.record.as_ref();
        let tag = record.and_then(|record| record.tags.of(&server_of(node)));
        tag.unwrap_or((index + 1) as u16)
    }

    /// A node's connections, to be made at once; gives the node's number.
    fn add_node(&mut self, node: &evenkeel_core::Node, connections: usize) -> usize {
        let id = self.nodes.len();
        let links: Vec<usize> = (0..connections)
            .map(|index| self.links.len() + index)
            .collect();
        self.nodes.push(Node {
            name: node.name.clone(),
            address: node.address.clone(),
            links: links.clone(),
            tag: 0,
            trouble: String::new(),
            retired: false,
        });
        for link in links {
            self.links.push(Link::new(id));
            self.connect(link);
        }
        id
    }

    fn connect(&mut self, id: usize) {
        let until = self.now + self.snapshot.settings.connect_timeout.as_millis() as u64;
        self.connection += 1;
        let connection = self.connection;
        if let Some(link) = self.links.get_mut(id) {
            link.state = State::Connecting { until };
            link.connection = connection;
            self.actions.push(Action::Connect { link: id });
        }
    }

    /// Where to connect this node connection to.
    pub fn address_of(&self, link: usize) -> Option<&evenkeel_core::Address> {
        let node = self.links.get(link)?.node;
        Some(&self.nodes.get(node)?.address)
    }

    /// The name of the node that it leads to.
    pub fn node_name(&self, link: usize) -> &str {
        self.links
            .get(link)
            .and_then(|link| self.nodes.get(link.node))
            .map_or("", |node| &node.name)
    }

    /// The number of the connection that this node connection has now.
    pub fn connection_of(&self, link: usize) -> u64 {
        self.links.get(link).map_or(0, |link| link.connection)
    }

    /// The connection is made.
    pub fn link_open(&mut self, id: usize) {
        let deadline = self.now + self.snapshot.settings.connect_timeout.as_millis() as u64;
        self.counters.node_connects.add();
        let Some(link) = self.links.get_mut(id) else {
            return;
        };
        if link.attempts == 0 {
            link.state = State::Up;
        } else {
            link.state = State::Probing;
            if link.waiting.is_empty() {
                link.out.push(PROBE);
                link.wait_for(Pending {
                    owner: Owner::Nobody,
                    expect: PROBE_EXPECT,
                    form: Form::Whole,
                    reads: true,
                    keys: 0,
                    moved: false,
                    deadline,
                });
            }
        }
        self.touch_link(id);
    }

    /// The connection could not be made, or the node has ended it: nothing on it can be carried out any more.
    pub fn link_lost(&mut self, id: usize, why: &str) {
        self.end_link(id, why, End::Seen);
    }

    /// The connection was cut without an end of the node's: what the node has received it may still carry out, after a
    /// reset too. Tell [`Engine::connection_over`] when `late_grace` has passed.
    pub fn link_reset(&mut self, id: usize, why: &str) {
        self.end_link(id, why, End::Reset);
    }

    /// Ends a connection, fails what waits on it, and sees to the next one.
    pub(super) fn end_link(&mut self, id: usize, why: &str, end: End) {
        let Some(link) = self.links.get_mut(id) else {
            return;
        };
        let opened = !matches!(link.state, State::Connecting { .. } | State::Down { .. });
        let waiting = link.end();
        let (connection, node) = (link.connection, link.node);
        link.attempts += 1;
        link.state = State::Down {
            until: self.now + pause(link.attempts, &self.snapshot),
        };
        self.resumable.append(&mut link.blocked);
        let again = link.attempts == 1;
        self.counters.node_disconnects.add();
        let linger = end != End::Seen && opened && !waiting.is_empty();
        if linger {
            self.lingering.insert(connection);
            self.note_ending(connection, waiting.iter().any(|pending| pending.moved));
        }
        if end == End::Ours {
            self.actions.push(Action::Close {
                link: id,
                connection,
                linger,
            });
        }
        if let Some(node) = self.nodes.get_mut(node) {
            node.trouble = why.to_owned();
        }
        let text = self
            .nodes
            .get(node)
            .map(|node| node.failure(why))
            .unwrap_or_default();
        for pending in waiting {
            self.fail(&pending, connection, opened, &text);
        }
        if again {
            self.connect(id);
        }
    }

    fn fail(&mut self, pending: &Pending, connection: u64, opened: bool, text: &[u8]) {
        match pending.owner {
            Owner::Nobody => {}
            Owner::Operation(operation) => self.heard.push(Heard {
                operation,
                connection,
                outcome: if opened {
                    Outcome::Unknown
                } else {
                    Outcome::NotSent
                },
            }),
            Owner::Client { id, seq, .. } => {
                let miss = pending.reads && self.snapshot.settings.on_node_down == OnNodeDown::Miss;
                if miss {
                    self.counters.misses_for_down_node.add();
                } else {
                    self.counters.node_failures.add();
                }
                if let Some((busy, stashes)) = self.busy_of(pending.owner) {
                    match (miss, pending.form) {
                        (false, _) => busy.replies.fail(seq, text),
                        (true, Form::Whole) => busy.replies.write(seq, b"EN\r\n", stashes),
                        // The end of a read follows anyway, and `q` hides a miss.
                        (true, _) => {}
                    }
                    busy.replies.part_done(seq, stashes);
                    self.client_answered(id as usize);
                }
            }
        }
    }

    /// Time went on. Ends what is late, and connects again where it is due. O(connections).
    pub fn tick(&mut self, now: u64) {
        self.now = now;
        self.look_again();
        for id in 0..self.links.len() {
            let Some(link) = self.links.get(id) else {
                continue;
            };
            let retired = self.nodes.get(link.node).is_none_or(|node| node.retired);
            match link.state {
                State::Down { .. } if retired => {}
                State::Down { until } if until <= now => self.connect(id),
                State::Connecting { until } if until <= now => {
                    self.counters.node_timeouts.add();
                    self.end_link(id, "it did not accept a connection in time", End::Ours);
                }
                State::Up if retired && link.waiting.is_empty() => self.retire(id),
                _ if link
                    .waiting
                    .front()
                    .is_some_and(|pending| pending.deadline <= now) =>
                {
                    self.counters.node_timeouts.add();
                    self.end_link(id, "it did not answer in time", End::Ours);
                }
                _ => {}
            }
        }
    }

    /// The engine's clock, for what is stamped between ticks.
    pub fn set_now(&mut self, now: u64) {
        self.now = now;
    }

    fn retire(&mut self, id: usize) {
        if let Some(link) = self.links.get_mut(id) {
            link.end();
            link.state = State::Down { until: u64::MAX };
            self.actions.push(Action::Close {
                link: id,
                connection: link.connection,
                linger: false,
            });
        }
    }

    pub(super) fn touch_link(&mut self, id: usize) {
        if let Some(link) = self.links.get_mut(id)
            && !link.touched
        {
            link.touched = true;
            self.touched_links.push(id);
        }
    }

    /// Node connections that have something to be sent. Each once.
    pub fn take_touched_links(&mut self, into: &mut Vec<usize>) {
        into.clear();
        std::mem::swap(&mut self.touched_links, into);
        for id in into.iter() {
            if let Some(link) = self.links.get_mut(*id) {
                link.touched = false;
            }
        }
    }

    /// What is to be sent to the node; nothing before it is connected.
    pub fn link_output(&self, id: usize) -> &[u8] {
        match self.links.get(id) {
            Some(link) if matches!(link.state, State::Up | State::Probing) => link.out.unsent(),
            _ => &[],
        }
    }

    /// So many bytes went to the node.
    pub fn link_sent(&mut self, id: usize, len: usize) {
        if let Some(link) = self.links.get_mut(id) {
            link.out.sent(len);
        }
    }

    /// Milliseconds until something may be late or due.
    pub fn patience(&self) -> u64 {
        let of = |link: &Link| match (link.state, link.waiting.front()) {
            (State::Up | State::Probing, Some(pending)) => pending.deadline,
            (State::Down { until } | State::Connecting { until }, _) => until,
            _ => u64::MAX,
        };
        let next = self.links.iter().map(of).min().unwrap_or(u64::MAX);
        // Tasks that wait, and clients that are held, are looked at in every tick.
        let waiting = self
            .gate
            .as_ref()
            .is_some_and(|gate| !(gate.waits.is_empty() && gate.held.is_empty()));
        let longest = if waiting {
            super::moved::LOOK_AGAIN_MS
        } else {
            u64::MAX
        };
        next.saturating_sub(self.now).min(longest)
    }
}

/// Milliseconds before the next attempt: none after the first failure, then growing, with jitter so that many proxies
/// do not come back together.
fn pause(attempts: u32, snapshot: &Snapshot) -> u64 {
    let Some(doublings) = attempts.checked_sub(2) else {
        return 0;
    };
    let settings = &snapshot.settings;
    let longest = settings.reconnect_max.as_millis() as u64;
    let pause = (settings.reconnect_min.as_millis() as u64).max(1) << doublings.min(16);
    let pause = pause.min(longest).max(1);
    pause / 2 + fastrand::u64(0..=pause / 2)
}
