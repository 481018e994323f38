//! Bob Jenkins's one-at-a-time.

/// Over unsigned bytes, as published; PHP's `joaat`.
pub(super) fn unsigned(bytes: &[u8]) -> u64 {
    over(bytes.iter().map(|&byte| u32::from(byte)))
}

/// Over `char`, which is signed on x86: libmemcached's and twemproxy's.
pub(super) fn signed(bytes: &[u8]) -> u64 {
    over(
        bytes
            .iter()
            .map(|&byte| i32::from(byte.cast_signed()).cast_unsigned()),
    )
}

fn over(units: impl Iterator<Item = u32>) -> u64 {
    let mut hash = 0_u32;
    for unit in units {
        hash = hash.wrapping_add(unit);
        hash = hash.wrapping_add(hash << 10);
        hash ^= hash >> 6;
    }
    hash = hash.wrapping_add(hash << 3);
    hash ^= hash >> 11;
    u64::from(hash.wrapping_add(hash << 15))
}

#[cfg(test)]
mod tests {
    /// killme2008/xmemcached#21, seen on php-memcached and twemproxy on x86.
    #[test]
    fn bytes_above_0x7f_are_sign_extended() {
        let keys = ["用户:1", "café", "ключ", "é"];
        let signed = [0xb3ae_5ea6, 0xd99c_709e, 0xfbca_080a, 0x0191_48ae];
        let unsigned = [0xff4d_4a22, 0x9096_adf2, 0x5f21_feca, 0xae86_00ef];
        assert_eq!(keys.map(|key| super::signed(key.as_bytes())), signed);
        assert_eq!(keys.map(|key| super::unsigned(key.as_bytes())), unsigned);
    }
}
