//! `lru_crawler metadump`: the node's keys.

use super::item::slab_class;
use super::node::EmbeddedNode;
use evenkeel_wire::memcached::metadump;
use std::io::Write;

/// Appends the whole listing. Each shard is locked in turn, so a key that is there throughout is listed. O(keys).
pub(super) fn list(node: &EmbeddedNode, out: &mut Vec<u8>) {
    let moment = node.moment();
    for shard in node.shards() {
        for (key, item) in shard.iter() {
            if (item.expires != 0 && item.expires < moment.now) || node.is_flushed(item, moment.now)
            {
                continue;
            }
            out.extend_from_slice(b"key=");
            metadump::encode_name(key, out);
            match item.expires {
                0 => out.extend_from_slice(b" exp=-1"),
                expires => push_word(out, "exp", moment.unix(expires)),
            }
            push_word(out, "la", moment.unix(item.used));
            push_word(out, "cas", item.token);
            out.extend_from_slice(if item.fetched {
                b" fetch=yes"
            } else {
                b" fetch=no"
            });
            let size = item.size(key.len());
            push_word(out, "cls", u64::from(slab_class(size)));
            push_word(out, "size", size as u64);
            out.push(b'\n');
        }
    }
    out.extend_from_slice(b"END\r\n");
}

fn push_word(out: &mut Vec<u8>, name: &str, number: u64) {
    // Writing to memory cannot fail.
    let _ = write!(out, " {name}={number}");
}
