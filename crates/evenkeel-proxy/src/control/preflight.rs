//! What is looked at before a migration may start. Every refusal has a reason and a remedy.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::time::{SystemTime, UNIX_EPOCH};

use evenkeel_core::Topology;
use evenkeel_core::migration::leader::{self};
use evenkeel_wire::memcached::{Expect, Status};
use serde::{Deserialize, Serialize};

use super::api::ApplyRequest;
use super::plan::{self, NodeReport, Plan};
use super::probe::Probe;
use crate::coordinator::leftovers;
use crate::copier::{Map, Network, server_of};
use crate::store::PoolRecord;

/// A reason and a remedy.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Complaint {
    /// What kind it is, for programs: `unreachable`, `not-empty`, `leftovers`, ...
    pub kind: String,
    /// What is the matter.
    pub reason: String,
    /// What to do about it.
    pub remedy: String,
}

impl Complaint {
    fn new(kind: &str, reason: impl Into<String>, remedy: impl Into<String>) -> Self {
        Complaint {
            kind: kind.to_owned(),
            reason: reason.into(),
            remedy: remedy.into(),
        }
    }
}

/// Looks at everything, changes nothing, and says what the change would do. `others` are the servers of the other pools.
pub async fn preflight(
    network: &dyn Network,
    record: &PoolRecord,
    request: &ApplyRequest,
    others: &BTreeMap<String, String>,
) -> Plan {
    let to = &request.topology;
    let mut refusals = Vec::new();
    let mut warnings = Vec::new();
    if record.migration.is_some() {
        refusals.push(Complaint::new(
            "under-way",
            "a migration is under way",
            "wait for it to end, or `evenkeel abort` it",
        ));
    }
    two_names(to, &mut refusals);
    shared(to, others, &mut refusals);
    same_machine(&record.current, to, &mut refusals).await;
    let mut nodes = Vec::new();
    for (server, name) in servers(&record.current, to) {
        match look(network, &server, &name, &request.options.node_prefix).await {
            Ok((report, complaint)) => {
                nodes.push(report);
                refusals.extend(complaint);
            }
            Err(error) => refusals.push(Complaint::new(
                "unreachable",
                format!("{name} ({server}) cannot be asked: {error}"),
                "start it, or correct its address; every node of both topologies must answer before a migration starts",
            )),
        }
    }
    if refusals.is_empty() {
        targets(network, record, request, &mut refusals).await;
    }
    let shares = plan::shares(&record.current, to, &request.options.node_prefix);
    let flows = plan::flows(&shares, &nodes);
    memory(&flows, &nodes, &mut warnings);
    Plan {
        schema: 1,
        epoch: record.epoch,
        moved_share: flows.iter().map(|flow| flow.share).sum(),
        keys: flows.iter().map(|flow| flow.keys).sum(),
        bytes: flows.iter().map(|flow| flow.bytes).sum(),
        flows,
        nodes,
        refusals,
        warnings,
    }
}

/// Every server of both topologies once, with a name that it has.
fn servers(current: &Topology, to: &Topology) -> BTreeMap<String, String> {
    let nodes = current.nodes().iter().chain(to.nodes());
    nodes
        .map(|node| (server_of(node), node.name.clone()))
        .collect()
}

fn two_names(to: &Topology, refusals: &mut Vec<Complaint>) {
    let mut seen: BTreeMap<String, &str> = BTreeMap::new();
    for node in to.nodes() {
        if let Some(other) = seen.insert(server_of(node), &node.name) {
            refusals.push(Complaint::new(
                "two-names",
                format!("{other} and {} are one server, {}", node.name, node.address),
                "give each server one name; a larger weight gives it a larger share",
            ));
        }
    }
}

fn shared(to: &Topology, others: &BTreeMap<String, String>, refusals: &mut Vec<Complaint>) {
    for node in to.nodes() {
        if let Some(pool) = others.get(&server_of(node)) {
            refusals.push(Complaint::new(
                "other-pool",
                format!("{} ({}) belongs to the pool {pool:?}", node.name, node.address),
                "a server belongs to one pool: `purge` would delete the other pool's keys; start another memcached for this one",
            ));
        }
    }
}

