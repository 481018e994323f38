//! The state of one worker: clients, node connections, and what is to be done next.
//!
//! It does no I/O. A driver hands in what sockets gave and takes out what they are to be given; tests are drivers too.

use super::gate::Gate;
use super::link::Link;
use super::node::Node;
use super::pending::Owner;
use super::replies::Stashes;
use super::session::{Busy, Session};
use crate::Snapshot;
use crate::counters::Counters;
use evenkeel_wire::memcached::Limits;
use slab::Slab;
use std::collections::HashSet;
use std::sync::Arc;

/// What the driver is to do with sockets.
#[derive(Debug, PartialEq, Eq)]
pub enum Action {
    /// Connect this node connection; tell [`Engine::link_open`] or [`Engine::link_lost`].
    Connect { link: usize },
    /// Close it. With `linger` the node may still act on commands that were sent: say that no more comes, read until
    /// the node ends the connection too, and tell [`Engine::connection_over`].
    Close {
        link: usize,
        connection: u64,
        linger: bool,
    },
}

/// How an operation's command ended.
#[derive(Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The whole reply, line and data.
    Reply(Vec<u8>),
    /// It never left.
    NotSent,
    /// Nobody knows whether the node acted on it, or will.
    Unknown,
}

/// What an operation hears.
#[derive(Debug, PartialEq, Eq)]
pub struct Heard {
    /// The number that was given with the command.
    pub operation: u64,
    /// The connection on which it was sent.
    pub connection: u64,
    /// What came of it.
    pub outcome: Outcome,
}

/// Most sets of buffers that are kept for reuse.
const KEPT_BUSY: usize = 1024;
/// Buffers that grew beyond this are not kept. Bytes.
const KEPT_INPUT: usize = 64 * 1024;

/// One worker's data plane.
#[derive(Debug)]
pub struct Engine {
    pub(super) snapshot: Arc<Snapshot>,
    /// Engine's number of each node of the topology.
    pub(super) owners: Vec<usize>,
    pub(super) nodes: Vec<Node>,
    pub(super) links: Vec<Link>,
    pub(super) clients: Slab<Session>,
    pub(super) generation: u32,
    pub(super) connection: u64,
    /// Milliseconds since the worker began.
    pub(super) now: u64,
    pub(super) touched_links: Vec<usize>,
    pub(super) touched_clients: Vec<usize>,
    pub(super) resumable: Vec<usize>,
    pub(super) actions: Vec<Action>,
    pub(super) heard: Vec<Heard>,
    pub(super) over: Vec<u64>,
    pub(super) stashes: Stashes,
    pub(super) parts: Vec<usize>,
    /// Boxed as clients hold them, so that attaching moves a pointer.
    #[allow(clippy::vec_box)]
    spare: Vec<Box<Busy>>,
    pub(super) counters: Arc<Counters>,
    /// The migration, if the pool has a record.
    pub(super) gate: Option<Box<Gate>>,
    /// The command that goes out next is on a moved key.
    pub(super) marks: bool,
    /// Connections that had unanswered commands and are not over at their node.
    pub(super) lingering: HashSet<u64>,
}

impl Engine {
    /// An engine that serves `snapshot`. Connects to every node at once.
    pub fn new(snapshot: Arc<Snapshot>, counters: Arc<Counters>) -> Self {
        let mut engine = Self {
            snapshot: snapshot.clone(),
            owners: Vec::new(),
            nodes: Vec::new(),
            links: Vec::new(),
            clients: Slab::new(),
            generation: 0,
            connection: 0,
            now: 0,
            touched_links: Vec::new(),
            touched_clients: Vec::new(),
            resumable: Vec::new(),
            actions: Vec::new(),
            heard: Vec::new(),
            over: Vec::new(),
            stashes: Stashes::default(),
            parts: Vec::new(),
            spare: Vec::new(),
            counters,
            gate: None,
            marks: false,
            lingering: HashSet::new(),
        };
        engine.serve(snapshot);
        engine
    }

    /// The snapshot that is served.
    pub fn snapshot(&self) -> &Arc<Snapshot> {
        &self.snapshot
    }

    /// A client came; gives its number.
    pub fn open(&mut self) -> usize {
        self.generation = self.generation.wrapping_add(1);
        self.counters.curr_connections.add();
        self.counters.total_connections.add();
        let limits = Limits {
            max_value: self.snapshot.settings.max_value,
            ..Limits::default()
        };
        self.clients.insert(Session::new(self.generation, limits))
    }

    /// Bytes from a client. Not to be called while [`Self::reads`] is false.
    pub fn receive(&mut self, id: usize, bytes: &[u8]) {
        let Some(session) = self.clients.get_mut(id) else {
            return;
        };
        let mut busy = session
            .busy
            .take()
            .or_else(|| self.spare.pop())
            .unwrap_or_default();
        if busy.input.is_empty() {
            let used = self.work(id, &mut busy, bytes);
            busy.input
                .extend_from_slice(bytes.get(used..).unwrap_or_default());
        } else {
            let mut input = std::mem::take(&mut busy.input);
            input.extend_from_slice(bytes);
            let used = self.work(id, &mut busy, &input);
            input.drain(..used);
            busy.input = input;
        }
        self.put_back(id, busy);
    }

