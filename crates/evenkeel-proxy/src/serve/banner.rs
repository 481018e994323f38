//! What a proxy says when it is ready.

use crate::{Pool, VERSION};
use evenkeel_core::Address;
use std::fmt::Write;
use std::sync::Arc;

/// What listens where, with how many nodes, and what to try.
pub(super) fn banner(pools: &[Arc<Pool>], admin: Option<&str>) -> String {
    let mut text = format!("evenkeel proxy {VERSION}\n");
    let mut is_embedded = false;
    for pool in pools {
        let snapshot = pool.snapshot();
        let nodes = snapshot.topology.nodes();
        let embedded = nodes
            .iter()
            .filter(|node| node.address == Address::Embedded)
            .count();
        is_embedded |= embedded > 0;
        let what = match embedded {
            0 => "",
            all if all == nodes.len() => ", all embedded in this process",
            _ => ", some embedded in this process",
        };
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "  pool {}: memcached on {}, {} nodes{what}, placement {}",
            snapshot.pool,
            pool.listening().join(", "),
            nodes.len(),
            snapshot.topology.scheme().name(),
        );
    }
    if let Some(admin) = admin {
        let _ = writeln!(
            text,
            "  admin: http://{admin}/ (healthz, readyz, metrics, v1/topology, v1/lookup?key=K)"
        );
    }
    if is_embedded {
        text.push_str("  The data lives in this process and ends with it.\n");
    }
    if let Some(try_it) = pools.first().and_then(|pool| try_it(pool)) {
        text.push_str(&try_it);
    }
    text
}

fn try_it(pool: &Pool) -> Option<String> {
    let (host, port) = pool.listening().first()?.rsplit_once(':')?;
    let host = host.trim_matches(['[', ']']);
    Some(format!(
        "  try: printf 'set hello 0 0 5\\r\\nworld\\r\\nget hello\\r\\nquit\\r\\n' | nc {host} {port}\n"
    ))
}
