//! A node's reply, read as an answer to a command of the rules.

use super::item::{Item, Remarks};
use evenkeel_core::migration::operation::{Answer, Command, Lease, Seen, Side};
use evenkeel_wire::memcached::{MetaFlags, Reply, Status, cas};
use evenkeel_wire::number;
use std::time::Duration;

/// What the reply `line` of a node says to `command`. `bytes` is what the reply was parsed from, its data included if
/// it has any; `connection` is the number of the connection on which it came. `None` if the node broke the protocol:
/// its connection must be closed, and the command counts as unanswered.
pub fn hear(
    side: Side,
    command: &Command<Item>,
    line: &Reply,
    bytes: &[u8],
    connection: u64,
) -> Option<Answer<Item>> {
    if line.status.is_error() {
        return Some(Answer::Refused);
    }
    match command {
        Command::LookOrLease | Command::Look => looked(side, line, bytes, connection),
        Command::Fill(..) | Command::Remove(_) => conditional(line.status),
        // An append is not stored if it would make the value too large, and looking again would not help.
        Command::Act(Seen::Value(..)) if line.status == Status::NotStored => Some(Answer::Refused),
        Command::Act(_) => conditional(line.status),
        Command::Delete => match line.status {
            Status::MetaHeader | Status::Deleted => Some(Answer::Done),
            Status::NotFound => Some(Answer::Miss),
            _ => None,
        },
        Command::Overwrite => match line.status {
            Status::Stored | Status::MetaHeader | Status::Deleted => Some(Answer::Done),
            Status::NotFound => Some(Answer::Miss),
            _ => None,
        },
    }
}

/// Of a command that acts on exactly what was seen: whatever else is there now, nothing was done.
fn conditional(status: Status) -> Option<Answer<Item>> {
    match status {
        Status::MetaHeader | Status::MetaValue => Some(Answer::Done),
        Status::Exists | Status::NotFound | Status::NotStored => Some(Answer::Changed),
        _ => None,
    }
}

fn looked(side: Side, line: &Reply, bytes: &[u8], connection: u64) -> Option<Answer<Item>> {
    match line.status {
        Status::MetaMiss => return Some(Answer::Miss),
        Status::MetaValue => {}
        _ => return None,
    }
    let told = told(line.flags(bytes));
    let lease = Lease {
        token: cas::read(line.cas.of(bytes))?,
        connection,
    };
    let data_end = line.line_len + line.body_len? as usize;
    let value = bytes.get(line.line_len..data_end)?;
    // Nothing but a mark is a placeholder. A client's own empty value has no mark, unless it was declared stale.
    if value.is_empty() && !told.stale {
        if told.won {
            return Some(Answer::Won(lease));
        }
        if told.held {
            return Some(Answer::Held(lease));
        }
    }
    let left = time_left(line.flags(bytes))?;
    if side == Side::Source && (told.stale || left == Some(Duration::ZERO)) {
        return Some(Answer::Spent);
    }
    let client_flags = flag_number(line.flags(bytes), b'f')?;
    let client_flags = u32::try_from(client_flags).ok()?;
    Some(Answer::Value(
        Item {
            value: value.into(),
            client_flags,
            left,
            told,
        },
        lease,
    ))
}

fn told(flags: MetaFlags<'_>) -> Remarks {
    let mut told = Remarks::default();
    for flag in flags {
        match flag.letter {
            b'W' => told.won = true,
            b'Z' => told.held = true,
            b'X' => told.stale = true,
            b'h' => told.hit = flag.token == b"1",
            b'l' => told.idle = Duration::from_secs(number::plain(flag.token).unwrap_or(0)),
            _ => {}
        }
    }
    told
}

/// `t`: seconds that are left, -1 for ever.
fn time_left(flags: MetaFlags<'_>) -> Option<Option<Duration>> {
    let left = number::signed(flags.find(b't')?.token)?;
    Some(u64::try_from(left).ok().map(Duration::from_secs))
}

fn flag_number(flags: MetaFlags<'_>, letter: u8) -> Option<u64> {
    number::plain(flags.find(letter)?.token)
}