/// One server under two addresses would have its keys moved to itself, and deleted.
async fn same_machine(current: &Topology, to: &Topology, refusals: &mut Vec<Complaint>) {
    let mut known: BTreeMap<std::net::SocketAddr, String> = BTreeMap::new();
    for server in servers(current, to).into_keys() {
        // What does not resolve is found unreachable elsewhere.
        let Ok(found) = tokio::net::lookup_host(&server).await else {
            continue;
        };
        for address in found.collect::<BTreeSet<_>>() {
            match known.get(&address) {
                Some(other) if *other != server => refusals.push(Complaint::new(
                    "one-server",
                    format!("{other} and {server} are one server, {address}"),
                    "write its address as the pool has it now",
                )),
                _ => {
                    known.insert(address, server.clone());
                }
            }
        }
    }
}

/// Asks a server how it is, and tries each command that a migration needs.
async fn look(
    network: &dyn Network,
    server: &str,
    name: &str,
    prefix: &[u8],
) -> io::Result<(NodeReport, Option<Complaint>)> {
    let mut probe = Probe::to(network, server).await?;
    let stats = probe.stats(b"stats\r\n").await?;
    let number = |key: &str| {
        stats
            .get(key)
            .and_then(|value| value.parse().ok())
            .unwrap_or(0)
    };
    let report = NodeReport {
        name: name.to_owned(),
        server: server.to_owned(),
        keys: number("curr_items"),
        bytes: number("bytes"),
        limit: number("limit_maxbytes"),
    };
    let settings = probe.stats(b"stats settings\r\n").await?;
    if settings
        .get("cas_enabled")
        .is_some_and(|value| value == "no")
    {
        let complaint = Complaint::new(
            "no-cas",
            format!("{name} ({server}) was started with -C, without CAS tokens"),
            "start it without -C: a migration stands on these tokens",
        );
        return Ok((report, Some(complaint)));
    }
    let failed = trial(network, server, prefix).await?;
    let complaint = failed.map(|said| {
        Complaint::new(
            "commands-missing",
            format!("{name} ({server}) does not do what a migration needs: {said}"),
            "run memcached 1.6.18 or later there, with its LRU crawler on",
        )
    });
    Ok((report, complaint))
}

/// Tries each command on a scratch key that expires by itself. Gives what went wrong.
async fn trial(network: &dyn Network, server: &str, prefix: &[u8]) -> io::Result<Option<String>> {
    let mut probe = Probe::to(network, server).await?;
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    let prefix = String::from_utf8_lossy(prefix).into_owned();
    let key = format!("{prefix}evenkeel:trial:{}", since.as_nanos());
    let said = |command: &str, line: &super::probe::Line| {
        Some(format!("`{command}` answers {:?}", line.text()))
    };

    let command = format!("mg {key} v f t c s N30\r\n");
    let lease = probe.one(command.as_bytes(), Expect::MetaGet).await?;
    let (Some(token), Some(_)) = (lease.flag(b'c'), lease.flag(b'W')) else {
        return Ok(said("mg KEY v f t c s N30", &lease));
    };
    let held = probe.one(command.as_bytes(), Expect::MetaGet).await?;
    if held.flag(b'Z').is_none() {
        return Ok(said("mg KEY v f t c s N30, again,", &held));
    }
    let command = format!("ms {key} 1 C{token} F5 T60\r\n7\r\n");
    let filled = probe.one(command.as_bytes(), Expect::MetaSet).await?;
    if filled.reply.status != Status::MetaHeader {
        return Ok(said("ms KEY 1 C.. F5 T60", &filled));
    }
    let late = probe.one(command.as_bytes(), Expect::MetaSet).await?;
    if late.reply.status != Status::Exists {
        return Ok(said("ms KEY 1 C.. F5 T60, with an old token,", &late));
    }
    let fetched = probe
        .one(
            format!("mg {key} v f t c s\r\n").as_bytes(),
            Expect::MetaGet,
        )
        .await?;
    let (Some(token), Some(flags)) = (fetched.flag(b'c'), fetched.flag(b'f')) else {
        return Ok(said("mg KEY v f t c s", &fetched));
    };
    if flags != "5" || fetched.flag(b't').is_none_or(|left| left == "-1") {
        return Ok(said("mg KEY v f t c s", &fetched));
    }
    let counted = probe
        .one(
            format!("ma {key} C{token} D1 MI v\r\n").as_bytes(),
            Expect::MetaArithmetic,
        )
        .await?;
    if counted.reply.status != Status::MetaValue {
        return Ok(said("ma KEY C.. D1 MI v", &counted));
    }
    let refused = probe
        .one(
            format!("md {key} C{token}\r\n").as_bytes(),
            Expect::MetaDelete,
        )
        .await?;
    if refused.reply.status != Status::Exists {
        return Ok(said("md KEY C.., with an old token,", &refused));
    }
    let gone = probe
        .one(format!("md {key}\r\n").as_bytes(), Expect::MetaDelete)
        .await?;
    if gone.reply.status != Status::MetaHeader {
        return Ok(said("md KEY", &gone));
    }
    let binary = probe
        .one(b"mg ZXZlbmtlZWwgdHJpYWw= b v\r\n", Expect::MetaGet)
        .await?;
    if binary.reply.status.is_error() {
        return Ok(said("mg KEY b", &binary));
    }
    // One small class is enough to see that the crawler is on. A listing wants a connection without anything before it.
    let mut probe = Probe::to(network, server).await?;
    let listed = probe
        .one(b"lru_crawler metadump 1\r\n", Expect::Metadump)
        .await?;
    let refused = listed.reply.status.is_error();
    Ok(refused
        .then(|| said("lru_crawler metadump", &listed))
        .flatten())
}

