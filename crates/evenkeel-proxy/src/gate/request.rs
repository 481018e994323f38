//! What a client asks for on one key, whatever the dialect.

use bytes::Bytes;
use evenkeel_core::migration::operation::{Kind, OnValue, Update};
use evenkeel_wire::memcached::compose::Mode;
use evenkeel_wire::memcached::{self as wire, Command, MAX_KEY_LEN, MetaFlag, cas};
use evenkeel_wire::number;

/// A client's command on one moved key. It owns its bytes, for it outlives the client's buffer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// The key itself.
    pub key: Bytes,
    /// What to do.
    pub verb: Verb,
    /// How to answer.
    pub form: Form,
    /// The data of a storage command.
    pub body: Bytes,
}

/// What to do with a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verb {
    /// `get`, `gets`, `mg`. `token`: with its CAS token.
    Read { token: bool },
    /// `set`, `ms`.
    Set { flags: u32, exptime: i64 },
    /// A store that depends on what is there.
    Store {
        mode: Mode,
        flags: u32,
        exptime: i64,
        token: Option<u64>,
    },
    /// `delete`, `md`; with a token only that value.
    Delete { token: Option<u64> },
    /// `incr`, `decr`, `ma`.
    Count {
        up: bool,
        delta: u64,
        token: Option<u64>,
        exptime: Option<i64>,
        create: Option<Create>,
    },
    /// `touch`, `gat`, `gats`, `mg` with `T`. `reads`: answers with the value, and with its token if `token`.
    Touch {
        exptime: i64,
        reads: bool,
        token: bool,
    },
}

/// What `ma` stores where there is nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Create {
    pub exptime: i64,
    pub initial: u64,
}

/// How to answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Form {
    /// A line of the text dialect. Values come without `END`, which belongs to the whole command.
    Text { quiet: bool },
    /// A line of the meta dialect, with these flags, on the key as the client wrote it.
    Meta {
        quiet: bool,
        written_key: Bytes,
        base64: bool,
        flags: Vec<(u8, Bytes)>,
    },
}

/// A command that cannot be served on a moved key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The meta flag asks a server for its own leases or for staleness, which a migration uses itself. The client may
    /// ask again after it, or leave the flag out.
    #[error("SERVER_ERROR the meta flag {} is not served while the key is being moved", char::from(*.0))]
    Flag(u8),
    /// Not a command on a key.
    #[error("SERVER_ERROR this command is not served while the key is being moved")]
    Command,
}

impl Request {
    /// Takes over one key of a command; `bytes` are those that were parsed, and `key` one of its keys as written.
    /// `body` is its data block.
    pub fn new(command: &Command, bytes: &[u8], key: &[u8], body: Bytes) -> Result<Self, Refusal> {
        let verb = if command.kind.is_meta() {
            meta_verb(command, bytes)?
        } else {
            text_verb(command, bytes)?
        };
        let mut scratch = [0; MAX_KEY_LEN];
        let raw = if command.base64_key {
            command.routing_key(bytes, &mut scratch)
        } else {
            key
        };
        Ok(Request {
            key: Bytes::copy_from_slice(raw),
            verb,
            form: form(command, bytes, key),
            body,
        })
    }

    /// The operation for it. `target_tag` is the tag of the target's CAS tokens.
    pub fn kind(&self, target_tag: u16) -> Kind {
        let update = |token: Option<u64>, on_nothing| {
            let on_value = token.map_or(OnValue::Act, |token| {
                OnValue::ActIf(untagged(target_tag, token))
            });
            Kind::Update(Update {
                on_value,
                on_nothing,
            })
        };
        match self.verb {
            Verb::Read { token } => Kind::Read { token },
            Verb::Set { .. } => Kind::Overwrite,
            Verb::Store {
                mode: Mode::Add, ..
            } => Kind::Update(Update {
                on_value: OnValue::Refuse,
                on_nothing: true,
            }),
            Verb::Store { token, .. } => update(token, false),
            Verb::Delete { token: None } => Kind::Delete {
                tells: !matches!(self.form, Form::Text { quiet: true }),
            },
            Verb::Delete { token } => update(token, false),
            Verb::Count { token, create, .. } => update(token, create.is_some()),
            Verb::Touch { .. } => update(None, false),
        }
    }

    /// Whether the answer carries the token of what is stored.
    pub fn wants_token(&self) -> bool {
        match (&self.form, self.verb) {
            (Form::Meta { flags, .. }, _) => flags.iter().any(|(letter, _)| *letter == b'c'),
            (Form::Text { .. }, Verb::Touch { token, .. }) => token,
            (Form::Text { .. }, _) => false,
        }
    }
}

/// The server's token, if the client's has this tag.
fn untagged(tag: u16, token: u64) -> Option<u64> {
    let (of, token) = cas::split(token);
    (of == tag).then_some(token)
}

