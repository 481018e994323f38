//! `get`, `gets`, `gat` and `gats`: many keys, and the only lines that may be long.

use super::answers::{Answer, BAD_EXPTIME, BAD_FORMAT, END, TOO_MANY_KEYS};
use super::command::Command;
use super::line::Line;
use super::tokens::Tokens;
use super::{Kind, Limits, MAX_KEY_LEN};
use crate::{Span, number};

/// `get <key>*`
pub(crate) fn get(
    line: &Line<'_>,
    kind: Kind,
    rest: Span,
    limits: &Limits,
) -> Result<Command, Answer> {
    let command = with_keys(line, kind, rest, limits)?;
    if command.key_count == 0 {
        Err(line.error())
    } else {
        Ok(command)
    }
}

/// `gat <exptime> <key>*`, where no key at all is a read of nothing.
pub(crate) fn gat(
    line: &Line<'_>,
    kind: Kind,
    rest: Span,
    limits: &Limits,
) -> Result<Command, Answer> {
    let mut tokens = Tokens::new(line.bytes, rest);
    let Some(exptime) = tokens.next() else {
        return Err(line.error());
    };
    if number::signed(exptime.of(line.bytes)).is_none() {
        return Err(line.answer(BAD_EXPTIME));
    }
    let command = with_keys(line, kind, tokens.rest(), limits)?;
    if command.key_count == 0 {
        Err(line.answer(END))
    } else {
        Ok(Command { exptime, ..command })
    }
}

fn with_keys(
    line: &Line<'_>,
    kind: Kind,
    region: Span,
    limits: &Limits,
) -> Result<Command, Answer> {
    let mut command = Command::bare(line, kind);
    for key in Tokens::new(line.bytes, region) {
        check_key(line, key)?;
        if command.key_count == 0 {
            command.keys.start = key.start;
        }
        command.keys.end = key.end;
        command.key_count += 1;
    }
    if command.key_count as usize > limits.max_keys {
        return Err(line.answer(TOO_MANY_KEYS));
    }
    Ok(command)
}

/// Refuses keys that the server refuses, and those with a CR inside: the server takes them, but a key that could end
/// a line anywhere else must not travel.
pub(crate) fn check_key(line: &Line<'_>, key: Span) -> Result<(), Answer> {
    if key.len() > MAX_KEY_LEN || memchr::memchr(b'\r', key.of(line.bytes)).is_some() {
        return Err(line.answer(BAD_FORMAT));
    }
    Ok(())
}

/// True if a line that begins so is a multi-key read.
pub(crate) fn is_read(bytes: &[u8]) -> bool {
    matches!(first_word(bytes), Some(b"get" | b"gets" | b"gat" | b"gats"))
}

/// The first word, if it is whole. Looks at few bytes only: no command word is longer than the bound.
pub(crate) fn first_word(bytes: &[u8]) -> Option<&[u8]> {
    const FAR_ENOUGH: usize = 128;
    let head = bytes.get(..FAR_ENOUGH.min(bytes.len()))?;
    let word = Tokens::new(head, Span::new(0, head.len())).next()?;
    ((word.end as usize) < head.len()).then_some(word.of(head))
}
