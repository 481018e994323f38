//! A client's request on one moved key, as the rules see it.

use super::item::Item;
use evenkeel_core::migration::operation::{Kind, OnValue, Seen, Update};
use evenkeel_wire::memcached::{Command, Kind as Word, MAX_KEY_LEN, MetaFlags, cas};
use evenkeel_wire::{Span, number};
use std::sync::Arc;

/// A request with one key, kept while its operation runs.
///
/// A read of many keys is as many requests; what frames their answers (`END`) is the caller's.
#[derive(Clone, Debug)]
pub struct Request {
    command: Command,
    /// The request's line; the command's ranges refer to it.
    line: Box<[u8]>,
    /// The key as it is written, within the line.
    key_text: Span,
    /// The key that it stands for.
    key: Box<[u8]>,
    value: Arc<[u8]>,
}

/// What to do with a request on a moved key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plan {
    /// Run an operation of this kind.
    Operate(Kind),
    /// Answer this, and do nothing: the command cannot be told from one that is unsafe while its key moves.
    Answer(&'static [u8]),
}

/// `E` gives a token of the client's choice, and flags that are newer than what is known here may do anything.
const UNSUPPORTED: Plan = Plan::Answer(b"CLIENT_ERROR invalid flag\r\n");

impl Request {
    /// The request for one key of `command`, whose line is at the front of `bytes`; `value` is its data block.
    pub fn new(command: Command, bytes: &[u8], key_text: Span, value: &[u8]) -> Self {
        let mut scratch = [0; MAX_KEY_LEN];
        let written = key_text.of(bytes);
        let key = if command.base64_key {
            command.routing_key(bytes, &mut scratch)
        } else {
            written
        };
        Self {
            key: key.into(),
            line: bytes.get(..command.line_len).unwrap_or_default().into(),
            command,
            key_text,
            value: value.into(),
        }
    }

    /// The key that it is about.
    pub fn key(&self) -> &[u8] {
        &self.key
    }

    /// Which command it is.
    pub fn word(&self) -> Word {
        self.command.kind
    }

    /// The kind of operation, where the tag of the target's tokens is `tag`.
    pub fn plan(&self, tag: u16) -> Plan {
        let update = |on_value, on_nothing| {
            Plan::Operate(Kind::Update(Update {
                on_value,
                on_nothing,
            }))
        };
        if let Some(answer) = self.doubled_flag() {
            return Plan::Answer(answer);
        }
        match self.command.kind {
            Word::Get => Plan::Operate(Kind::Read { token: false }),
            Word::Gets | Word::MetaDebug => Plan::Operate(Kind::Read { token: true }),
            Word::Set => Plan::Operate(Kind::Overwrite),
            Word::Delete => Plan::Operate(Kind::Delete {
                tells: !self.command.quiet,
            }),
            Word::Add => update(OnValue::Refuse, true),
            Word::Gat | Word::Gats | Word::Touch => update(OnValue::Act, false),
            Word::Replace | Word::Append | Word::Prepend => update(OnValue::Act, false),
            Word::Incr | Word::Decr => update(OnValue::Act, false),
            Word::Cas => update(OnValue::ActIf(self.token(tag)), false),
            Word::MetaGet => self.plan_get(),
            Word::MetaSet => self.plan_set(tag),
            Word::MetaDelete => self.plan_delete(tag),
            Word::MetaArithmetic if self.has_only(b"bcCDJkMNOqtTvPL") => {
                update(self.if_token(tag), self.flag(b'N').is_some())
            }
            Word::MetaArithmetic => UNSUPPORTED,
            Word::MetaNoop
            | Word::Version
            | Word::Quit
            | Word::Verbosity
            | Word::Stats
            | Word::FlushAll
            | Word::Admin => Plan::Answer(b"ERROR\r\n"),
        }
    }

    /// A get that touches writes the value back; the others read. `R` is not acted on while a key moves: nobody is
    /// told to recache early.
    fn plan_get(&self) -> Plan {
        if !self.has_only(b"bcfhklNOqRstTuvPL") {
            return UNSUPPORTED;
        }
        let touches = self.flag(b'T').is_some();
        Plan::Operate(if touches {
            Kind::Update(Update {
                on_value: OnValue::Act,
                on_nothing: false,
            })
        } else {
            Kind::Read {
                token: self.flag(b'c').is_some(),
            }
        })
    }

