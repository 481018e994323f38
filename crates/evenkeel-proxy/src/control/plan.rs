//! What a change would do, in plain numbers.

use std::collections::BTreeMap;

use evenkeel_core::{Placement, Topology};
use serde::{Deserialize, Serialize};

use super::preflight::Complaint;
use crate::copier::server_of;

/// How many keys are placed to measure the shares. The error of a share is below 0.2 % of all keys.
const SAMPLE: u64 = 1 << 18;

/// What a change would do.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Plan {
    /// The version of this form.
    pub schema: u32,
    /// The epoch that it was made for.
    pub epoch: u64,
    /// The share of all keys that moves, 0 to 1.
    pub moved_share: f64,
    /// From where to where.
    pub flows: Vec<Flow>,
    /// The servers, as they report themselves.
    pub nodes: Vec<NodeReport>,
    /// Keys that are expected to move.
    pub keys: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Why it cannot be done.
    pub refusals: Vec<Complaint>,
    /// What should be known before.
    pub warnings: Vec<Complaint>,
}

/// Keys that go from one server to another.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Flow {
    /// The name of the node that has them.
    pub source: String,
    /// The name of the node that gets them.
    pub target: String,
    /// Their share of all keys, 0 to 1.
    pub share: f64,
    /// How many there are, as far as the source's own count says.
    pub keys: u64,
    /// Their bytes.
    pub bytes: u64,
}

/// A server as it reports itself.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct NodeReport {
    /// The node's name.
    pub name: String,
    /// Its server.
    pub server: String,
    /// Keys.
    pub keys: u64,
    /// Bytes that they take.
    pub bytes: u64,
    /// Bytes that they may take.
    pub limit: u64,
}

/// Where keys go, by node names: (source, target) to the share of all keys, and each source's own share.
pub(super) struct Shares {
    pub moved: BTreeMap<(String, String), f64>,
    pub owned: BTreeMap<String, f64>,
}

/// Measures the shares by placing a fixed sample of keys under both topologies.
pub(super) fn shares(current: &Topology, to: &Topology, prefix: &[u8]) -> Shares {
    let before = Placement::build(current);
    let after = before.over(to);
    let mut moved: BTreeMap<(usize, usize), u64> = BTreeMap::new();
    let mut owned: BTreeMap<usize, u64> = BTreeMap::new();
    let mut key = prefix.to_vec();
    for at in 0..SAMPLE {
        key.truncate(prefix.len());
        key.extend_from_slice(at.to_string().as_bytes());
        let (source, target) = (before.node_of(&key), after.node_of(&key));
        *owned.entry(source.get()).or_default() += 1;
        if server_of(current.node(source)) != server_of(to.node(target)) {
            *moved.entry((source.get(), target.get())).or_default() += 1;
        }
    }
    let share = |count: u64| count as f64 / SAMPLE as f64;
    let name = |topology: &Topology, at: usize| {
        topology
            .nodes()
            .get(at)
            .map_or(String::new(), |node| node.name.clone())
    };
    let moved = moved
        .into_iter()
        .map(|((source, target), count)| ((name(current, source), name(to, target)), share(count)));
    let owned = owned
        .into_iter()
        .map(|(source, count)| (name(current, source), share(count)));
    Shares {
        moved: moved.collect(),
        owned: owned.collect(),
    }
}

/// Puts shares and reports together.
pub(super) fn flows(shares: &Shares, nodes: &[NodeReport]) -> Vec<Flow> {
    let flow = |((source, target), &share): (&(String, String), &f64)| {
        let report = nodes.iter().find(|node| node.name == *source);
        let of_source = share / shares.owned.get(source).copied().unwrap_or(1.0);
        let part = |total: u64| (total as f64 * of_source).round() as u64;
        Flow {
            source: source.clone(),
            target: target.clone(),
            share,
            keys: report.map_or(0, |node| part(node.keys)),
            bytes: report.map_or(0, |node| part(node.bytes)),
        }
    };
    shares.moved.iter().map(flow).collect()
}
