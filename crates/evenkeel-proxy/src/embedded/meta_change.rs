//! `ms`, `md` and `ma`.

use super::counters::Count;
use super::item::Item;
use super::meta::{
    push_flag, push_head, push_key, push_line, push_opaque, push_opaque_and_key, push_time_to_live,
};
use super::meta_options::{OPAQUE_TOO_LONG, Options};
use super::node::EmbeddedNode;
use super::shard::Held;
use super::store::{Counted, Mode, Outcome, is_too_large};
use evenkeel_wire::memcached::{Command, MAX_KEY_LEN, MetaFlags};

/// How `md` and `ma` tell of any fault in their flags.
const BAD_FLAGS: &str = "CLIENT_ERROR invalid or duplicate flag";

/// Why an `ms` is refused before its value is read, if it is. An item that is too large takes the old one with it.
pub(super) fn refuse_set(
    node: &EmbeddedNode,
    command: &Command,
    bytes: &[u8],
) -> Option<&'static str> {
    let options = match Options::read(command.flags(bytes), node.moment()) {
        Ok(options) => options,
        Err(line) => return Some(line),
    };
    if mode_of(&options).is_none() {
        return Some("CLIENT_ERROR invalid mode for ms M token");
    }
    if options.long_opaque {
        return Some(OPAQUE_TOO_LONG);
    }
    let mut scratch = [0; MAX_KEY_LEN];
    let key = command.routing_key(bytes, &mut scratch);
    if !is_too_large(
        key.len(),
        options.client_flags,
        command.body_len.unwrap_or(0) as usize,
    ) {
        return None;
    }
    node.counters.add(Count::StoreTooLarge);
    if let Some(mut held) = node.hold(key) {
        held.remove();
    }
    Some("SERVER_ERROR object too large for cache")
}

/// `ms`, not refused, with its value.
pub(super) fn set(
    node: &EmbeddedNode,
    command: &Command,
    bytes: &[u8],
    value: &[u8],
    out: &mut Vec<u8>,
) {
    let Ok(options) = Options::read(command.flags(bytes), node.moment()) else {
        return;
    };
    let mut scratch = [0; MAX_KEY_LEN];
    let key = command.routing_key(bytes, &mut scratch);
    let (Some(mode), Some(mut held)) = (mode_of(&options), node.hold(key)) else {
        return;
    };
    let item = Item {
        base64_key: options.base64_key,
        ..Item::new(
            value.into(),
            options.client_flags,
            options.expires.unwrap_or(0),
        )
    };
    let (code, token): (&[u8], u64) = match held.store(mode, item, options.token.unwrap_or(0)) {
        Outcome::Done(_) if options.quiet => return,
        Outcome::Done(token) => (b"HD", token),
        Outcome::Exists => (b"EX", 0),
        Outcome::Missing => (b"NF", 0),
        Outcome::Refused => (b"NS", 0),
    };
    out.extend_from_slice(code);
    for flag in command.flags(bytes) {
        match flag.letter {
            b'O' => push_opaque(out, flag.token),
            b'k' => push_key(out, key, options.base64_key),
            b'c' => push_flag(out, b'c', token),
            _ => {}
        }
    }
    out.extend_from_slice(b"\r\n");
}

/// A token makes a compare-and-swap of a set and of a replace.
fn mode_of(options: &Options) -> Option<Mode> {
    let mode = match options.mode {
        None | Some(b'S') => Mode::Set,
        Some(b'E') => Mode::Add,
        Some(b'A') => Mode::Append,
        Some(b'P') => Mode::Prepend,
        Some(b'R') => Mode::Replace,
        Some(_) => return None,
    };
    let compares = options.token.is_some() && matches!(mode, Mode::Set | Mode::Replace);
    Some(if compares {
        Mode::Cas {
            stale: options.invalidate,
        }
    } else {
        mode
    })
}

/// `md`.
pub(super) fn delete(node: &EmbeddedNode, command: &Command, bytes: &[u8], out: &mut Vec<u8>) {
    let options = match Options::read(command.flags(bytes), node.moment()) {
        Ok(options) if options.long_opaque => return push_line(out, OPAQUE_TOO_LONG),
        Ok(options) => options,
        Err(_) => return push_line(out, BAD_FLAGS),
    };
    let mut scratch = [0; MAX_KEY_LEN];
    let key = command.routing_key(bytes, &mut scratch);
    let Some(mut held) = node.hold(key) else {
        return;
    };
    let code = delete_held(&mut held, &options);
    if code != b"HD" || !options.quiet {
        push_without_item(code, command, bytes, key, out);
    }
}