    fn plan_set(&self, tag: u16) -> Plan {
        if !self.has_only(b"bcCFIkMOqTPL") {
            return UNSUPPORTED;
        }
        let (on_value, on_nothing) = match self.mode() {
            None if self.flag(b'M').is_some() => {
                return Plan::Answer(b"CLIENT_ERROR incorrect length for M token\r\n");
            }
            None | Some(b'S') if self.flag(b'C').is_none() => {
                return Plan::Operate(Kind::Overwrite);
            }
            None | Some(b'S' | b'R' | b'A' | b'P') => (self.if_token(tag), false),
            Some(b'E') => (OnValue::Refuse, true),
            Some(_) => return Plan::Answer(b"CLIENT_ERROR invalid mode for ms M token\r\n"),
        };
        Plan::Operate(Kind::Update(Update {
            on_value,
            on_nothing,
        }))
    }

    fn plan_delete(&self, tag: u16) -> Plan {
        if !self.has_only(b"bCIkOqTPL") {
            return UNSUPPORTED;
        }
        let plain = self.flag(b'C').is_none() && self.flag(b'I').is_none();
        Plan::Operate(if plain {
            Kind::Delete { tells: true }
        } else {
            Kind::Update(Update {
                on_value: self.if_token(tag),
                on_nothing: false,
            })
        })
    }

    /// How a node answers a flag that is given twice, if one is.
    fn doubled_flag(&self) -> Option<&'static [u8]> {
        let mut seen = 0u128;
        let doubled = self.flags().any(|flag| {
            let bit = 1u128.checked_shl(u32::from(flag.letter)).unwrap_or(0);
            let doubled = seen & bit != 0;
            seen |= bit;
            doubled
        });
        let short = matches!(self.command.kind, Word::MetaDelete | Word::MetaArithmetic);
        doubled.then_some(if short {
            b"CLIENT_ERROR invalid or duplicate flag\r\n"
        } else {
            b"CLIENT_ERROR duplicate flag\r\n"
        })
    }

    fn if_token(&self, tag: u16) -> OnValue {
        if self.command.cas.is_empty() {
            OnValue::Act
        } else {
            OnValue::ActIf(self.token(tag))
        }
    }

    /// The node's token in the client's; `None` if it is another server's, or no number.
    fn token(&self, tag: u16) -> Option<u64> {
        let (of, token) = cas::split(cas::read(self.part(self.command.cas))?);
        (of == tag).then_some(token)
    }

    fn has_only(&self, letters: &[u8]) -> bool {
        self.flags().all(|flag| letters.contains(&flag.letter))
    }

    pub(super) fn command(&self) -> &Command {
        &self.command
    }

    pub(super) fn value(&self) -> &[u8] {
        &self.value
    }

    /// The key as the client wrote it.
    pub(super) fn key_text(&self) -> &[u8] {
        self.part(self.key_text)
    }

    pub(super) fn part(&self, span: Span) -> &[u8] {
        span.of(&self.line)
    }

    pub(super) fn flags(&self) -> MetaFlags<'_> {
        self.command.flags(&self.line)
    }

    /// The token of a flag.
    pub(super) fn flag(&self, letter: u8) -> Option<&[u8]> {
        self.flags().find(letter).map(|flag| flag.token)
    }

    /// The letter of `M`; none if it is not one letter.
    pub(super) fn mode(&self) -> Option<u8> {
        match self.flag(b'M')? {
            [mode] => Some(*mode),
            _ => None,
        }
    }

    /// The value that `ma` begins with where there is nothing.
    pub(super) fn initial(&self) -> u64 {
        self.flag(b'J').and_then(number::unsigned).unwrap_or(0)
    }

    /// True where an update writes the item back as it was, with another time to live.
    pub(super) fn touches<'a>(&self, seen: &'a Seen<Item>) -> Option<&'a Item> {
        let touches = matches!(
            self.command.kind,
            Word::Gat | Word::Gats | Word::Touch | Word::MetaGet
        );
        match seen {
            Seen::Value(item, _) if touches => Some(item),
            _ => None,
        }
    }
}
