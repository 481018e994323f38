//! The commands of the meta dialect.
//!
//! Flags are not judged here: they pass through, so that flags of servers newer than 1.6.18 work. Judged is only
//! what decides where the request goes (the key) and where the next one begins (the length), and the number of
//! words, because beyond it the server gives up before it has read the length.

use super::answers::{
    Answer, BAD_BASE64, BAD_FLAG, BAD_FORMAT, TOO_LARGE, TOO_MANY_FLAGS, TOO_MANY_FLAGS_GET,
};
use super::classic::{allowed, swallowed};
use super::command::Command;
use super::line::Line;
use super::read::check_key;
use super::tokens::Tokens;
use super::{Class, Kind, Limits, MAX_KEY_LEN, MAX_META_TOKENS, MetaFlags, base64};
use crate::{Span, number};

/// `mg`, `md` and `ma`: `<key> <flags>*`
pub(crate) fn keyed(line: &Line<'_>, kind: Kind, rest: Span) -> Result<Command, Answer> {
    let mut tokens = Tokens::new(line.bytes, rest);
    let Some(key) = tokens.next() else {
        return Err(line.error());
    };
    check_key(line, key)?;
    let (too_many, bad_key) = match kind {
        Kind::MetaGet => (TOO_MANY_FLAGS_GET, BAD_BASE64),
        _ => (TOO_MANY_FLAGS, BAD_FLAG),
    };
    if line.tokens().count() > MAX_META_TOKENS {
        return Err(line.answer(too_many));
    }
    let command = with_flags(line, kind, key, tokens.rest());
    check_base64(line, &command, bad_key)?;
    Ok(command)
}

/// `ms <key> <length> <flags>*`
pub(crate) fn set(line: &Line<'_>, rest: Span, limits: &Limits) -> Result<Command, Answer> {
    let mut tokens = Tokens::new(line.bytes, rest);
    let Some(key) = tokens.next() else {
        return Err(line.error());
    };
    let Some(length) = tokens.next() else {
        return Err(line.answer(BAD_FORMAT));
    };
    let length = number::signed(length.of(line.bytes)).filter(|len| *len >= 0);
    let Some(len) = length.map(i64::unsigned_abs) else {
        return Err(line.answer(BAD_FORMAT));
    };
    let refused = |answer: Answer| Answer {
        swallow: swallowed(len),
        ..answer
    };

    check_key(line, key).map_err(refused)?;
    if line.tokens().count() > MAX_META_TOKENS {
        return Err(refused(line.answer(TOO_MANY_FLAGS)));
    }
    let command = with_flags(line, Kind::MetaSet, key, tokens.rest());
    check_base64(line, &command, BAD_BASE64).map_err(refused)?;
    let Some(body_len) = allowed(len, limits) else {
        return Err(refused(Answer {
            kind: Some(Kind::MetaSet),
            key,
            ..line.answer(TOO_LARGE)
        }));
    };
    Ok(Command {
        body_len: Some(body_len),
        ..command
    })
}

/// `me <key> [b]`, where the `b` counts only if it comes first.
pub(crate) fn debug(line: &Line<'_>, rest: Span) -> Result<Command, Answer> {
    let mut tokens = Tokens::new(line.bytes, rest);
    let Some(key) = tokens.next() else {
        return Err(line.answer(BAD_FORMAT));
    };
    check_key(line, key)?;
    let args = tokens.rest();
    let base64_key = tokens
        .next()
        .is_some_and(|flag| flag.of(line.bytes) == b"b");
    let command = Command {
        base64_key,
        args,
        ..Command::keyed(line, Kind::MetaDebug, key)
    };
    check_base64(line, &command, BAD_FORMAT)?;
    Ok(command)
}

fn with_flags(line: &Line<'_>, kind: Kind, key: Span, args: Span) -> Command {
    let flags = MetaFlags::new(line.bytes, args);
    let mut command = Command {
        args,
        class: Class::of(kind, flags.clone()),
        ..Command::keyed(line, kind, key)
    };
    for flag in flags {
        match flag.letter {
            b'b' => command.base64_key = true,
            b'q' => command.quiet = true,
            b'C' => command.cas = flag.span,
            b'T' => command.exptime = flag.span,
            b'F' => command.client_flags = flag.span,
            _ => {}
        }
    }
    command
}

fn check_base64(line: &Line<'_>, command: &Command, text: &'static [u8]) -> Result<(), Answer> {
    let mut scratch = [0; MAX_KEY_LEN];
    if command.base64_key && base64::decode(command.keys.of(line.bytes), &mut scratch).is_none() {
        return Err(line.answer(text));
    }
    Ok(())
}
