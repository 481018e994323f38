//! The commands of the text dialect.

use super::counters::Count;
use super::item::Item;
use super::node::EmbeddedNode;
use super::store::{Counted, Mode, Outcome, is_too_large};
use evenkeel_wire::memcached::{Command, Kind, answers};
use evenkeel_wire::{Span, number};

/// `get`, `gets`, `gat` and `gats`.
pub(super) fn get(node: &EmbeddedNode, command: &Command, bytes: &[u8], out: &mut Vec<u8>) {
    let with_token = matches!(command.kind, Kind::Gets | Kind::Gats);
    let touch = match command.kind {
        Kind::Gat | Kind::Gats => Some(signed(command.exptime, bytes)),
        _ => None,
    };
    for key in command.keys(bytes) {
        let hit = get_one(node, key, touch, with_token, out);
        let (commands, outcome) = match (touch, hit) {
            (Some(_), true) => (Count::CmdTouch, Count::TouchHits),
            (Some(_), false) => (Count::CmdTouch, Count::TouchMisses),
            (None, true) => (Count::CmdGet, Count::GetHits),
            (None, false) => (Count::CmdGet, Count::GetMisses),
        };
        node.counters.add(commands);
        node.counters.add(outcome);
    }
    out.extend_from_slice(b"END\r\n");
}

fn get_one(
    node: &EmbeddedNode,
    key: &[u8],
    touch: Option<i64>,
    with_token: bool,
    out: &mut Vec<u8>,
) -> bool {
    let Some(mut held) = node.hold(key) else {
        return false;
    };
    let moment = held.moment;
    let Some(mut item) = held.item() else {
        return false;
    };
    item.bump(moment.now);
    if let Some(exptime) = touch {
        item.expires = moment.expiry(exptime);
    }
    out.extend_from_slice(b"VALUE ");
    out.extend_from_slice(key);
    push_number(out, u64::from(item.client_flags));
    push_number(out, item.value.len() as u64);
    if with_token {
        push_number(out, item.token);
    }
    out.extend_from_slice(b"\r\n");
    out.extend_from_slice(&item.value);
    out.extend_from_slice(b"\r\n");
    true
}

/// True if the value of a storage command is too large. The server then removes the old value of a `set`, so that
/// nobody goes on reading it.
pub(super) fn refuse_too_large(node: &EmbeddedNode, command: &Command, bytes: &[u8]) -> bool {
    let key = command.key(bytes);
    let client_flags = unsigned(command.client_flags, bytes) as u32;
    let value_len = command.body_len.unwrap_or(0) as usize;
    if !is_too_large(key.len(), client_flags, value_len) {
        return false;
    }
    node.counters.add(Count::StoreTooLarge);
    if command.kind == Kind::Set
        && let Some(mut held) = node.hold(key)
    {
        held.remove();
    }
    true
}

/// `set`, `add`, `replace`, `append`, `prepend` and `cas`, with a value that is not too large.
pub(super) fn store(
    node: &EmbeddedNode,
    command: &Command,
    bytes: &[u8],
    value: &[u8],
) -> &'static [u8] {
    let Some(mut held) = node.hold(command.key(bytes)) else {
        return answers::ERROR;
    };
    let mode = match command.kind {
        Kind::Add => Mode::Add,
        Kind::Replace => Mode::Replace,
        Kind::Append => Mode::Append,
        Kind::Prepend => Mode::Prepend,
        Kind::Cas => Mode::Cas { stale: false },
        _ => Mode::Set,
    };
    let expires = held.moment.expiry(signed(command.exptime, bytes));
    let item = Item::new(
        value.into(),
        unsigned(command.client_flags, bytes) as u32,
        expires,
    );
    match held.store(mode, item, unsigned(command.cas, bytes)) {
        Outcome::Done(_) => b"STORED\r\n",
        Outcome::Exists => b"EXISTS\r\n",
        Outcome::Missing => b"NOT_FOUND\r\n",
        Outcome::Refused => b"NOT_STORED\r\n",
    }
}

/// `incr` and `decr`.
pub(super) fn arithmetic(node: &EmbeddedNode, command: &Command, bytes: &[u8], out: &mut Vec<u8>) {
    let up = command.kind == Kind::Incr;
    let Some(mut held) = node.hold(command.key(bytes)) else {
        return;
    };
    match held.count(up, unsigned(command.delta, bytes), 0) {
        Counted::Value(value) => {
            out.extend_from_slice(itoa::Buffer::new().format(value).as_bytes());
            out.extend_from_slice(b"\r\n");
        }
        Counted::NotANumber => {
            out.extend_from_slice(
                b"CLIENT_ERROR cannot increment or decrement non-numeric value\r\n",
            );
        }
        Counted::NotFound | Counted::Mismatch => {
            node.counters.add(if up {
                Count::IncrMisses
            } else {
                Count::DecrMisses
            });
            out.extend_from_slice(b"NOT_FOUND\r\n");
        }
    }
}

/// `touch`.
pub(super) fn touch(node: &EmbeddedNode, command: &Command, bytes: &[u8]) -> &'static [u8] {
    node.counters.add(Count::CmdTouch);
    let Some(mut held) = node.hold(command.key(bytes)) else {
        return answers::ERROR;
    };
    let moment = held.moment;
    let Some(mut item) = held.item() else {
        node.counters.add(Count::TouchMisses);
        return b"NOT_FOUND\r\n";
    };
    item.bump(moment.now);
    item.expires = moment.expiry(signed(command.exptime, bytes));
    node.counters.add(Count::TouchHits);
    b"TOUCHED\r\n"
}

/// `delete`.
pub(super) fn delete(node: &EmbeddedNode, command: &Command, bytes: &[u8]) -> &'static [u8] {
    let Some(mut held) = node.hold(command.key(bytes)) else {
        return answers::ERROR;
    };
    if held.item().is_none() {
        node.counters.add(Count::DeleteMisses);
        return b"NOT_FOUND\r\n";
    }
    held.remove();
    node.counters.add(Count::DeleteHits);
    b"DELETED\r\n"
}

/// `flush_all`.
pub(super) fn flush_all(node: &EmbeddedNode, command: &Command, bytes: &[u8]) -> &'static [u8] {
    node.counters.add(Count::CmdFlush);
    node.flush(i64::from(signed(command.exptime, bytes) as i32));
    b"OK\r\n"
}

/// A blank and a number.
fn push_number(out: &mut Vec<u8>, number: u64) {
    out.push(b' ');
    out.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
}

/// A number of the line, which the parser has found to be one; 0 where there is none.
fn signed(span: Span, bytes: &[u8]) -> i64 {
    number::signed(span.of(bytes)).unwrap_or(0)
}

fn unsigned(span: Span, bytes: &[u8]) -> u64 {
    number::unsigned(span.of(bytes)).unwrap_or(0)
}
