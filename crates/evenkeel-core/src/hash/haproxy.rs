//! The hashes of HAProxy's `hash-type`.

pub(super) fn sdbm(bytes: &[u8]) -> u64 {
    let step = |hash: u32, &byte: &u8| hash.wrapping_mul(65_599).wrapping_add(u32::from(byte));
    u64::from(bytes.iter().fold(0, step))
}

pub(super) fn djb2(bytes: &[u8]) -> u64 {
    let step = |hash: u32, &byte: &u8| hash.wrapping_mul(33).wrapping_add(u32::from(byte));
    u64::from(bytes.iter().fold(5_381, step))
}

/// Two accumulators that swap and rotate by amounts taken from themselves.
pub(super) fn wt6(bytes: &[u8]) -> u64 {
    let (mut h0, mut h1) = (0xA53C_965A_u32, 0x5CA6_953A_u32);
    let (mut step0, mut step1) = (6, 18);
    for &byte in bytes {
        let byte = u32::from(byte);
        h0 = !(h0 ^ byte);
        h1 = !h1.wrapping_add(byte);
        (h0, h1) = (h1.rotate_left(step0), h0.rotate_left(step1));
        let steps = (h0 >> 16 ^ h1) & 0xffff;
        (step0, step1) = (steps & 31, steps >> 11);
    }
    u64::from(h0 ^ h1)
}

/// The `avalanche` modifier: Jenkins's six-shift integer hash, then a prime near 3/4 of 2^32. A bijection of 32 bits.
pub(crate) fn avalanche(value: u32) -> u32 {
    let mut a = value;
    a = a.wrapping_add(0x7ED5_5D16).wrapping_add(a << 12);
    a = a ^ 0xC761_C23C ^ a >> 19;
    a = a.wrapping_add(0x1656_67B1).wrapping_add(a << 5);
    a = a.wrapping_add(0xD3A2_646C) ^ a << 9;
    a = a.wrapping_add(0xFD70_46C5).wrapping_add(a << 3);
    a = a ^ 0xB55A_4F09 ^ a >> 16;
    a.wrapping_mul(3_221_225_473)
}
