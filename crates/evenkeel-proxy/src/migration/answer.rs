//! What the client is told of an operation on a moved key.

use super::item::Item;
use super::request::Request;
use evenkeel_core::migration::operation::{Failure, Outcome};
use evenkeel_wire::memcached::{Kind as Word, Reply, Status, base64, cas};
use evenkeel_wire::number;
use std::time::Duration;

/// The node's last reply in an operation: to the overwrite, the act, or the removal.
#[derive(Clone, Copy, Debug)]
pub struct Last<'a> {
    /// The reply.
    pub line: &'a Reply,
    /// What it was parsed from, its data included.
    pub bytes: &'a [u8],
}

/// What an answer needs to know beside the outcome.
#[derive(Clone, Copy, Debug)]
pub struct Told<'a> {
    /// The node's last reply, if there was one.
    pub last: Option<Last<'a>>,
    /// What an update saw and acted on, if it was a value.
    pub seen: Option<&'a Item>,
    /// The tag of the target's tokens.
    pub tag: u16,
    /// Time since 1970.
    pub now: Duration,
}

impl Request {
    /// Appends the client's answer; for a read of the text dialect only the item, not the `END` behind it.
    pub fn answer(&self, out: &mut Vec<u8>, outcome: &Outcome<Item>, told: Told<'_>) {
        let mark = out.len();
        match outcome {
            Outcome::Value(item, token) => self.push_value(out, item, *token, told, false),
            Outcome::Nothing => self.push_code(out, Nothing),
            Outcome::Exists => self.push_code(out, Exists),
            Outcome::Done | Outcome::Already => self.push_done(out, told),
            Outcome::Refused => self.push_refused(out, told),
            Outcome::Failed(failure) => out.extend_from_slice(failure_line(*failure)),
        }
        if self.command().quiet && self.is_silent(outcome, told.seen.is_none()) {
            out.truncate(mark);
        }
    }

    /// `noreply` silences everything; `q` only what was to be expected.
    fn is_silent(&self, outcome: &Outcome<Item>, created: bool) -> bool {
        match self.command().kind {
            Word::MetaGet => matches!(outcome, Outcome::Nothing),
            // A number that was created is answered even so.
            Word::MetaArithmetic => matches!(outcome, Outcome::Done) && !created,
            Word::MetaSet | Word::MetaDelete => matches!(outcome, Outcome::Done),
            _ => true,
        }
    }

    fn push_done(&self, out: &mut Vec<u8>, told: Told<'_>) {
        let token = told
            .last
            .and_then(|last| cas::read(last.line.cas.of(last.bytes)));
        match self.command().kind {
            Word::Set | Word::Add | Word::Replace | Word::Append | Word::Prepend | Word::Cas => {
                out.extend_from_slice(b"STORED\r\n");
            }
            Word::Touch => out.extend_from_slice(b"TOUCHED\r\n"),
            Word::Delete => out.extend_from_slice(b"DELETED\r\n"),
            Word::Gat | Word::Gats | Word::MetaGet => {
                if let Some(item) = told.seen {
                    self.push_value(out, item, token, told, true);
                }
            }
            Word::Incr | Word::Decr => {
                out.extend_from_slice(told.last.map(data).unwrap_or_default())
            }
            Word::MetaArithmetic => self.push_counted(out, token, told),
            _ => self.push_meta(out, b"HD", token, told.tag),
        }
    }

    /// A number has been counted, or was created where there was none.
    fn push_counted(&self, out: &mut Vec<u8>, token: Option<u64>, told: Told<'_>) {
        let created = self.initial().to_string();
        let digits = match told.last.filter(|_| told.seen.is_some()).map(data) {
            Some(data) => data.strip_suffix(b"\r\n").unwrap_or(data),
            None => created.as_bytes(),
        };
        let left = match (told.last, told.seen) {
            (Some(last), Some(_)) => last
                .line
                .flags(last.bytes)
                .find(b't')
                .map(|flag| flag.token.to_vec()),
            _ => Some(left_text(self.flag(b'N'), told.now)),
        };
        let has_value = self.flag(b'v').is_some();
        push_head(out, has_value.then_some(digits.len()));
        for flag in self.flags() {
            match flag.letter {
                b't' => push_flag(out, b't', left.as_deref().unwrap_or(b"-1")),
                b'c' => self.push_token(out, token, told.tag),
                letter => self.push_repeated(out, letter, flag.token),
            }
        }
        out.extend_from_slice(b"\r\n");
        if has_value {
            out.extend_from_slice(digits);
            out.extend_from_slice(b"\r\n");
        }
    }

