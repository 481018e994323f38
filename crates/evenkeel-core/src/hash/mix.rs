//! The finaliser of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014; Stafford's variant 13).

/// 2^64 divided by the golden ratio: SplitMix64's step.
pub(crate) const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

/// A bijection of 64 bits whose every output bit depends on every input bit.
#[inline]
pub(crate) const fn mix(value: u64) -> u64 {
    let z = (value ^ value >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ z >> 31
}