    /// Ends a client's turn: buffers go back to the pool if nothing is in them.
    fn put_back(&mut self, id: usize, mut busy: Box<Busy>) {
        let Some(session) = self.clients.get_mut(id) else {
            return;
        };
        if session.closing {
            busy.input.clear();
            busy.waiting = None;
        }
        let touch = !session.touched && (!busy.replies.out.is_empty() || session.closing);
        session.touched |= touch;
        if touch {
            self.touched_clients.push(id);
        }
        if busy.is_idle() {
            self.give_back(busy);
        } else if let Some(session) = self.clients.get_mut(id) {
            session.busy = Some(busy);
        }
    }

    fn give_back(&mut self, mut busy: Box<Busy>) {
        if self.spare.len() < KEPT_BUSY {
            if busy.input.capacity() > KEPT_INPUT {
                busy.input = Vec::new();
            }
            self.spare.push(busy);
        }
    }

    /// The client will send no more. It is closed once it has its answers.
    pub fn finish(&mut self, id: usize) {
        if let Some(session) = self.clients.get_mut(id) {
            session.ended = true;
            session.closing |= !session.paused;
            self.touch_client(id);
        }
    }

    /// The client is gone. What nodes still answer for it is dropped in its place.
    pub fn forget(&mut self, id: usize) {
        if self.clients.contains(id) {
            self.clients.remove(id);
            self.counters.curr_connections.sub();
        }
    }

    /// True if the client's bytes are wanted now.
    pub fn reads(&self, id: usize) -> bool {
        self.clients
            .get(id)
            .is_some_and(|session| !(session.paused || session.closing || session.ended))
    }

    /// What is to be sent to the client.
    pub fn client_output(&self, id: usize) -> &[u8] {
        self.clients
            .get(id)
            .and_then(|session| session.busy.as_ref())
            .map_or(&[], |busy| busy.replies.out.unsent())
    }

    /// So many bytes went to the client.
    pub fn client_sent(&mut self, id: usize, len: usize) {
        let Some(session) = self.clients.get_mut(id) else {
            return;
        };
        let Some(busy) = session.busy.as_mut() else {
            return;
        };
        busy.replies.out.sent(len);
        if busy.is_idle()
            && let Some(busy) = session.busy.take()
        {
            self.give_back(busy);
        }
        self.resume_if_room(id);
    }

    /// True if the client has all its answers and is to be closed.
    pub fn is_over(&self, id: usize) -> bool {
        self.clients.get(id).is_some_and(|session| {
            session.closing
                && session
                    .busy
                    .as_ref()
                    .is_none_or(|busy| busy.replies.is_idle())
        })
    }

    /// Clients that have something to be sent, or are to be closed. Each once.
    pub fn take_touched_clients(&mut self, into: &mut Vec<usize>) {
        into.clear();
        std::mem::swap(&mut self.touched_clients, into);
        for id in into.iter() {
            if let Some(session) = self.clients.get_mut(*id) {
                session.touched = false;
            }
        }
    }

    pub(super) fn touch_client(&mut self, id: usize) {
        if let Some(session) = self.clients.get_mut(id)
            && !session.touched
        {
            session.touched = true;
            self.touched_clients.push(id);
        }
    }

    /// Lets a client that was stopped at a bound go on, once half of the room is free again.
    pub(super) fn resume_if_room(&mut self, id: usize) {
        let settings = &self.snapshot.settings;
        if let Some(session) = self.clients.get(id)
            && session.paused
            && session.busy.as_ref().is_none_or(|busy| {
                busy.replies.in_flight() <= settings.max_in_flight / 2
                    && busy.replies.buffered() <= settings.client_out / 2
            })
        {
            self.resumable.push(id);
        }
    }

    /// True if clients wait only for [`Self::resume`].
    pub fn has_resumable(&self) -> bool {
        !self.resumable.is_empty()
    }

    /// Goes on with clients that were stopped at a bound; `into` gets those whose sockets are to be read again.
    pub fn resume(&mut self, into: &mut Vec<usize>) {
        for id in std::mem::take(&mut self.resumable) {
            let Some(session) = self.clients.get_mut(id) else {
                continue;
            };
            if std::mem::take(&mut session.paused) {
                self.receive(id, &[]);
                if self.reads(id) {
                    into.push(id);
                }
            }
        }
    }

    /// What sockets need.
    pub fn take_actions(&mut self) -> Vec<Action> {
        std::mem::take(&mut self.actions)
    }

    /// What operations have heard since the last call.
    pub fn take_heard(&mut self) -> Vec<Heard> {
        std::mem::take(&mut self.heard)
    }

    /// Numbers of node connections that had unanswered commands and are now known to be over at the node.
    pub fn take_over(&mut self) -> Vec<u64> {
        std::mem::take(&mut self.over)
    }

    /// The node has ended a connection that lingered.
    pub fn connection_over(&mut self, connection: u64) {
        self.lingering.remove(&connection);
        self.over.push(connection);
    }

    /// Clients now.
    pub fn clients(&self) -> usize {
        self.clients.len()
    }

    /// Requests of clients that wait for answers.
    pub fn in_flight(&self) -> usize {
        self.links.iter().map(|link| link.waiting.len()).sum()
    }

    /// Closes every client that has its answers, and the others once they have.
    pub fn close_clients(&mut self) {
        let ids: Vec<usize> = self.clients.iter().map(|(id, _)| id).collect();
        for id in ids {
            self.finish(id);
        }
    }

    pub(super) fn busy_of(&mut self, owner: Owner) -> Option<(&mut Busy, &mut Stashes)> {
        let Owner::Client { id, generation, .. } = owner else {
            return None;
        };
        let session = self.clients.get_mut(id as usize)?;
        let busy = session.busy.as_deref_mut()?;
        (session.generation == generation).then_some((busy, &mut self.stashes))
    }
}