fn form(command: &Command, bytes: &[u8], key: &[u8]) -> Form {
    if !command.kind.is_meta() {
        return Form::Text {
            quiet: command.quiet,
        };
    }
    let own = |flag: MetaFlag<'_>| (flag.letter, Bytes::copy_from_slice(flag.token));
    Form::Meta {
        quiet: command.quiet,
        written_key: Bytes::copy_from_slice(key),
        base64: command.base64_key,
        flags: command.flags(bytes).map(own).collect(),
    }
}

fn text_verb(command: &Command, bytes: &[u8]) -> Result<Verb, Refusal> {
    let exptime = exptime_of(command.exptime.of(bytes));
    let flags = client_flags(command.client_flags.of(bytes));
    let token = cas::read(command.cas.of(bytes));
    let delta = number::unsigned(command.delta.of(bytes)).unwrap_or(0);
    let store = |mode, token| Verb::Store {
        mode,
        flags,
        exptime,
        token,
    };
    let count = |up| Verb::Count {
        up,
        delta,
        token: None,
        exptime: None,
        create: None,
    };
    let touch = |reads, token| Verb::Touch {
        exptime,
        reads,
        token,
    };
    use wire::Kind as K;
    Ok(match command.kind {
        K::Get => Verb::Read { token: false },
        K::Gets => Verb::Read { token: true },
        K::Set => Verb::Set { flags, exptime },
        K::Add => store(Mode::Add, None),
        K::Replace => store(Mode::Replace, None),
        K::Append => store(Mode::Append, None),
        K::Prepend => store(Mode::Prepend, None),
        // A token that is no number was refused by the parser; 0 is one that no value has.
        K::Cas => store(Mode::Set, token.or(Some(0))),
        K::Incr => count(true),
        K::Decr => count(false),
        K::Touch => touch(false, false),
        K::Gat => touch(true, false),
        K::Gats => touch(true, true),
        K::Delete => Verb::Delete { token: None },
        _ => return Err(Refusal::Command),
    })
}

fn meta_verb(command: &Command, bytes: &[u8]) -> Result<Verb, Refusal> {
    let served: &[u8] = match command.kind {
        wire::Kind::MetaGet => b"bcfhklOqstuvPLT",
        wire::Kind::MetaSet => b"bcCFkOqTMPL",
        wire::Kind::MetaDelete => b"bCkOqPL",
        wire::Kind::MetaArithmetic => b"bCcDJkMNOqTtvPL",
        _ => return Err(Refusal::Command),
    };
    let unserved = |flag: MetaFlag<'_>| (!served.contains(&flag.letter)).then_some(flag.letter);
    if let Some(letter) = command.flags(bytes).find_map(unserved) {
        return Err(Refusal::Flag(letter));
    }
    let flag = |letter| command.flags(bytes).find(letter).map(|flag| flag.token);
    let exptime = flag(b'T').map(exptime_of);
    let token = cas::read(command.cas.of(bytes));
    Ok(match command.kind {
        wire::Kind::MetaGet => match exptime {
            None => Verb::Read {
                token: flag(b'c').is_some(),
            },
            Some(exptime) => Verb::Touch {
                exptime,
                reads: true,
                token: flag(b'c').is_some(),
            },
        },
        wire::Kind::MetaSet => meta_set(
            flag(b'M').unwrap_or(b"S"),
            flag(b'F').map_or(0, client_flags),
            exptime.unwrap_or(0),
            token,
        )?,
        wire::Kind::MetaDelete => Verb::Delete { token },
        _ => Verb::Count {
            up: !matches!(flag(b'M'), Some([b'D' | b'd' | b'-', ..])),
            delta: flag(b'D').and_then(number::unsigned).unwrap_or(1),
            token,
            exptime,
            create: flag(b'N').map(|seconds| Create {
                exptime: exptime_of(seconds),
                initial: flag(b'J').and_then(number::unsigned).unwrap_or(0),
            }),
        },
    })
}

fn meta_set(mode: &[u8], flags: u32, exptime: i64, token: Option<u64>) -> Result<Verb, Refusal> {
    let mode = match mode {
        [b'S' | b's', ..] | [] => Mode::Set,
        [b'E' | b'e', ..] => Mode::Add,
        [b'A' | b'a', ..] => Mode::Append,
        [b'P' | b'p', ..] => Mode::Prepend,
        [b'R' | b'r', ..] => Mode::Replace,
        _ => return Err(Refusal::Flag(b'M')),
    };
    Ok(match (mode, token) {
        (Mode::Set, None) => Verb::Set { flags, exptime },
        (Mode::Add, Some(_)) => return Err(Refusal::Flag(b'C')),
        (mode, token) => Verb::Store {
            mode,
            flags,
            exptime,
            token,
        },
    })
}

/// An expiry as memcached reads it: of what is written it keeps 32 bits.
fn exptime_of(text: &[u8]) -> i64 {
    i64::from(number::signed(text).unwrap_or(0) as i32)
}

/// Client flags as memcached reads them: of what is written it keeps 32 bits.
fn client_flags(text: &[u8]) -> u32 {
    number::unsigned(text).unwrap_or(0) as u32
}
