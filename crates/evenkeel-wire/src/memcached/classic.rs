//! The single-key commands of the text dialect, checked as the server checks them.
//!
//! A line that the server would refuse must not be forwarded if it announces a data block: the server does not
//! swallow the block of a refused line but reads it as commands. Here the block is swallowed wherever its length can
//! be read.

use super::answers::{Answer, BAD_DELETE, BAD_DELTA, BAD_EXPTIME, BAD_FORMAT, TOO_LARGE};
use super::command::Command;
use super::line::Line;
use super::read::check_key;
use super::{Kind, Limits, MAX_VALUE_LEN};
use crate::{Span, number};

/// `set <key> <flags> <exptime> <length> [noreply]`, and `cas` with a token behind the length.
pub(crate) fn store(
    line: &Line<'_>,
    kind: Kind,
    rest: Span,
    limits: &Limits,
) -> Result<Command, Answer> {
    let (tokens, count) = line.first_tokens::<6>(rest);
    let [key, client_flags, exptime, length, fifth, sixth] = tokens;
    let (wanted, cas) = if kind == Kind::Cas {
        (5, fifth)
    } else {
        (4, Span::default())
    };
    if count != wanted && count != wanted + 1 {
        return Err(line.error());
    }
    let last = [length, fifth, sixth]
        .get(count - 4)
        .copied()
        .unwrap_or_default();
    let quiet = is_noreply(line, last);
    let body = number::signed(length.of(line.bytes))
        .filter(|len| *len >= 0)
        .map(i64::unsigned_abs);
    let refused = |answer: Answer| Answer {
        swallow: body.map_or(0, swallowed),
        ..hush(answer, quiet)
    };

    check_key(line, key).map_err(refused)?;
    let readable = number::unsigned(client_flags.of(line.bytes)).is_some()
        && number::signed(exptime.of(line.bytes)).is_some()
        && (kind != Kind::Cas || number::unsigned(cas.of(line.bytes)).is_some());
    let Some(len) = body.filter(|_| readable) else {
        return Err(refused(line.answer(BAD_FORMAT)));
    };
    let Some(body_len) = allowed(len, limits) else {
        let answer = Answer {
            kind: Some(kind),
            key,
            ..line.answer(TOO_LARGE)
        };
        return Err(refused(answer));
    };
    let command = Command::keyed(line, kind, key);
    Ok(Command {
        quiet,
        client_flags,
        exptime,
        cas,
        body_len: Some(body_len),
        ..command
    })
}

/// `incr <key> <delta> [noreply]`
pub(crate) fn arithmetic(line: &Line<'_>, kind: Kind, rest: Span) -> Result<Command, Answer> {
    let (key, delta, quiet) = key_and_word(line, rest)?;
    if number::unsigned(delta.of(line.bytes)).is_none() {
        return Err(hush(line.answer(BAD_DELTA), quiet));
    }
    Ok(Command {
        quiet,
        delta,
        ..Command::keyed(line, kind, key)
    })
}

/// `touch <key> <exptime> [noreply]`
pub(crate) fn touch(line: &Line<'_>, rest: Span) -> Result<Command, Answer> {
    let (key, exptime, quiet) = key_and_word(line, rest)?;
    if number::signed(exptime.of(line.bytes)).is_none() {
        return Err(hush(line.answer(BAD_EXPTIME), quiet));
    }
    Ok(Command {
        quiet,
        exptime,
        ..Command::keyed(line, Kind::Touch, key)
    })
}

/// `delete <key> [0] [noreply]`; the 0 is what is left of a delay that the protocol once had.
pub(crate) fn delete(line: &Line<'_>, rest: Span) -> Result<Command, Answer> {
    let ([key, second, third], count) = line.first_tokens::<3>(rest);
    if count == 0 || count > 3 {
        return Err(line.error());
    }
    let zero = second.of(line.bytes) == b"0";
    let quiet = count > 1 && is_noreply(line, if count == 2 { second } else { third });
    let valid = count == 1 || (count == 2 && (zero || quiet)) || (count == 3 && zero && quiet);
    if !valid {
        return Err(hush(line.answer(BAD_DELETE), quiet));
    }
    check_key(line, key).map_err(|answer| hush(answer, quiet))?;
    Ok(Command {
        quiet,
        ..Command::keyed(line, Kind::Delete, key)
    })
}

/// `verbosity <level> [noreply]`
pub(crate) fn verbosity(line: &Line<'_>, rest: Span) -> Result<Command, Answer> {
    let ([level, second], count) = line.first_tokens::<2>(rest);
    if count == 0 || count > 2 {
        return Err(line.error());
    }
    let quiet = is_noreply(line, if count == 1 { level } else { second });
    if number::unsigned(level.of(line.bytes)).is_none() {
        return Err(hush(line.answer(BAD_FORMAT), quiet));
    }
    Ok(Command {
        quiet,
        args: rest,
        ..Command::bare(line, Kind::Verbosity)
    })
}

/// `flush_all [delay] [noreply]`
pub(crate) fn flush_all(line: &Line<'_>, rest: Span) -> Result<Command, Answer> {
    let ([delay, second], count) = line.first_tokens::<2>(rest);
    if count > 2 {
        return Err(line.error());
    }
    let quiet = is_noreply(line, if count == 2 { second } else { delay });
    let exptime = if count == usize::from(quiet) {
        Span::default()
    } else {
        delay
    };
    if !exptime.is_empty() && number::signed(exptime.of(line.bytes)).is_none() {
        return Err(hush(line.answer(BAD_EXPTIME), quiet));
    }
    Ok(Command {
        quiet,
        exptime,
        args: rest,
        ..Command::bare(line, Kind::FlushAll)
    })
}

/// `<key> <word> [noreply]`
fn key_and_word(line: &Line<'_>, rest: Span) -> Result<(Span, Span, bool), Answer> {
    let ([key, word, third], count) = line.first_tokens::<3>(rest);
    if count != 2 && count != 3 {
        return Err(line.error());
    }
    let quiet = is_noreply(line, if count == 2 { word } else { third });
    check_key(line, key).map_err(|answer| hush(answer, quiet))?;
    Ok((key, word, quiet))
}

/// The last word of the line decides, wherever the line should have ended.
fn is_noreply(line: &Line<'_>, last: Span) -> bool {
    last.of(line.bytes) == b"noreply"
}

fn hush(answer: Answer, quiet: bool) -> Answer {
    if quiet {
        Answer {
            text: b"",
            ..answer
        }
    } else {
        answer
    }
}

/// The announced length, if a value may be so large.
pub(crate) fn allowed(len: u64, limits: &Limits) -> Option<u32> {
    if len > limits.max_value.min(MAX_VALUE_LEN) {
        None
    } else {
        u32::try_from(len).ok()
    }
}

/// A data block and its line end.
pub(crate) fn swallowed(len: u64) -> u64 {
    len.saturating_add(2)
}
