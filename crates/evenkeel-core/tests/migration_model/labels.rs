//! The names under which steps are counted.

use evenkeel_core::migration::Phase;
use evenkeel_core::migration::operation::{Answer, Command};

use crate::monitor::What;
use crate::node::{Reply, Wire};

pub fn label_of(what: What) -> &'static str {
    match what {
        What::Get => "client: get",
        What::Gets => "client: gets",
        What::Set => "client: set",
        What::Delete => "client: delete",
        What::DeleteQuietly => "client: delete noreply",
        What::Increment => "client: incr",
        What::Append => "client: append",
        What::Add => "client: add",
        What::CompareAndSet(_) => "client: cas",
    }
}

pub fn label(wire: &Wire, reply: &Reply) -> &'static str {
    match (wire, reply) {
        (Wire::Plain(_), _) => "node: plain command",
        (Wire::Meta(Command::LookOrLease), Reply::Meta(Answer::Won(_), _)) => "node: lease won",
        (Wire::Meta(Command::LookOrLease), Reply::Meta(Answer::Held(_), _)) => "node: lease held",
        (Wire::Meta(Command::LookOrLease), _) => "node: lease or value: value",
        (Wire::Meta(Command::Look), Reply::Meta(Answer::Held(_), _)) => "node: look: placeholder",
        (Wire::Meta(Command::Look), Reply::Meta(Answer::Miss, _)) => "node: look: nothing",
        (Wire::Meta(Command::Look), _) => "node: look: value",
        (Wire::Meta(Command::Fill(..)), Reply::Meta(Answer::Done, _)) => "node: filled",
        (Wire::Meta(Command::Fill(..)), _) => "node: fill: lease lost",
        (Wire::Meta(Command::Remove(_)), Reply::Meta(Answer::Done, _)) => {
            "node: removed what was seen"
        }
        (Wire::Meta(Command::Remove(_)), _) => "node: remove: changed",
        (Wire::Meta(Command::Delete), Reply::Meta(Answer::Done, _)) => "node: deleted",
        (Wire::Meta(Command::Delete), _) => "node: delete: nothing",
        (Wire::Meta(Command::Overwrite), _) => "node: overwritten",
        (Wire::Meta(Command::Act(_)), Reply::Meta(Answer::Done, _)) => "node: updated",
        (Wire::Meta(Command::Act(_)), _) => "node: update: changed",
    }
}

pub fn transition(
    from: Option<Phase>,
    to: Option<Phase>,
    acknowledged: bool,
    turned: bool,
) -> &'static str {
    match (from, to) {
        (Some(Phase::Hold), Some(Phase::Purge)) => "record: hold timed out, to purge",
        (Some(Phase::Hold), Some(Phase::Copy)) if !acknowledged && turned => {
            "record: hold timed out, to copy"
        }
        (_, Some(Phase::Hold)) if turned => "record: hold of an abort",
        (Some(Phase::Copy), Some(Phase::Copy)) => "source lost: second step",
        (_, Some(Phase::Hold)) => "record: hold",
        (_, Some(Phase::Copy)) => "record: copy",
        (_, Some(Phase::Settle)) => "record: settle",
        _ => "record: stable",
    }
}