/// A brand-new node must be empty; what `purge` would delete elsewhere is shown and asked for.
async fn targets(
    network: &dyn Network,
    record: &PoolRecord,
    request: &ApplyRequest,
    refusals: &mut Vec<Complaint>,
) {
    let started = leader::start(
        record,
        true,
        request.topology.clone(),
        record.tags.clone(),
        request.options.clone(),
        "",
        0,
    );
    let Some(map) = started.ok().as_ref().and_then(Map::of) else {
        return;
    };
    let known: BTreeSet<String> = record.current.nodes().iter().map(server_of).collect();
    for server in map.targets() {
        let is_new = !known.contains(&server);
        if (is_new && request.flush_new) || request.purge {
            continue;
        }
        match leftovers(network, &map, &server).await {
            Ok(found) if found.keys == 0 => {}
            Ok(found) => refusals.push(leftover(&server, is_new, found.keys, &found.names)),
            Err(error) => refusals.push(Complaint::new(
                "unreachable",
                format!("{server} {error}"),
                "see that it runs, and that nothing else lists its keys",
            )),
        }
    }
}

fn leftover(server: &str, is_new: bool, keys: u64, names: &[String]) -> Complaint {
    let names = names.join(", ");
    if is_new {
        Complaint::new(
            "not-empty",
            format!("the new node {server} is not empty: it holds {keys} keys, such as {names}"),
            "see that it is the right server; `--flush-new` deletes them",
        )
    } else {
        Complaint::new(
            "leftovers",
            format!(
                "{server} holds {keys} keys that it does not own, such as {names}; a migration deletes them, or they would be read again"
            ),
            "see that nobody else uses this server; `--purge` deletes them",
        )
    }
}

fn memory(flows: &[plan::Flow], nodes: &[NodeReport], warnings: &mut Vec<Complaint>) {
    for node in nodes {
        let comes: u64 = flows
            .iter()
            .filter(|flow| flow.target == node.name)
            .map(|flow| flow.bytes)
            .sum();
        let goes: u64 = flows
            .iter()
            .filter(|flow| flow.source == node.name)
            .map(|flow| flow.bytes)
            .sum();
        let after = (node.bytes + comes).saturating_sub(goes);
        if node.limit > 0 && comes > 0 && after > node.limit {
            warnings.push(Complaint::new(
                "memory",
                format!(
                    "{} would hold {after} bytes and may hold {}",
                    node.name, node.limit
                ),
                "give it more memory (-m), or it evicts",
            ));
        }
    }
}
