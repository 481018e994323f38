//! Hashes that see a key as text and not as bytes.
//!
//! Where a key is not UTF-8, each invalid sequence counts as U+FFFD, which is what decoding it does in those languages.

/// The UTF-16 units of a Java or JavaScript string.
pub(super) fn utf16_units(bytes: &[u8]) -> impl Iterator<Item = u16> {
    let chars: Vec<char> = String::from_utf8_lossy(bytes).chars().collect();
    chars.into_iter().flat_map(|c| {
        let mut units = [0; 2];
        let count = c.encode_utf16(&mut units).len();
        units.into_iter().take(count)
    })
}

/// `ord(c) & 0xff` for each character, as Python code does that indexes a string.
pub(crate) fn low_bytes_of_code_points(bytes: &[u8]) -> impl Iterator<Item = u8> {
    let chars: Vec<char> = String::from_utf8_lossy(bytes).chars().collect();
    chars.into_iter().map(|c| c as u32 as u8)
}

/// Java's `String.hashCode`.
pub(super) fn java31(bytes: &[u8]) -> u64 {
    let step = |sum: u32, unit: u16| sum.wrapping_mul(31).wrapping_add(u32::from(unit));
    u64::from(utf16_units(bytes).fold(0, step))
}

/// `Math.abs` of it, which is a double and so has room for 2^31.
pub(super) fn java31_abs(bytes: &[u8]) -> u64 {
    u64::from((java31(bytes) as u32).cast_signed().unsigned_abs())
}

pub(super) fn xxh64(bytes: &[u8]) -> u64 {
    xxhash_rust::xxh64::xxh64(bytes, 0)
}

pub(super) fn xxh32(bytes: &[u8]) -> u64 {
    u64::from(xxhash_rust::xxh32::xxh32(bytes, 0))
}
