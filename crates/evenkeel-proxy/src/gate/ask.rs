//! The words in which an operation's commands go to memcached: those of the rules, and the client's own.

use evenkeel_core::migration::operation::{Command, Lease, Seen};
use evenkeel_core::migration::{Rule, Rules};
use evenkeel_wire::memcached::Expect;
use evenkeel_wire::memcached::compose::{self, Mode, NodeKey, Store};

use super::request::{Request, Verb};
use crate::migration::{self, Asked, Context, Item};

/// What is needed to word a command.
#[derive(Debug, Clone, Copy)]
pub struct Wording<'a> {
    /// The key.
    pub key: NodeKey<'a>,
    /// What the client asked for; the copier asks for nothing.
    pub request: Option<&'a Request>,
    /// The time, and how long a lease lasts.
    pub context: Context,
    /// The rules in force.
    pub rules: Rules,
}

/// Appends `command` to `out` and says which reply to await; `None` if the client's request does not go with it.
pub fn word(out: &mut Vec<u8>, command: &Command<Item>, with: Wording<'_>) -> Option<Expect> {
    if !with.rules.keeps(Rule::FillUnderLease)
        && let Some(expect) = without_lease(out, command, with)
    {
        return Some(expect);
    }
    match migration::ask(out, with.key, command, with.context) {
        Asked::Written(expect) => Some(expect),
        Asked::ClientsOwn => match command {
            Command::Act(seen) => act(out, seen, with),
            _ => overwrite(out, with),
        },
    }
}

/// The look and the fill of a build in which whoever finds nothing may fill. Only a test asks for it.
fn without_lease(out: &mut Vec<u8>, command: &Command<Item>, with: Wording<'_>) -> Option<Expect> {
    match command {
        Command::LookOrLease => {
            compose::look(out, with.key);
            Some(Expect::MetaGet)
        }
        Command::Fill(item, _) => {
            let fill = Store {
                value: &item.value,
                client_flags: item.client_flags,
                exptime: item.exptime(with.context.now),
                token: None,
                mode: Mode::Add,
            };
            compose::store(out, with.key, fill);
            Some(Expect::MetaSet)
        }
        _ => None,
    }
}

fn overwrite(out: &mut Vec<u8>, with: Wording<'_>) -> Option<Expect> {
    let request = with.request?;
    let Verb::Set { flags, exptime } = request.verb else {
        return None;
    };
    let store = Store {
        value: &request.body,
        client_flags: flags,
        exptime: Some(exptime),
        token: None,
        mode: Mode::Set,
    };
    let begun = out.len();
    compose::store(out, with.key, store);
    if request.wants_token() {
        also(out, begun, b" c");
    }
    Some(Expect::MetaSet)
}

/// The client's update, on exactly what was seen.
fn act(out: &mut Vec<u8>, seen: &Seen<Item>, with: Wording<'_>) -> Option<Expect> {
    let request = with.request?;
    let token = match seen {
        Seen::Value(_, lease) | Seen::Placeholder(lease) => on_what_was_seen(*lease, with.rules),
        Seen::Nothing => None,
    };
    let begun = out.len();
    let mut store = |value: &[u8], client_flags, exptime, mode| {
        let mode = if *seen == Seen::Nothing {
            Mode::Add
        } else {
            mode
        };
        let store = Store {
            value,
            client_flags,
            exptime: Some(exptime),
            token,
            mode,
        };
        compose::store(out, with.key, store);
        if request.wants_token() {
            also(out, begun, b" c");
        }
        Some(Expect::MetaSet)
    };
    match (request.verb, seen) {
        (
            Verb::Store {
                mode,
                flags,
                exptime,
                ..
            },
            _,
        ) => {
            let mode = match mode {
                Mode::Append | Mode::Prepend => mode,
                // The token says that the value, or the placeholder, is there.
                Mode::Set | Mode::Add | Mode::Replace => Mode::Set,
            };
            store(&request.body, flags, exptime, mode)
        }
        // `mg` with `T` heeds no token, so the value is written back under it.
        (Verb::Touch { exptime, .. }, Seen::Value(item, _)) => {
            store(&item.value, item.client_flags, exptime, Mode::Set)
        }
        (
            Verb::Count {
                create: Some(create),
                ..
            },
            Seen::Placeholder(_) | Seen::Nothing,
        ) => {
            let initial = itoa::Buffer::new().format(create.initial).to_owned();
            store(initial.as_bytes(), 0, create.exptime, Mode::Set)
        }
        (
            Verb::Count {
                up, delta, exptime, ..
            },
            Seen::Value(..),
        ) => {
            compose::arithmetic(out, with.key, token, up, delta);
            let exptime = exptime.map(|exptime| format!(" T{exptime}"));
            also(
                out,
                begun,
                format!(" t c{}", exptime.unwrap_or_default()).as_bytes(),
            );
            Some(Expect::MetaArithmetic)
        }
        (Verb::Delete { .. }, Seen::Value(..)) => {
            compose::delete(out, with.key, token);
            Some(Expect::MetaDelete)
        }
        _ => None,
    }
}

fn on_what_was_seen(lease: Lease, rules: Rules) -> Option<u64> {
    rules.keeps(Rule::UpdateWhatWasSeen).then_some(lease.token)
}

/// Adds flags to the line that begins at `begun`. A data block behind it moves, so ask only for what is wanted.
fn also(out: &mut Vec<u8>, begun: usize, flags: &[u8]) {
    let line_end = out.iter().skip(begun).position(|byte| *byte == b'\r');
    let at = line_end.map_or(out.len(), |end| begun + end);
    out.splice(at..at, flags.iter().copied());
}
