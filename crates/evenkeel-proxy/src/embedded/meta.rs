//! `mg` and `me`, and the flags that answers of all meta commands repeat.

use super::clock::Seconds;
use super::counters::Count;
use super::item::{Item, slab_class};
use super::meta_options::{OPAQUE_TOO_LONG, Options};
use super::node::EmbeddedNode;
use super::shard::Held;
use evenkeel_wire::memcached::{Command, MAX_KEY_LEN, MetaFlags, base64};

/// `mg`.
pub(super) fn get(node: &EmbeddedNode, command: &Command, bytes: &[u8], out: &mut Vec<u8>) {
    let flags = command.flags(bytes);
    let options = match Options::read(flags.clone(), node.moment()) {
        Ok(options) => options,
        Err(line) => return push_line(out, line),
    };
    let mut scratch = [0; MAX_KEY_LEN];
    let key = command.routing_key(bytes, &mut scratch);
    let Some(mut held) = node.hold(key) else {
        return;
    };
    let created = options.vivify.is_some() && held.item().is_none();
    if created {
        held.put(Item::new(Box::default(), 0, 0));
    }
    let mark = out.len();
    let found = hit(&mut held, flags.clone(), &options, created, out);
    if !found || !options.long_opaque {
        count(node, found, options.expires.is_some());
    }
    if options.long_opaque {
        out.truncate(mark);
        return push_line(out, OPAQUE_TOO_LONG);
    }
    if !found && !options.quiet {
        out.extend_from_slice(b"EN");
        push_opaque_and_key(flags, key, options.base64_key, out);
        out.extend_from_slice(b"\r\n");
    }
}

fn count(node: &EmbeddedNode, found: bool, touched: bool) {
    let (commands, outcome) = match (found, touched) {
        (true, true) => (Count::CmdTouch, Count::TouchHits),
        (true, false) => (Count::CmdGet, Count::GetHits),
        (false, _) => (Count::CmdGet, Count::GetMisses),
    };
    node.counters.add(commands);
    node.counters.add(outcome);
}

/// Answers with the item, if there is one.
fn hit(
    held: &mut Held<'_>,
    flags: MetaFlags<'_>,
    options: &Options,
    created: bool,
    out: &mut Vec<u8>,
) -> bool {
    let (now, key) = (held.now(), held.key);
    let Some(mut item) = held.item() else {
        return false;
    };
    push_head(out, options.value.then_some(item.value.len()));
    let told_to_recache = tell(&mut item, flags, options, created, (key, now), out);
    if options.long_opaque {
        return true;
    }
    push_marks(&mut item, told_to_recache, out);
    out.extend_from_slice(b"\r\n");
    if options.value {
        out.extend_from_slice(&item.value);
        out.extend_from_slice(b"\r\n");
    }
    if !options.unseen {
        item.bump(now);
    }
    true
}

/// The flags act and are answered in the order in which they are written, up to an opaque that is too long. True if
/// the reader is to fill or refill the item.
fn tell(
    item: &mut Item,
    flags: MetaFlags<'_>,
    options: &Options,
    created: bool,
    (key, now): (&[u8], Seconds),
    out: &mut Vec<u8>,
) -> bool {
    let mut recache = false;
    for flag in flags.take_while(|flag| flag.letter != b'O' || !options.long_opaque) {
        match flag.letter {
            b'T' => item.expires = options.expires.unwrap_or(0),
            b'N' if created => {
                item.expires = options.vivify.unwrap_or(0);
                recache = true;
            }
            b'R' if !item.won && !created => {
                recache |= item.expires != 0 && item.expires < options.recache_before;
            }
            b's' => push_flag(out, b's', item.value.len() as u64),
            b't' => push_time_to_live(out, item, now),
            b'c' => push_flag(out, b'c', item.token),
            b'f' => push_flag(out, b'f', u64::from(item.client_flags)),
            b'l' => push_flag(out, b'l', u64::from(now.wrapping_sub(item.used))),
            b'h' => push_flag(out, b'h', u64::from(item.fetched)),
            b'O' => push_opaque(out, flag.token),
            b'k' => push_key(out, key, item.base64_key),
            _ => {}
        }
    }
    recache
}

