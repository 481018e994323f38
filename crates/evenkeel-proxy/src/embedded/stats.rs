//! `stats`, as much of it as a cluster's tools look at.

use super::counters::NAMES;
use super::item::MAX_ITEM_SIZE;
use super::node::{DIALECT_VERSION, EmbeddedNode};
use std::io::Write;

/// `stats [what]`.
pub(super) fn stats(node: &EmbeddedNode, what: &[u8], out: &mut Vec<u8>) {
    match what {
        b"" => general(node, out),
        b"settings" => {
            line(out, "maxbytes", node.limit());
            line(out, "cas_enabled", "yes");
            line(out, "item_size_max", MAX_ITEM_SIZE);
        }
        // Slabs and connections are not there to be told of.
        b"items" | b"slabs" | b"sizes" | b"conns" => {}
        b"reset" => {
            node.counters.reset();
            return out.extend_from_slice(b"RESET\r\n");
        }
        _ => return out.extend_from_slice(b"ERROR\r\n"),
    }
    out.extend_from_slice(b"END\r\n");
}

fn general(node: &EmbeddedNode, out: &mut Vec<u8>) {
    let moment = node.moment();
    line(out, "pid", std::process::id());
    // The count begins two seconds before the start.
    line(out, "uptime", moment.now.saturating_sub(2));
    line(out, "time", moment.unix(moment.now));
    line(out, "version", DIALECT_VERSION);
    line(out, "pointer_size", usize::BITS);
    for (count, name) in NAMES {
        line(out, name, node.counters.get(count));
    }
    line(out, "limit_maxbytes", node.limit());
    line(out, "bytes", node.bytes());
    line(out, "curr_items", node.len());
    line(out, "evictions", node.evictions());
}

fn line(out: &mut Vec<u8>, name: &str, value: impl std::fmt::Display) {
    // Writing to memory cannot fail.
    let _ = write!(out, "STAT {name} {value}\r\n");
}
