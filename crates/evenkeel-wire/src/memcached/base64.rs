//! Base64 for keys (RFC 4648 with padding), strict as memcached's decoder: whole groups of four, padding at the end.

use super::MAX_KEY_LEN;

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

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
pub fn decode<'a>(text: &[u8], out: &'a mut [u8; MAX_KEY_LEN]) -> Option<&'a [u8]> {
    if text.is_empty() || !text.len().is_multiple_of(4) {
        return None;
    }
    let mut len = 0;
    let groups = text.len() / 4;
    for (index, group) in text.chunks_exact(4).enumerate() {
        let (bytes, count) = decode_group(group, index + 1 == groups)?;
        out.get_mut(len..len + count)?
            .copy_from_slice(bytes.get(..count)?);
        len += count;
    }
    out.get(..len)
}

/// Three bytes, or fewer if the last group is padded.
fn decode_group(group: &[u8], last: bool) -> Option<([u8; 3], usize)> {
    let &[a, b, c, d] = group else { return None };
    let count = match (c, d) {
        (b'=', b'=') if last => 1,
        (_, b'=') if last => 2,
        _ => 3,
    };
    let value = |letter: u8, wanted: bool| -> Option<u32> {
        let value = VALUES.get(usize::from(letter)).copied().unwrap_or(NONE);
        if !wanted {
            return Some(0);
        }
        (value != NONE).then_some(u32::from(value))
    };
    let bits = value(a, true)? << 18
        | value(b, true)? << 12
        | value(c, count > 1)? << 6
        | value(d, count > 2)?;
    let [_, first, second, third] = bits.to_be_bytes();
    Some(([first, second, third], count))
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