/// `W` you are to fill it, `Z` another one is, `X` it is stale.
fn push_marks(item: &mut Item, mut recache: bool, out: &mut Vec<u8>) {
    if item.won {
        out.extend_from_slice(b" Z");
    }
    if item.stale {
        out.extend_from_slice(b" X");
        recache |= !item.won;
    }
    if recache {
        out.extend_from_slice(b" W");
        item.won = true;
    }
}

/// `me`: everything about an item but its value.
pub(super) fn debug(node: &EmbeddedNode, command: &Command, bytes: &[u8], out: &mut Vec<u8>) {
    node.counters.add(Count::CmdMeta);
    let mut scratch = [0; MAX_KEY_LEN];
    let key = command.routing_key(bytes, &mut scratch);
    let Some(mut held) = node.hold(key) else {
        return;
    };
    let now = held.now();
    let Some(item) = held.item() else {
        return out.extend_from_slice(b"EN\r\n");
    };
    out.extend_from_slice(b"ME ");
    if item.base64_key {
        base64::encode(key, out)
    } else {
        out.extend_from_slice(key)
    }
    // The server counts backwards here: what is left to live has a minus sign, and -1 is for ever.
    let left = if item.expires == 0 {
        -1
    } else {
        i64::from(now) - i64::from(item.expires)
    };
    let size = item.size(key.len());
    push_line(
        out,
        &format!(
            " exp={left} la={} cas={} fetch={} cls={} size={size}",
            now.wrapping_sub(item.used),
            item.token,
            if item.fetched { "yes" } else { "no" },
            slab_class(size),
        ),
    );
}

/// A line of text and its end.
pub(super) fn push_line(out: &mut Vec<u8>, line: &str) {
    out.extend_from_slice(line.as_bytes());
    out.extend_from_slice(b"\r\n");
}

/// `VA <length>` or `HD`.
pub(super) fn push_head(out: &mut Vec<u8>, value_len: Option<usize>) {
    match value_len {
        Some(len) => {
            out.extend_from_slice(b"VA ");
            out.extend_from_slice(itoa::Buffer::new().format(len).as_bytes());
        }
        None => out.extend_from_slice(b"HD"),
    }
}

/// A flag with a number.
pub(super) fn push_flag(out: &mut Vec<u8>, letter: u8, number: u64) {
    out.extend_from_slice(&[b' ', letter]);
    out.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
}

/// What is left to live; an expiry in the past wraps around, as at the server.
pub(super) fn push_time_to_live(out: &mut Vec<u8>, item: &Item, now: u32) {
    match item.expires {
        0 => out.extend_from_slice(b" t-1"),
        expires => push_flag(out, b't', u64::from(expires.wrapping_sub(now))),
    }
}

pub(super) fn push_opaque(out: &mut Vec<u8>, opaque: &[u8]) {
    out.extend_from_slice(b" O");
    out.extend_from_slice(opaque);
}

/// The key, in base64 if it came or was stored so, which a `b` behind it says.
pub(super) fn push_key(out: &mut Vec<u8>, key: &[u8], in_base64: bool) {
    out.extend_from_slice(b" k");
    if in_base64 {
        base64::encode(key, out);
        out.extend_from_slice(b" b");
    } else {
        out.extend_from_slice(key);
    }
}

/// What answers without an item repeat of the request, in its order.
pub(super) fn push_opaque_and_key(
    flags: MetaFlags<'_>,
    key: &[u8],
    in_base64: bool,
    out: &mut Vec<u8>,
) {
    for flag in flags {
        match flag.letter {
            b'O' => push_opaque(out, flag.token),
            b'k' => push_key(out, key, in_base64),
            _ => {}
        }
    }
}
