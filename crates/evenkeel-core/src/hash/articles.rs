//! The two composite hashes of the PHP articles on consistent hashing.

use super::crc::crc32;
use super::digest::Digest;

/// PHP's `crc32(md5($s))`.
pub(super) fn crc32_of_md5_hex(bytes: &[u8]) -> u64 {
    let mut digits = [0; 32];
    hex(&Digest::Md5.of(bytes)[..16], &mut digits);
    crc32(&digits)
}

/// `$h = 31 * $h + ord($c)` over the first 8 digits of `md5($s)`, and the low 31 bits of it.
pub(super) fn times31_of_md5(bytes: &[u8]) -> u64 {
    let mut digits = [0; 8];
    hex(&Digest::Md5.of(bytes)[..4], &mut digits);
    digits
        .iter()
        .fold(0, |sum: u64, &digit| sum * 31 + u64::from(digit))
        & 0x7fff_ffff
}

fn hex(bytes: &[u8], digits: &mut [u8]) {
    for (byte, pair) in bytes.iter().zip(digits.chunks_exact_mut(2)) {
        pair[0] = b"0123456789abcdef"[usize::from(byte >> 4)];
        pair[1] = b"0123456789abcdef"[usize::from(byte & 15)];
    }
}
