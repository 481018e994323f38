//! Numbers as memcached reads them: C's `strtol` family with memcached's checks behind it.
//!
//! The protocol's documents say "decimal"; the server takes a leading `+` or `-` and blanks other than the space. A
//! proxy that is stricter refuses what the server takes, and one that is laxer forwards what the server refuses and
//! then reads the data block that follows as commands.

/// A signed number of at most 64 bits; `None` where the server refuses it.
pub fn signed(token: &[u8]) -> Option<i64> {
    let (negative, magnitude) = magnitude(token)?;
    if negative {
        0i64.checked_sub_unsigned(magnitude)
    } else {
        i64::try_from(magnitude).ok()
    }
}

/// An unsigned number of at most 64 bits. A minus sign wraps around, as in C, and is refused only if the result
/// reads as negative.
pub fn unsigned(token: &[u8]) -> Option<u64> {
    match magnitude(token)? {
        (false, value) => Some(value),
        (true, value) => Some(value.wrapping_neg()).filter(|wrapped| wrapped.cast_signed() >= 0),
    }
}

/// Sign and magnitude; `None` without a digit, beyond 64 bits, or with other bytes behind the digits.
fn magnitude(token: &[u8]) -> Option<(bool, u64)> {
    let token = skip_blanks(token);
    let (negative, digits) = match token.split_first() {
        Some((b'-', rest)) => (true, rest),
        Some((b'+', rest)) => (false, rest),
        _ => (false, token),
    };
    let count = digits
        .iter()
        .take_while(|byte| byte.is_ascii_digit())
        .count();
    let (digits, rest) = digits.split_at_checked(count)?;
    // The server looks at one byte behind the number only ("5\tx" is 5), and a NUL byte is an end to it.
    if count == 0
        || rest
            .first()
            .is_some_and(|byte| *byte != 0 && !is_blank(*byte))
    {
        return None;
    }
    Some((negative, plain(digits)?))
}

/// Digits and nothing else, as nodes write them; `None` if empty, beyond 64 bits, or anything but digits.
pub fn plain(digits: &[u8]) -> Option<u64> {
    if digits.is_empty() {
        return None;
    }
    digits.iter().try_fold(0u64, |value, byte| {
        let digit = byte.wrapping_sub(b'0');
        (digit <= 9).then_some(())?;
        value.checked_mul(10)?.checked_add(u64::from(digit))
    })
}

fn skip_blanks(token: &[u8]) -> &[u8] {
    let blanks = token.iter().take_while(|byte| is_blank(**byte)).count();
    token.get(blanks..).unwrap_or_default()
}

/// C's `isspace`.
fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | 0x0b | 0x0c | b'\r')
}

#[cfg(test)]
mod tests {
    use super::*;

    // What memcached 1.6.18 takes as a delta (`incr`) and as a length (`set`).
    #[test]
    fn numbers_are_read_as_the_server_reads_them() {
        assert_eq!(unsigned(b"+5"), Some(5));
        assert_eq!(unsigned(b"5\tx"), Some(5));
        assert_eq!(unsigned(b"\t5"), Some(5));
        assert_eq!(unsigned(b"-0"), Some(0));
        assert_eq!(unsigned(b"-1"), None);
        assert_eq!(unsigned(b"18446744073709551615"), Some(u64::MAX));
        assert_eq!(unsigned(b"18446744073709551616"), None);
        assert_eq!(unsigned(b"-18446744073709551615"), Some(1));
        assert_eq!(signed(b"-9223372036854775808"), Some(i64::MIN));
        assert_eq!(signed(b"9223372036854775808"), None);
        assert_eq!(signed(b"1.5"), None);
        assert_eq!(signed(b"+-1"), None);
        assert_eq!(signed(b""), None);
        assert_eq!(plain(b"+5"), None);
        assert_eq!(plain(b"007"), Some(7));
    }
}
