//! An engine with its driver and its nodes, all in memory.

use evenkeel_core::migration::Record;
use evenkeel_core::{KeyRule, Node, Topology};
use evenkeel_proxy::counters::Counters;
use evenkeel_proxy::data::{Action, Engine};
use evenkeel_proxy::embedded::{EmbeddedNode, EmbeddedSession};
use evenkeel_proxy::{Settings, Snapshot};
use std::sync::Arc;

/// Nodes `n0`, `n1`, ... Each answers at once, unless it is held, down, or spoken for by a test.
pub struct World {
    pub engine: Engine,
    nodes: Vec<Arc<EmbeddedNode>>,
    sessions: Vec<Option<EmbeddedSession>>,
    /// Bytes that each node was sent and did not answer, for it is held.
    pub held: Vec<Option<Vec<u8>>>,
    /// Nodes that refuse to be connected.
    pub refusing: Vec<bool>,
    /// Connections that were closed by the engine.
    pub closed: Vec<(usize, bool)>,
    pub now: u64,
}

impl World {
    pub fn new(nodes: usize, settings: Settings) -> Self {
        let snapshot = Snapshot::new("test", topology(nodes), settings);
        Self::serving(snapshot, nodes)
    }

    /// As [`Self::new`], for a pool that has a record, of epoch 1.
    pub fn with_record(nodes: usize, settings: Settings) -> Self {
        let record = Arc::new(Record::first(topology(nodes)));
        Self::serving(Snapshot::of_record("test", record, settings), nodes)
    }

    /// The same topology under the next epoch.
    pub fn next_record(&mut self) {
        let snapshot = self.engine.snapshot();
        let mut record = Record::clone(snapshot.record.as_ref().unwrap());
        record.epoch += 1;
        let next = Snapshot::of_record("test", Arc::new(record), snapshot.settings.clone());
        self.engine.serve(Arc::new(next));
        self.pump();
    }

    /// Lets the engine notice which connections are over.
    pub fn note_over(&mut self) {
        self.engine.operate();
    }

    fn serving(snapshot: Snapshot, nodes: usize) -> Self {
        let snapshot = Arc::new(snapshot);
        let mut world = World {
            engine: Engine::new(snapshot, Arc::new(Counters::default())),
            nodes: (0..nodes)
                .map(|_| Arc::new(EmbeddedNode::new(64 << 20)))
                .collect(),
            sessions: (0..nodes).map(|_| None).collect(),
            held: vec![None; nodes],
            refusing: vec![false; nodes],
            closed: Vec::new(),
            now: 0,
        };
        world.pump();
        world
    }

    /// Moves bytes until nothing moves any more.
    pub fn pump(&mut self) {
        let mut touched = Vec::new();
        loop {
            let mut resumed = Vec::new();
            self.engine.resume(&mut resumed);
            let actions = self.engine.take_actions();
            self.engine.take_touched_links(&mut touched);
            if actions.is_empty() && touched.is_empty() && resumed.is_empty() {
                return;
            }
            for action in actions {
                self.act(action);
            }
            for link in touched.drain(..) {
                self.flush(link);
            }
        }
    }

    fn act(&mut self, action: Action) {
        match action {
            Action::Connect { link } if self.refusing[link] => {
                self.engine.link_lost(link, "Connection refused");
            }
            Action::Connect { link } => {
                self.sessions[link] = Some(EmbeddedSession::new(self.nodes[link].clone()));
                self.engine.link_open(link);
            }
            Action::Close { link, linger, .. } => {
                self.sessions[link] = None;
                self.closed.push((link, linger));
            }
        }
    }

    fn flush(&mut self, link: usize) {
        let output = self.engine.link_output(link).to_vec();
        self.engine.link_sent(link, output.len());
        if let Some(held) = &mut self.held[link] {
            return held.extend(output);
        }
        if let Some(session) = &mut self.sessions[link] {
            let mut answer = Vec::new();
            session.receive(&output, &mut answer);
            self.engine.link_received(link, &answer);
        }
    }

    /// Keeps what the node is sent, and lets it answer nothing.
    pub fn hold(&mut self, node: usize) {
        self.held[node] = Some(Vec::new());
    }

    /// Lets a held node answer what it was sent.
    pub fn release(&mut self, node: usize) {
        let bytes = self.held[node].take().unwrap_or_default();
        let mut answer = Vec::new();
        if let Some(session) = &mut self.sessions[node] {
            session.receive(&bytes, &mut answer);
        }
        self.engine.link_received(node, &answer);
        self.pump();
    }

    /// Lets the node refuse connections, and breaks the one that it has.
    pub fn stop(&mut self, node: usize) {
        self.refusing[node] = true;
        self.sessions[node] = None;
        self.engine.link_lost(node, "it closed the connection");
        self.pump();
    }

    pub fn wait(&mut self, milliseconds: u64) {
        self.now += milliseconds;
        self.engine.tick(self.now);
        self.pump();
    }

    pub fn send(&mut self, client: usize, bytes: &[u8]) {
        self.engine.receive(client, bytes);
        self.pump();
    }

    /// What the client was sent since the last call.
    pub fn told(&mut self, client: usize) -> String {
        let output = self.engine.client_output(client).to_vec();
        self.engine.client_sent(client, output.len());
        self.pump();
        String::from_utf8_lossy(&output).into_owned()
    }

    pub fn ask(&mut self, client: usize, bytes: impl AsRef<[u8]>) -> String {
        self.send(client, bytes.as_ref());
        self.told(client)
    }

    /// A key that belongs to this node.
    pub fn key_of(&self, node: usize) -> String {
        (0..1000)
            .map(|number| format!("key{number}"))
            .find(|key| {
                self.engine
                    .snapshot()
                    .placement
                    .node_of(key.as_bytes())
                    .get()
                    == node
            })
            .unwrap()
    }
}

fn topology(nodes: usize) -> Topology {
    let list = (0..nodes)
        .map(|index| {
            Node::new(
                format!("n{index}"),
                format!("10.0.0.{index}:1").parse().unwrap(),
            )
        })
        .collect();
    Topology::new(list, "slots".parse().unwrap(), KeyRule::default()).unwrap()
}
