//! Embedded nodes, and one connection to each.

use crate::embedded::{EmbeddedNode, EmbeddedSession};
use evenkeel_wire::memcached::metadump;
use std::sync::Arc;

/// Memory of a node in bytes: more than a demo fills, so that nothing is evicted and every miss has one cause.
const NODE_LIMIT: u64 = 64 << 20;

/// The nodes of a cluster, by their place in the topology.
#[derive(Debug)]
pub(super) struct Cluster {
    nodes: Vec<Arc<EmbeddedNode>>,
    sessions: Vec<EmbeddedSession>,
    reply: Vec<u8>,
}

impl Cluster {
    /// So many empty nodes.
    pub(super) fn new(count: usize) -> Self {
        let nodes: Vec<_> = (0..count)
            .map(|_| Arc::new(EmbeddedNode::new(NODE_LIMIT)))
            .collect();
        let sessions = nodes
            .iter()
            .map(|node| EmbeddedSession::new(Arc::clone(node)))
            .collect();
        Self {
            nodes,
            sessions,
            reply: Vec::new(),
        }
    }

    /// Sends a request and gives the reply; empty from a node that is not there.
    pub(super) fn exchange(&mut self, node: usize, request: &[u8]) -> &[u8] {
        self.reply.clear();
        if let Some(session) = self.sessions.get_mut(node) {
            session.receive(request, &mut self.reply);
        }
        &self.reply
    }

    /// `get`: whether the node has the key.
    pub(super) fn has(&mut self, node: usize, key: &str) -> bool {
        self.exchange(node, format!("get {key}\r\n").as_bytes())
            .starts_with(b"VALUE ")
    }

    /// Items on a node.
    pub(super) fn items(&self, node: usize) -> usize {
        self.nodes.get(node).map_or(0, |node| node.len())
    }

    /// The keys that a node lists.
    pub(super) fn keys(&mut self, node: usize) -> Vec<Vec<u8>> {
        let listing = self.exchange(node, b"lru_crawler metadump hash\r\n");
        let listed = listing
            .split(|byte| *byte == b'\n')
            .filter_map(metadump::parse);
        listed
            .filter_map(|listed| {
                let mut key = Vec::new();
                metadump::decode_name(listed.name, &mut key).then_some(key)
            })
            .collect()
    }
}
