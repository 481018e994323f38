//! Values that tell which key they belong to.

use std::ops::RangeInclusive;

/// How many bytes the value of `key` has: anywhere in `sizes`, and always the same for one key.
pub fn size(key: u64, sizes: &RangeInclusive<usize>) -> usize {
    let span = (sizes.end() - sizes.start()) as u64 + 1;
    sizes.start() + (key.wrapping_mul(0xD6E8_FEB8_6659_FD93) % span) as usize
}

/// Appends the value of `key`: its number, a dot, and filler, cut at its size.
pub fn push(out: &mut Vec<u8>, key: u64, size: usize) {
    use std::io::Write;
    let end = out.len() + size;
    let _ = write!(out, "{key}.");
    out.resize(end, b'x');
}

/// Whether `value` can be the value of `key`.
pub fn is_of(value: &[u8], key: u64) -> bool {
    let digits = value.split(|&byte| byte == b'.').next().unwrap_or_default();
    let number = key.to_string();
    number.as_bytes().starts_with(digits)
        && (digits.len() == number.len() || digits.len() == value.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_known_for_its_key_and_no_other() {
        for size in 1..40 {
            let mut value = Vec::new();
            push(&mut value, 123, size);
            assert_eq!(value.len(), size);
            assert!(is_of(&value, 123));
            assert!(!is_of(&value, 9));
        }
        assert!(!is_of(b"12.x", 123));
    }
}
