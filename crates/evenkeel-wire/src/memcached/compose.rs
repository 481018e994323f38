//! The commands that a proxy sends to nodes on its own account.
//!
//! All are of the meta dialect. None is quiet: every command has exactly one reply, because a reply that may be
//! missing cannot be told from one that is late.

use super::{MAX_KEY_LEN, base64};

/// A key as it can be written in a line: as it is, or in base64 if it holds a byte that a line cannot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeKey<'a> {
    raw: &'a [u8],
    base64: bool,
}

impl<'a> NodeKey<'a> {
    /// `None` if the key is empty or too long to be written: such a key cannot be reached by this protocol. (A key of
    /// over 187 bytes with a blank in it can only have come by the binary dialect.)
    pub fn new(raw: &'a [u8]) -> Option<Self> {
        let base64 = raw.iter().any(|byte| *byte <= b' ' || *byte == 0x7f);
        let longest = if base64 {
            base64::MAX_ENCODED_KEY
        } else {
            MAX_KEY_LEN
        };
        (1..=longest)
            .contains(&raw.len())
            .then_some(Self { raw, base64 })
    }

    /// The key itself.
    pub fn raw(self) -> &'a [u8] {
        self.raw
    }

    fn push(self, out: &mut Vec<u8>) {
        if self.base64 {
            base64::encode(self.raw, out)
        } else {
            out.extend_from_slice(self.raw)
        }
    }

    fn push_flag(self, out: &mut Vec<u8>) {
        if self.base64 {
            out.extend_from_slice(b" b");
        }
    }
}

/// How an `ms` treats what is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Store, whatever is there.
    Set,
    /// Store if nothing is there.
    Add,
    /// Add to the end of what is there.
    Append,
    /// Add to the beginning of what is there.
    Prepend,
    /// Store if something is there.
    Replace,
}

impl Mode {
    fn letter(self) -> u8 {
        match self {
            Self::Set => b'S',
            Self::Add => b'E',
            Self::Append => b'A',
            Self::Prepend => b'P',
            Self::Replace => b'R',
        }
    }
}

/// A value to be stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Store<'a> {
    /// The data.
    pub value: &'a [u8],
    /// Client flags.
    pub client_flags: u32,
    /// Expiry as the protocol has it: seconds to live, or above 30 days a date; `None` lives for ever. Of `Some(0)`
    /// the server makes "for ever", so a value with no time left must not be stored.
    pub exptime: Option<i64>,
    /// Store only if the item has this token.
    pub token: Option<u64>,
    /// How to treat what is there.
    pub mode: Mode,
}

/// `mg k v f t c s h l N<seconds>`: the value, or the right to fill it. A lease counts in seconds, at least one.
pub fn look_or_lease(out: &mut Vec<u8>, key: NodeKey<'_>, lease_seconds: u32) {
    get(out, key, b"v f t c s h l", Some(lease_seconds.max(1)));
}

/// `mg k v f t c s h l`: the value with all that belongs to it, and no lease.
pub fn look(out: &mut Vec<u8>, key: NodeKey<'_>) {
    get(out, key, b"v f t c s h l", None);
}

/// `mg k s c`: whether there is something, and its size and token, without the value.
pub fn peek(out: &mut Vec<u8>, key: NodeKey<'_>) {
    get(out, key, b"s c", None);
}

/// `mg k v f t s`: what is to be copied.
pub fn fetch(out: &mut Vec<u8>, key: NodeKey<'_>) {
    get(out, key, b"v f t s", None);
}

/// `ms k <len> ...` with its data block: a fill, or an update that acts on what it saw.
pub fn store(out: &mut Vec<u8>, key: NodeKey<'_>, store: Store<'_>) {
    out.extend_from_slice(b"ms ");
    key.push(out);
    out.push(b' ');
    push_number(out, store.value.len() as u64);
    key.push_flag(out);
    push_token(out, b'C', store.token);
    push_token(out, b'F', Some(u64::from(store.client_flags)));
    if let Some(exptime) = store.exptime {
        out.extend_from_slice(b" T");
        out.extend_from_slice(itoa::Buffer::new().format(exptime).as_bytes());
    }
    if store.mode != Mode::Set {
        out.extend_from_slice(&[b' ', b'M', store.mode.letter()]);
    }
    out.extend_from_slice(b"\r\n");
    out.extend_from_slice(store.value);
    out.extend_from_slice(b"\r\n");
}

