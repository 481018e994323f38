//! Base64 for keys: RFC 4648 with padding, read as leniently as memcached's decoder reads it.

use super::MAX_KEY_LEN;

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Fills up the last group.
const PADDING: u8 = b'=';

/// No letter of the alphabet.
const NONE: u8 = 0xff;

const VALUES: [u8; 256] = {
    let mut values = [NONE; 256];
    let mut at = 0;
    while at < 64 {
        values[ALPHABET[at] as usize] = at as u8;
        at += 1;
    }
    values
};

/// Longest key in bytes that fits into [`MAX_KEY_LEN`] letters of base64.
pub const MAX_ENCODED_KEY: usize = MAX_KEY_LEN / 4 * 3;

/// Decodes `text` into `out`; `None` if it is not base64, empty, or too long for `out`.
///
/// As the server does it, bytes outside the alphabet are passed over, and a group with padding is the last one: two
/// spellings of one key must be routed alike.
pub fn decode<'a>(text: &[u8], out: &'a mut [u8; MAX_KEY_LEN]) -> Option<&'a [u8]> {
    let letters = || {
        text.iter()
            .copied()
            .filter(|byte| *byte == PADDING || value(*byte) != NONE)
    };
    let count = letters().count();
    if count == 0 || !count.is_multiple_of(4) {
        return None;
    }
    let mut letters = letters();
    let mut len = 0;
    while let Some(first) = letters.next() {
        let group = [first, letters.next()?, letters.next()?, letters.next()?];
        let (bytes, count) = decode_group(group)?;
        out.get_mut(len..len + count)?
            .copy_from_slice(bytes.get(..count)?);
        len += count;
        if count < 3 {
            break;
        }
    }
    out.get(..len)
}

/// Three bytes, or fewer if the group is padded.
fn decode_group(group: [u8; 4]) -> Option<([u8; 3], usize)> {
    let count = match group.iter().filter(|letter| **letter == PADDING).count() {
        0 => 3,
        1 => 2,
        2 => 1,
        _ => return None,
    };
    let bits = group.iter().fold(0u32, |bits, letter| {
        let value = if *letter == PADDING {
            0
        } else {
            value(*letter)
        };
        bits << 6 | u32::from(value)
    });
    let [_, first, second, third] = bits.to_be_bytes();
    Some(([first, second, third], count))
}

fn value(letter: u8) -> u8 {
    VALUES.get(usize::from(letter)).copied().unwrap_or(NONE)
}

/// Appends `bytes` in base64.
pub fn encode(bytes: &[u8], out: &mut Vec<u8>) {
    let letter = |bits: u32| ALPHABET.get((bits & 63) as usize).copied().unwrap_or(b'=');
    for chunk in bytes.chunks(3) {
        let byte = |at: usize| u32::from(chunk.get(at).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        out.push(letter(bits >> 18));
        out.push(letter(bits >> 12));
        out.push(if chunk.len() > 1 {
            letter(bits >> 6)
        } else {
            b'='
        });
        out.push(if chunk.len() > 2 { letter(bits) } else { b'=' });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(text: &[u8]) -> Option<Vec<u8>> {
        decode(text, &mut [0; MAX_KEY_LEN]).map(<[u8]>::to_vec)
    }

    // What memcached 1.6.18 stores under these keys with the flag `b`.
    #[test]
    fn keys_are_read_as_the_server_reads_them() {
        assert_eq!(decoded(b"Zm9v").unwrap(), b"foo");
        assert_eq!(decoded(b"Zm8=").unwrap(), b"fo");
        assert_eq!(decoded(b"Zg==").unwrap(), b"f");
        assert_eq!(decoded(b"Zm-9v").unwrap(), b"foo");
        assert_eq!(decoded(b"Zg==Zm9v").unwrap(), b"f");
        assert_eq!(decoded(b"Zm9"), None);
        assert_eq!(decoded(b"===="), None);
        assert_eq!(decoded(b"!"), None);
    }

    #[test]
    fn any_bytes_survive_the_encoding() {
        for len in 1..=MAX_ENCODED_KEY {
            let key: Vec<u8> = (0..len).map(|at| (at * 37) as u8).collect();
            let mut text = Vec::new();
            encode(&key, &mut text);
            assert_eq!(decoded(&text).unwrap(), key);
        }
    }
}
