//! A command of the rules, written for a node.

use super::Item;
use evenkeel_core::migration::operation::{Command, Seen};
use evenkeel_wire::memcached::Expect;
use evenkeel_wire::memcached::compose::{self, Mode, NodeKey, Store};
use std::time::Duration;

/// What writing a command needs to know beside it.
#[derive(Clone, Copy, Debug)]
pub struct Context {
    /// How long a lease holds; whole seconds, at least one.
    pub lease: Duration,
    /// Time since 1970, for expiries that must be written as dates.
    pub now: Duration,
}

/// What is to be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    /// The command is written; this reply is awaited.
    Written(Expect),
    /// It is the client's own command, which the caller has.
    ClientsOwn,
}

/// Appends the node command for `command` on `key`.
pub fn ask(
    out: &mut Vec<u8>,
    key: NodeKey<'_>,
    command: &Command<Item>,
    context: Context,
) -> Asked {
    match command {
        Command::LookOrLease => {
            let seconds = u32::try_from(context.lease.as_secs()).unwrap_or(u32::MAX);
            compose::look_or_lease(out, key, seconds);
            Asked::Written(Expect::MetaGet)
        }
        Command::Look => {
            compose::look(out, key);
            Asked::Written(Expect::MetaGet)
        }
        Command::Fill(item, lease) => {
            let store = Store {
                value: &item.value,
                client_flags: item.client_flags,
                exptime: item.exptime(context.now),
                token: Some(lease.token),
                mode: Mode::Set,
            };
            compose::store(out, key, store);
            Asked::Written(Expect::MetaSet)
        }
        Command::Remove(lease) => {
            compose::delete(out, key, Some(lease.token));
            Asked::Written(Expect::MetaDelete)
        }
        Command::Delete => {
            compose::delete(out, key, None);
            Asked::Written(Expect::MetaDelete)
        }
        Command::Overwrite
        | Command::Act(Seen::Value(..) | Seen::Placeholder(_) | Seen::Nothing) => Asked::ClientsOwn,
    }
}