/// `md k C<token>`: remove exactly what was seen; with `None` whatever there is.
pub fn delete(out: &mut Vec<u8>, key: NodeKey<'_>, token: Option<u64>) {
    out.extend_from_slice(b"md ");
    key.push(out);
    key.push_flag(out);
    push_token(out, b'C', token);
    out.extend_from_slice(b"\r\n");
}

/// `ma k C<token> D<delta> MI|MD v`: count on exactly what was seen; the reply brings the new value.
pub fn arithmetic(out: &mut Vec<u8>, key: NodeKey<'_>, token: Option<u64>, up: bool, delta: u64) {
    out.extend_from_slice(b"ma ");
    key.push(out);
    key.push_flag(out);
    push_token(out, b'C', token);
    push_token(out, b'D', Some(delta));
    out.extend_from_slice(if up { b" MI v\r\n" } else { b" MD v\r\n" });
}

/// `lru_crawler metadump`: by slab class (`all`, gentle on other clients) or by hash table (`hash`, complete).
pub fn metadump(out: &mut Vec<u8>, complete: bool) {
    out.extend_from_slice(if complete {
        b"lru_crawler metadump hash\r\n"
    } else {
        b"lru_crawler metadump all\r\n"
    });
}

fn get(out: &mut Vec<u8>, key: NodeKey<'_>, flags: &[u8], lease_seconds: Option<u32>) {
    out.extend_from_slice(b"mg ");
    key.push(out);
    key.push_flag(out);
    out.push(b' ');
    out.extend_from_slice(flags);
    push_token(out, b'N', lease_seconds.map(u64::from));
    out.extend_from_slice(b"\r\n");
}

fn push_token(out: &mut Vec<u8>, letter: u8, token: Option<u64>) {
    if let Some(token) = token {
        out.extend_from_slice(&[b' ', letter]);
        push_number(out, token);
    }
}

fn push_number(out: &mut Vec<u8>, number: u64) {
    out.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(write: impl Fn(&mut Vec<u8>)) -> String {
        let mut out = Vec::new();
        write(&mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn commands_are_worded_as_the_migration_needs_them() {
        let key = NodeKey::new(b"k").unwrap();
        assert_eq!(
            written(|out| look_or_lease(out, key, 30)),
            "mg k v f t c s h l N30\r\n"
        );
        assert_eq!(
            written(|out| look_or_lease(out, key, 0)),
            "mg k v f t c s h l N1\r\n"
        );
        assert_eq!(written(|out| fetch(out, key)), "mg k v f t s\r\n");
        assert_eq!(written(|out| peek(out, key)), "mg k s c\r\n");
        assert_eq!(written(|out| delete(out, key, Some(7))), "md k C7\r\n");
        assert_eq!(
            written(|out| arithmetic(out, key, Some(7), false, 2)),
            "ma k C7 D2 MD v\r\n"
        );
        let fill = Store {
            value: b"abc",
            client_flags: 5,
            exptime: Some(60),
            token: Some(7),
            mode: Mode::Set,
        };
        assert_eq!(
            written(|out| store(out, key, fill)),
            "ms k 3 C7 F5 T60\r\nabc\r\n"
        );
        let add = Store {
            exptime: None,
            token: None,
            mode: Mode::Add,
            ..fill
        };
        assert_eq!(
            written(|out| store(out, key, add)),
            "ms k 3 F5 ME\r\nabc\r\n"
        );
    }

    #[test]
    fn a_key_with_a_blank_is_written_in_base64() {
        let key = NodeKey::new(b"a b").unwrap();
        assert_eq!(written(|out| delete(out, key, None)), "md YSBi b\r\n");
        assert_eq!(NodeKey::new(b""), None);
        assert_eq!(NodeKey::new(&[b'k'; 251]), None);
        assert_eq!(NodeKey::new(&[b' '; 187]), None);
        assert!(NodeKey::new(&[b' '; 186]).is_some());
    }
}