fn delete_held(held: &mut Held<'_>, options: &Options) -> &'static [u8] {
    let node = held.node;
    let Some(mut item) = held.item() else {
        node.counters.add(Count::DeleteMisses);
        return b"NF";
    };
    if options.token.is_some_and(|token| token != item.token) {
        node.counters.add(Count::DeleteMisses);
        return b"EX";
    }
    if options.invalidate {
        item.expires = options.expires.unwrap_or(item.expires);
        item.stale = true;
        item.won = false;
        item.token = node.next_token();
        return b"HD";
    }
    drop(item);
    held.remove();
    node.counters.add(Count::DeleteHits);
    b"HD"
}

/// `ma`.
pub(super) fn arithmetic(node: &EmbeddedNode, command: &Command, bytes: &[u8], out: &mut Vec<u8>) {
    let Ok(options) = Options::read(command.flags(bytes), node.moment()) else {
        return push_line(out, BAD_FLAGS);
    };
    let up = match options.mode {
        None | Some(b'I' | b'+') => true,
        Some(b'D' | b'-') => false,
        Some(_) => return push_line(out, "CLIENT_ERROR invalid mode for ma M token"),
    };
    let mut scratch = [0; MAX_KEY_LEN];
    let key = command.routing_key(bytes, &mut scratch);
    let Some(mut held) = node.hold(key) else {
        return;
    };
    let mark = out.len();
    match held.count(up, options.delta, options.token.unwrap_or(0)) {
        Counted::NotANumber => {
            return push_line(
                out,
                "CLIENT_ERROR cannot increment or decrement non-numeric value",
            );
        }
        Counted::Value(value) => {
            push_counted(&mut held, command.flags(bytes), &options, value, false, out);
            if options.quiet {
                out.truncate(mark);
            }
        }
        // A value that was created is answered, quiet or not.
        Counted::NotFound if options.vivify.is_some() => {
            let digits = itoa::Buffer::new()
                .format(options.initial)
                .as_bytes()
                .into();
            held.put(Item::new(digits, 0, 0));
            push_counted(
                &mut held,
                command.flags(bytes),
                &options,
                options.initial,
                true,
                out,
            );
        }
        Counted::NotFound => {
            node.counters.add(if up {
                Count::IncrMisses
            } else {
                Count::DecrMisses
            });
            push_without_item(b"NF", command, bytes, key, out);
        }
        Counted::Mismatch => push_without_item(b"EX", command, bytes, key, out),
    }
    if options.long_opaque {
        out.truncate(mark);
        push_line(out, OPAQUE_TOO_LONG);
    }
}

/// An answer that tells of no item.
fn push_without_item(code: &[u8], command: &Command, bytes: &[u8], key: &[u8], out: &mut Vec<u8>) {
    out.extend_from_slice(code);
    push_opaque_and_key(command.flags(bytes), key, command.base64_key, out);
    out.extend_from_slice(b"\r\n");
}

/// The flags act and are answered in the order in which they are written, up to an opaque that is too long.
fn push_counted(
    held: &mut Held<'_>,
    flags: MetaFlags<'_>,
    options: &Options,
    value: u64,
    created: bool,
    out: &mut Vec<u8>,
) {
    let (now, key) = (held.now(), held.key);
    let mut text = itoa::Buffer::new();
    let digits = text.format(value).as_bytes();
    push_head(out, options.value.then_some(digits.len()));
    let Some(mut item) = held.item() else {
        return out.extend_from_slice(b"\r\n");
    };
    for flag in flags.take_while(|flag| flag.letter != b'O' || !options.long_opaque) {
        match flag.letter {
            b'c' => push_flag(out, b'c', item.token),
            b't' => push_time_to_live(out, &item, now),
            b'T' => item.expires = options.expires.unwrap_or(0),
            b'N' if created => item.expires = options.vivify.unwrap_or(0),
            b'O' => push_opaque(out, flag.token),
            b'k' => push_key(out, key, options.base64_key),
            _ => {}
        }
    }
    out.extend_from_slice(b"\r\n");
    if options.value {
        out.extend_from_slice(digits);
        out.extend_from_slice(b"\r\n");
    }
}
