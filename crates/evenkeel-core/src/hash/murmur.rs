//! Austin Appleby's MurmurHash2 and MurmurHash3 (x86, 32 bits).

use super::text::utf16_units;

const SEED: u32 = 0xDEAD_BEEF;

fn word(bytes: &[u8]) -> u32 {
    bytes
        .iter()
        .rev()
        .fold(0, |sum, &byte| sum << 8 | u32::from(byte))
}

/// As libhashkit seeds it: 0xdeadbeef times the length.
pub(super) fn murmur2(bytes: &[u8]) -> u64 {
    const M: u32 = 0x5BD1_E995;
    let length = bytes.len() as u32;
    let mut hash = SEED.wrapping_mul(length) ^ length;
    let blocks = bytes.chunks_exact(4);
    let tail = blocks.remainder();
    for block in blocks {
        let mut k = word(block).wrapping_mul(M);
        k ^= k >> 24;
        hash = hash.wrapping_mul(M) ^ k.wrapping_mul(M);
    }
    if !tail.is_empty() {
        hash = (hash ^ word(tail)).wrapping_mul(M);
    }
    hash ^= hash >> 13;
    hash = hash.wrapping_mul(M);
    u64::from(hash ^ hash >> 15)
}

pub(super) fn murmur3(bytes: &[u8]) -> u64 {
    u64::from(murmur3_32(bytes, 0))
}

pub(super) fn murmur3_length_seed(bytes: &[u8]) -> u64 {
    u64::from(murmur3_32(bytes, SEED.wrapping_mul(bytes.len() as u32)))
}

/// JavaScript reads `charCodeAt(i) & 0xff`.
pub(super) fn murmur3_utf16_fff(bytes: &[u8]) -> u64 {
    let low: Vec<u8> = utf16_units(bytes).map(|unit| unit as u8).collect();
    u64::from(murmur3_32(&low, 0xfff))
}

pub(crate) fn murmur3_32(bytes: &[u8], seed: u32) -> u32 {
    let scramble = |k: u32| {
        k.wrapping_mul(0xCC9E_2D51)
            .rotate_left(15)
            .wrapping_mul(0x1B87_3593)
    };
    let mut hash = seed;
    let blocks = bytes.chunks_exact(4);
    let tail = blocks.remainder();
    for block in blocks {
        hash = (hash ^ scramble(word(block))).rotate_left(13);
        hash = hash.wrapping_mul(5).wrapping_add(0xE654_6B64);
    }
    // An empty tail is zero, which scrambles to zero.
    hash ^= scramble(word(tail)) ^ bytes.len() as u32;
    hash = (hash ^ hash >> 16).wrapping_mul(0x85EB_CA6B);
    hash = (hash ^ hash >> 13).wrapping_mul(0xC2B2_AE35);
    hash ^ hash >> 16
}
