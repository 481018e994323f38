//! What a change would do, in plain numbers.

use std::collections::BTreeMap;

use evenkeel_core::{Placement, Topology, analysis};
use serde::{Deserialize, Serialize};

use super::preflight::Complaint;
use crate::copier::server_of;

/// How many keys are placed to measure shares. The error of a share is below 0.2 % of all keys.
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

/// What moves between servers: exactly where names and servers go together, else measured on a sample.
pub(super) fn shares(current: &Topology, to: &Topology, prefix: &[u8]) -> Shares {
    let before = Placement::build(current);
    let after = before.over(to);
    if names_are_servers(current, to) {
        exact(&before, &after)
    } else {
        sampled(&before, &after, prefix)
    }
}

/// Whether nobody was renamed or has another address.
fn names_are_servers(current: &Topology, to: &Topology) -> bool {
    let mut servers = BTreeMap::new();
    let mut names = BTreeMap::new();
    current.nodes().iter().chain(to.nodes()).all(|node| {
        let server = server_of(node);
        let same_server = servers
            .insert(&node.name, server.clone())
            .is_none_or(|was| was == server);
        let same_name = names
            .insert(server, &node.name)
            .is_none_or(|was| *was == node.name);
        same_server && same_name
    })
}

fn exact(before: &Placement, after: &Placement) -> Shares {
    let plan = analysis::plan(before, after);
    let (old, new) = (before.topology(), after.topology());
    let mut moved = BTreeMap::new();
    for flow in &plan.flows {
        let pair = (
            old.node(flow.from).name.clone(),
            new.node(flow.to).name.clone(),
        );
        *moved.entry(pair).or_default() += flow.share;
    }
    let names = old.nodes().iter().map(|node| node.name.clone());
    Shares {
        moved,
        owned: names.zip(plan.shares_before).collect(),
    }
}

/// Places a fixed sample of keys under both topologies.
fn sampled(before: &Placement, after: &Placement, prefix: &[u8]) -> Shares {
    let (current, to) = (before.topology(), after.topology());
    let each = 1.0 / SAMPLE as f64;
    let mut shares = Shares {
        moved: BTreeMap::new(),
        owned: BTreeMap::new(),
    };
    let mut key = prefix.to_vec();
    for at in 0..SAMPLE {
        key.truncate(prefix.len());
        key.extend_from_slice(at.to_string().as_bytes());
        let source = current.node(before.node_of(&key));
        let target = to.node(after.node_of(&key));
        *shares.owned.entry(source.name.clone()).or_default() += each;
        if server_of(source) != server_of(target) {
            let pair = (source.name.clone(), target.name.clone());
            *shares.moved.entry(pair).or_default() += each;
        }
    }
    shares
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