    /// An item; `touched` if the request has just given it a new time to live.
    fn push_value(
        &self,
        out: &mut Vec<u8>,
        item: &Item,
        token: Option<u64>,
        told: Told<'_>,
        touched: bool,
    ) {
        match self.command().kind {
            Word::MetaGet => self.push_meta_value(out, item, token, told, touched),
            Word::MetaDebug => self.push_debug(out, item, token, told.tag),
            word => {
                out.extend_from_slice(b"VALUE ");
                out.extend_from_slice(self.key_text());
                push_number(out, u64::from(item.client_flags));
                push_number(out, item.value.len() as u64);
                if matches!(word, Word::Gets | Word::Gats) {
                    push_number(out, tagged(token, told.tag));
                }
                push_data(out, &item.value);
            }
        }
    }

    fn push_meta_value(
        &self,
        out: &mut Vec<u8>,
        item: &Item,
        token: Option<u64>,
        told: Told<'_>,
        touched: bool,
    ) {
        let has_value = self.flag(b'v').is_some();
        push_head(out, has_value.then_some(item.value.len()));
        let mut left = item.left.map_or_else(
            || b"-1".to_vec(),
            |left| left.as_secs().to_string().into_bytes(),
        );
        for flag in self.flags() {
            match flag.letter {
                b'T' if touched => left = left_text(Some(flag.token), told.now),
                b't' => push_flag(out, b't', &left),
                b's' => push_flag(out, b's', item.value.len().to_string().as_bytes()),
                b'f' => push_flag(out, b'f', item.client_flags.to_string().as_bytes()),
                b'h' => push_flag(out, b'h', if item.told.hit { b"1" } else { b"0" }),
                b'l' => push_flag(out, b'l', item.told.idle.as_secs().to_string().as_bytes()),
                b'c' => self.push_token(out, token, told.tag),
                letter => self.push_repeated(out, letter, flag.token),
            }
        }
        for (letter, is) in [
            (b'Z', item.told.held),
            (b'X', item.told.stale),
            (b'W', item.told.won),
        ] {
            if is {
                push_flag(out, letter, b"");
            }
        }
        if has_value {
            push_data(out, &item.value)
        } else {
            out.extend_from_slice(b"\r\n")
        }
    }

    /// What is known of an item while its key moves; its slab class is the node's affair.
    fn push_debug(&self, out: &mut Vec<u8>, item: &Item, token: Option<u64>, tag: u16) {
        let left = item.left.map_or(-1, |left| {
            -i64::try_from(left.as_secs()).unwrap_or(i64::MAX)
        });
        out.extend_from_slice(b"ME ");
        out.extend_from_slice(self.key_text());
        let rest = format!(
            " exp={left} la={} cas={} fetch={} size={}\r\n",
            item.told.idle.as_secs(),
            tagged(token, tag),
            if item.told.hit { "yes" } else { "no" },
            item.value.len(),
        );
        out.extend_from_slice(rest.as_bytes());
    }

    /// The answer to an update that found nothing, or something where it wanted nothing or something else.
    fn push_code(&self, out: &mut Vec<u8>, found: Found) {
        let joins = matches!(self.mode(), Some(b'A' | b'P'))
            || self.mode() == Some(b'R') && self.flag(b'C').is_none();
        let code: &[u8] = match (self.command().kind, found) {
            (Word::Get | Word::Gets | Word::Gat | Word::Gats, _) => b"",
            (Word::Add | Word::Replace | Word::Append | Word::Prepend, _) => b"NOT_STORED\r\n",
            (Word::Cas, Exists) => b"EXISTS\r\n",
            (Word::MetaGet | Word::MetaDebug, _) => b"EN",
            (Word::MetaSet, Exists) if self.mode() == Some(b'E') => b"NS",
            (Word::MetaSet, Nothing) if joins => b"NS",
            (Word::MetaSet | Word::MetaDelete | Word::MetaArithmetic, Exists) => b"EX",
            (Word::MetaSet | Word::MetaDelete | Word::MetaArithmetic, Nothing) => b"NF",
            _ => b"NOT_FOUND\r\n",
        };
        match self.command().kind {
            Word::MetaDebug => out.extend_from_slice(b"EN\r\n"),
            word if word.is_meta() => self.push_meta(out, code, None, 0),
            _ => out.extend_from_slice(code),
        }
    }

