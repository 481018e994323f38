//! Fowler-Noll-Vo in the forms that the field's programs gave it.
//!
//! The C programs read a `char`, which is signed on x86: a byte from 0x80 on is extended with ones and changes the upper bits too. On most
//! ARM systems the same programs compute other values for such keys.

use super::text::utf16_units;

const INIT_32: u32 = 0x811C_9DC5;
const PRIME_32: u32 = 0x0100_0193;
const INIT_64: u64 = 0xCBF2_9CE4_8422_2325;
const PRIME_64: u64 = 0x0100_0000_01B3;

fn unsigned(bytes: &[u8]) -> impl Iterator<Item = u64> {
    bytes.iter().map(|&byte| u64::from(byte))
}

fn signed(bytes: &[u8]) -> impl Iterator<Item = u64> {
    bytes
        .iter()
        .map(|&byte| i64::from(byte.cast_signed()).cast_unsigned())
}

fn one_32(units: impl Iterator<Item = u64>) -> u64 {
    u64::from(units.fold(INIT_32, |hash, unit| {
        hash.wrapping_mul(PRIME_32) ^ unit as u32
    }))
}

fn one_a_32(units: impl Iterator<Item = u64>) -> u64 {
    u64::from(units.fold(INIT_32, |hash, unit| {
        (hash ^ unit as u32).wrapping_mul(PRIME_32)
    }))
}

fn one_64(units: impl Iterator<Item = u64>) -> u64 {
    units.fold(INIT_64, |hash, unit| hash.wrapping_mul(PRIME_64) ^ unit)
}

fn one_a_64(units: impl Iterator<Item = u64>) -> u64 {
    units.fold(INIT_64, |hash, unit| (hash ^ unit).wrapping_mul(PRIME_64))
}

const LOW: u64 = 0xffff_ffff;

pub(super) fn fnv1_32(bytes: &[u8]) -> u64 {
    one_32(unsigned(bytes))
}

pub(super) fn fnv1a_32(bytes: &[u8]) -> u64 {
    one_a_32(unsigned(bytes))
}

pub(super) fn fnv1_64(bytes: &[u8]) -> u64 {
    one_64(unsigned(bytes))
}

pub(super) fn fnv1a_64(bytes: &[u8]) -> u64 {
    one_a_64(unsigned(bytes))
}

pub(super) fn fnv1_32_signed(bytes: &[u8]) -> u64 {
    one_32(signed(bytes))
}

pub(super) fn fnv1a_32_signed(bytes: &[u8]) -> u64 {
    one_a_32(signed(bytes))
}

pub(super) fn fnv1_64_signed(bytes: &[u8]) -> u64 {
    one_64(signed(bytes)) & LOW
}

pub(super) fn fnv1a_64_signed(bytes: &[u8]) -> u64 {
    one_a_64(signed(bytes)) & LOW
}

pub(super) fn fnv1_32_utf16(bytes: &[u8]) -> u64 {
    one_32(utf16_units(bytes).map(u64::from))
}

pub(super) fn fnv1a_32_utf16(bytes: &[u8]) -> u64 {
    one_a_32(utf16_units(bytes).map(u64::from))
}

pub(super) fn fnv1_64_utf16(bytes: &[u8]) -> u64 {
    one_64(utf16_units(bytes).map(u64::from)) & LOW
}

pub(super) fn fnv1a_64_utf16(bytes: &[u8]) -> u64 {
    one_a_64(utf16_units(bytes).map(u64::from)) & LOW
}

#[cfg(test)]
mod tests {
    use super::*;

    /// From the table of test vectors on Noll's page.
    #[test]
    fn the_published_values_hold() {
        assert_eq!(fnv1_32(b"foobar"), 0x31F0_B262);
        assert_eq!(fnv1a_32(b"foobar"), 0xBF9C_F968);
        assert_eq!(fnv1_64(b"foobar"), 0x340D_8765_A4DD_A9C2);
        assert_eq!(fnv1a_64(b"foobar"), 0x8594_4171_F739_67E8);
    }

    /// killme2008/xmemcached#21: keys in other scripts are missed on one side only.
    #[test]
    fn bytes_above_0x7f_are_sign_extended() {
        let keys = ["用户:1", "café", "ключ", "é"];
        let values = [0x0506_28f8, 0xcef6_bb89, 0xa9ad_7881, 0xb4cc_3001];
        assert_eq!(keys.map(|key| fnv1a_64_signed(key.as_bytes())), values);
    }
}
