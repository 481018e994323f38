//! What the client is told: an outcome in the words of the dialect that it asked in.

use bytes::Bytes;
use evenkeel_core::migration::operation::{Failure, Outcome, Side};
use evenkeel_wire::memcached::cas;
use evenkeel_wire::memcached::compose::Mode;

use super::request::{Form, Request, Verb};
use crate::migration::Item;

/// What the node said last, as far as a client's answer may need it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LastWord {
    /// An error line, without its end.
    pub error: Option<Bytes>,
    /// The data of `ma`: the new number.
    pub number: Option<Bytes>,
    /// The token of what was stored.
    pub token: Option<u64>,
    /// The time to live that `ma` tells.
    pub ttl: Option<i64>,
}

/// What is said where a server cannot be reached.
const UNREACHABLE_SOURCE: &[u8] =
    b"SERVER_ERROR the key is being moved and its old node cannot be reached";
const UNREACHABLE_TARGET: &[u8] =
    b"SERVER_ERROR the key is being moved and its new node cannot be reached";
const UNKNOWN: &[u8] =
    b"SERVER_ERROR no answer from the node: the command may have happened or not";
const REFUSED: &[u8] = b"SERVER_ERROR the node refused the command";

/// How an operation ended, for the client.
enum Ending<'a> {
    /// `STORED`, `DELETED`, `TOUCHED`, a number, `HD`.
    Done,
    /// The value, with its token if the target has it.
    Value(&'a Item, Option<u64>),
    /// `NOT_FOUND`, `NOT_STORED`, a miss.
    Nothing,
    /// `EXISTS`, `NOT_STORED`.
    Exists,
    /// An error line.
    Error(&'a [u8]),
}

/// Appends the client's answer to `out`. `touched` is the value that a `gat` acted on. Values of the text dialect come
/// without `END`.
pub fn tell(
    out: &mut Vec<u8>,
    request: &Request,
    outcome: &Outcome<Item>,
    touched: Option<&Item>,
    last: &LastWord,
    tag: u16,
) {
    let reads = matches!(request.verb, Verb::Touch { reads: true, .. });
    let ending = match outcome {
        Outcome::Value(item, token) => Ending::Value(item, *token),
        Outcome::Done | Outcome::Already => match touched.filter(|_| reads) {
            Some(item) => Ending::Value(item, last.token),
            None => Ending::Done,
        },
        Outcome::Nothing => Ending::Nothing,
        Outcome::Exists => Ending::Exists,
        Outcome::Refused => Ending::Error(last.error.as_deref().unwrap_or(REFUSED)),
        Outcome::Failed(Failure::Refused(Side::Source)) => Ending::Error(UNREACHABLE_SOURCE),
        Outcome::Failed(Failure::Refused(Side::Target)) => Ending::Error(UNREACHABLE_TARGET),
        Outcome::Failed(Failure::Unknown | Failure::Late) => Ending::Error(UNKNOWN),
    };
    match &request.form {
        Form::Text { quiet: true } => {}
        Form::Text { quiet: false } => text(out, request, &ending, last, tag),
        Form::Meta { .. } => meta(out, request, &ending, last, tag),
    }
}

fn text(out: &mut Vec<u8>, request: &Request, ending: &Ending<'_>, last: &LastWord, tag: u16) {
    let word: &[u8] = match (ending, request.verb) {
        (Ending::Value(item, token), verb) => return value(out, request, item, *token, verb, tag),
        (Ending::Done, Verb::Count { .. }) => last.number.as_deref().unwrap_or_default(),
        (Ending::Done, Verb::Delete { .. }) => b"DELETED",
        (Ending::Done, Verb::Touch { .. }) => b"TOUCHED",
        (Ending::Done, _) => b"STORED",
        // A read that found nothing says nothing: `END` is the command's.
        (Ending::Nothing, Verb::Read { .. } | Verb::Touch { reads: true, .. }) => return,
        (Ending::Nothing, Verb::Store { token: None, .. }) => b"NOT_STORED",
        (Ending::Nothing, _) => b"NOT_FOUND",
        (
            Ending::Exists,
            Verb::Store {
                mode: Mode::Add, ..
            },
        ) => b"NOT_STORED",
        (Ending::Exists, _) => b"EXISTS",
        (Ending::Error(line), _) => line,
    };
    out.extend_from_slice(word);
    out.extend_from_slice(b"\r\n");
}

/// `VALUE <key> <flags> <bytes> [<token>]` and the data.
fn value(
    out: &mut Vec<u8>,
    request: &Request,
    item: &Item,
    token: Option<u64>,
    verb: Verb,
    tag: u16,
) {
    out.extend_from_slice(b"VALUE ");
    out.extend_from_slice(&request.key);
    push_number(out, b" ", item.client_flags.into());
    push_number(out, b" ", item.value.len() as u64);
    if matches!(
        verb,
        Verb::Read { token: true } | Verb::Touch { token: true, .. }
    ) {
        push_number(out, b" ", seen_by_client(tag, token));
    }
    out.extend_from_slice(b"\r\n");
    out.extend_from_slice(&item.value);
    out.extend_from_slice(b"\r\n");
}

/// The token that the client gets. Where the target has none to give, it is one that no value has: a `cas` with it
/// answers `EXISTS`, and the client asks again.
fn seen_by_client(tag: u16, token: Option<u64>) -> u64 {
    token.and_then(|token| cas::join(tag, token)).unwrap_or(0)
}

fn meta(out: &mut Vec<u8>, request: &Request, ending: &Ending<'_>, last: &LastWord, tag: u16) {
    let Form::Meta { quiet, flags, .. } = &request.form else {
        return;
    };
    let wants = |letter| flags.iter().any(|(flag, _)| *flag == letter);
    let number = last.number.as_ref().filter(|_| wants(b'v'));
    let reads = matches!(request.verb, Verb::Read { .. } | Verb::Touch { .. });
    let code: &[u8] = match ending {
        Ending::Error(line) => {
            out.extend_from_slice(line);
            out.extend_from_slice(b"\r\n");
            return;
        }
        Ending::Done if *quiet => return,
        Ending::Nothing if *quiet && reads => return,
        Ending::Value(..) if wants(b'v') => b"VA ",
        Ending::Done if number.is_some() => b"VA ",
        Ending::Value(..) | Ending::Done => b"HD",
        Ending::Nothing if reads => b"EN",
        // With a token a store is a compare-and-swap, but for those that join what is there.
        Ending::Nothing
            if matches!(
                request.verb,
                Verb::Store { token: None, .. }
                    | Verb::Store {
                        mode: Mode::Append | Mode::Prepend,
                        ..
                    }
            ) =>
        {
            b"NS"
        }
        Ending::Nothing => b"NF",
        Ending::Exists
            if matches!(
                request.verb,
                Verb::Store {
                    mode: Mode::Add,
                    ..
                }
            ) =>
        {
            b"NS"
        }
        Ending::Exists => b"EX",
    };
    out.extend_from_slice(code);
    let data = match ending {
        Ending::Value(item, _) => Some(item.value.as_ref()),
        Ending::Done => number.map(AsRef::as_ref),
        _ => None,
    };
    let data = data.filter(|_| code == b"VA ");
    if let Some(data) = data {
        push_number(out, b"", data.len() as u64);
    }
    push_flags(out, request, ending, last, tag);
    out.extend_from_slice(b"\r\n");
    if let Some(data) = data {
        out.extend_from_slice(data);
        out.extend_from_slice(b"\r\n");
    }
}

/// The flags that are returned, in the order in which they were asked for.
fn push_flags(
    out: &mut Vec<u8>,
    request: &Request,
    ending: &Ending<'_>,
    last: &LastWord,
    tag: u16,
) {
    let Form::Meta {
        flags,
        written_key,
        base64,
        ..
    } = &request.form
    else {
        return;
    };
    let (item, token) = match ending {
        Ending::Value(item, token) => (Some(*item), *token),
        Ending::Done => (None, last.token),
        _ => (None, None),
    };
    let read_ttl = |item: &Item| match request.verb {
        Verb::Touch { exptime, .. } => (exptime > 0).then_some(exptime),
        _ => item
            .left
            .map(|left| i64::try_from(left.as_secs()).unwrap_or(i64::MAX)),
    };
    let ttl = item.map_or(last.ttl, |item| Some(read_ttl(item).unwrap_or(-1)));
    let found = matches!(ending, Ending::Value(..) | Ending::Done);
    for (letter, opaque) in flags {
        match letter {
            b'O' => {
                out.extend_from_slice(b" O");
                out.extend_from_slice(opaque);
            }
            b'k' => {
                out.extend_from_slice(b" k");
                out.extend_from_slice(written_key);
                if *base64 {
                    out.extend_from_slice(b" b");
                }
            }
            // A store that did not store says 0; what found nothing says nothing.
            b'c' if !found && matches!(request.verb, Verb::Store { .. }) => {
                out.extend_from_slice(b" c0")
            }
            b'c' if !found => {}
            b'c' => push_number(out, b" c", seen_by_client(tag, token)),
            b't' => {
                if let Some(ttl) = ttl.filter(|_| found) {
                    out.extend_from_slice(b" t");
                    out.extend_from_slice(itoa::Buffer::new().format(ttl).as_bytes());
                }
            }
            b'f' => {
                if let Some(item) = item {
                    push_number(out, b" f", item.client_flags.into());
                }
            }
            b's' => {
                if let Some(item) = item {
                    push_number(out, b" s", item.value.len() as u64);
                }
            }
            // A key that was just brought over has not been hit there, nor long ago.
            b'h' | b'l' if item.is_some() => out.extend_from_slice(&[b' ', *letter, b'0']),
            _ => {}
        }
    }
}

fn push_number(out: &mut Vec<u8>, before: &[u8], number: u64) {
    out.extend_from_slice(before);
    out.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
}
