//! The lines of `lru_crawler metadump`:
//! `key=<name> exp=<seconds since 1970 or -1> la=<..> cas=<token> fetch=yes|no cls=<class> size=<bytes>`.

use crate::number;

/// One key of a listing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Listed<'a> {
    /// The name as it is written, URI-encoded; decode it with [`decode_name`].
    pub name: &'a [u8],
    /// When it expires, in seconds since 1970; `None` for never.
    pub expires_at: Option<u64>,
    /// Its token at that moment.
    pub token: u64,
    /// Bytes that it takes at the node, header and key included.
    pub size: u64,
}

/// Takes a line apart (without its end). Words that are not known are passed over; `None` if one of the four is
/// missing or no number.
pub fn parse(line: &[u8]) -> Option<Listed<'_>> {
    let (mut name, mut exp, mut token, mut size) = (None, None, None, None);
    for word in line.split(|byte| *byte == b' ') {
        let Some(at) = memchr::memchr(b'=', word) else {
            continue;
        };
        let (label, value) = (word.get(..at)?, word.get(at + 1..)?);
        match label {
            b"key" => name = Some(value),
            b"exp" => exp = number::signed(value),
            b"cas" => token = number::plain(value),
            b"size" => size = number::plain(value),
            _ => {}
        }
    }
    let expires_at = u64::try_from(exp?).ok();
    Some(Listed {
        name: name.filter(|name| !name.is_empty())?,
        expires_at,
        token: token?,
        size: size?,
    })
}

/// Appends the key that an URI-encoded name stands for. False if the name is not sound; `out` is then as it was.
pub fn decode_name(name: &[u8], out: &mut Vec<u8>) -> bool {
    let before = out.len();
    let mut rest = name;
    while let Some((byte, tail)) = rest.split_first() {
        rest = tail;
        if *byte != b'%' {
            out.push(*byte);
            continue;
        }
        let decoded = rest.get(..2).and_then(hex_byte);
        let (Some(decoded), Some(tail)) = (decoded, rest.get(2..)) else {
            out.truncate(before);
            return false;
        };
        out.push(decoded);
        rest = tail;
    }
    true
}

/// Appends a key as the server writes it: all but letters, digits and `-._~` as `%XX`.
pub fn encode_name(key: &[u8], out: &mut Vec<u8>) {
    const HEX: &[u8; 16] = b"0123456789ABCDEF";
    let digit = |value: u8| HEX.get(usize::from(value)).copied().unwrap_or(b'0');
    for byte in key {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(byte) {
            out.push(*byte);
        } else {
            out.extend_from_slice(&[b'%', digit(byte >> 4), digit(byte & 15)]);
        }
    }
}

fn hex_byte(digits: &[u8]) -> Option<u8> {
    let &[high, low] = digits else { return None };
    let value = |digit: u8| char::from(digit).to_digit(16);
    u8::try_from(value(high)? * 16 + value(low)?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    // Recorded from memcached 1.6.18: `set a%b 0 0 1`, then `lru_crawler metadump all`.
    #[test]
    fn a_recorded_line_is_taken_apart() {
        let listed =
            parse(b"key=a%25b exp=-1 la=1796086531 cas=17 fetch=no cls=1 size=63").unwrap();
        assert_eq!(
            (listed.expires_at, listed.token, listed.size),
            (None, 17, 63)
        );
        let mut key = Vec::new();
        assert!(decode_name(listed.name, &mut key));
        assert_eq!(key, b"a%b");
    }

    #[test]
    fn any_key_survives_the_encoding() {
        let key: Vec<u8> = (0..=255).collect();
        let (mut name, mut back) = (Vec::new(), Vec::new());
        encode_name(&key, &mut name);
        assert!(decode_name(&name, &mut back));
        assert_eq!(back, key);
        assert!(!decode_name(b"a%2", &mut back) && !decode_name(b"%zz", &mut back));
        assert_eq!(back, key, "nothing is left of an unsound name");
    }
}