    /// A code, and what answers without an item repeat of the request.
    fn push_meta(&self, out: &mut Vec<u8>, code: &[u8], token: Option<u64>, tag: u16) {
        out.extend_from_slice(code);
        for flag in self.flags() {
            match flag.letter {
                b'c' if self.command().kind == Word::MetaSet => self.push_token(out, token, tag),
                letter => self.push_repeated(out, letter, flag.token),
            }
        }
        out.extend_from_slice(b"\r\n");
    }

    /// The node's own words, where it refused.
    fn push_refused(&self, out: &mut Vec<u8>, told: Told<'_>) {
        match told.last {
            Some(last) if last.line.status.is_error() => {
                out.extend_from_slice(last.line.text.of(last.bytes));
                out.extend_from_slice(b"\r\n");
            }
            Some(last)
                if last.line.status == Status::NotStored
                    && self.command().kind == Word::MetaSet =>
            {
                self.push_meta(out, b"NS", None, told.tag);
            }
            Some(last) if last.line.status == Status::NotStored => {
                out.extend_from_slice(b"NOT_STORED\r\n")
            }
            _ => out.extend_from_slice(b"SERVER_ERROR the node refuses the item\r\n"),
        }
    }

    fn push_token(&self, out: &mut Vec<u8>, token: Option<u64>, tag: u16) {
        push_flag(out, b'c', tagged(token, tag).to_string().as_bytes());
    }

    /// The flags that every answer repeats.
    fn push_repeated(&self, out: &mut Vec<u8>, letter: u8, token: &[u8]) {
        match letter {
            b'O' => push_flag(out, b'O', token),
            b'k' if self.command().base64_key => {
                out.extend_from_slice(b" k");
                base64::encode(self.key(), out);
                out.extend_from_slice(b" b");
            }
            b'k' => push_flag(out, b'k', self.key_text()),
            _ => {}
        }
    }
}

/// What an update found that it did not act on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Found {
    Nothing,
    Exists,
}
use Found::{Exists, Nothing};

/// A command may have been executed or not; nothing was repeated.
fn failure_line(failure: Failure) -> &'static [u8] {
    match failure {
        Failure::Refused(_) => {
            b"SERVER_ERROR the key is being moved and one of its nodes cannot be reached\r\n"
        }
        Failure::Unknown | Failure::Late => b"SERVER_ERROR the node did not answer in time\r\n",
    }
}

/// The token as the client sees it; 0 where there is none, as the server has it.
fn tagged(token: Option<u64>, tag: u16) -> u64 {
    token.and_then(|token| cas::join(tag, token)).unwrap_or(0)
}

/// The data of a reply, with its line end.
fn data<'a>(last: Last<'a>) -> &'a [u8] {
    last.bytes
        .get(last.line.line_len..last.line.whole_len())
        .unwrap_or_default()
}

/// What is left to live of an expiry that was just given.
fn left_text(exptime: Option<&[u8]>, now: Duration) -> Vec<u8> {
    const LONGEST_RELATIVE: i64 = 60 * 60 * 24 * 30;
    let left = match exptime.and_then(number::signed).unwrap_or(0) {
        0 => -1,
        date if date > LONGEST_RELATIVE => date
            .saturating_sub(i64::try_from(now.as_secs()).unwrap_or(0))
            .max(0),
        relative => relative.max(0),
    };
    left.to_string().into_bytes()
}

fn push_head(out: &mut Vec<u8>, value_len: Option<usize>) {
    match value_len {
        Some(len) => {
            out.extend_from_slice(b"VA");
            push_number(out, len as u64);
        }
        None => out.extend_from_slice(b"HD"),
    }
}

fn push_flag(out: &mut Vec<u8>, letter: u8, token: &[u8]) {
    out.extend_from_slice(&[b' ', letter]);
    out.extend_from_slice(token);
}

fn push_number(out: &mut Vec<u8>, number: u64) {
    out.push(b' ');
    out.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
}

/// Line end, data, line end.
fn push_data(out: &mut Vec<u8>, value: &[u8]) {
    out.extend_from_slice(b"\r\n");
    out.extend_from_slice(value);
    out.extend_from_slice(b"\r\n");
}
