//! What some programs do to a hash before they look it up.

use serde::{Deserialize, Serialize};

use super::avalanche;

/// A step between the hash of a key and its look-up. Steps are applied in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Step {
    /// HAProxy's integer hash of 32 bits.
    Avalanche,
    /// All 32 bits inverted.
    Invert32,
    /// The four bytes of 32 bits in the opposite order.
    SwapBytes32,
    /// The eight bytes in the opposite order.
    SwapBytes64,
    /// The remainder by 2^32 - 1.
    RemainderMax32,
    /// Bits 16 to 30.
    Fold15,
    /// 0 becomes 1.
    ZeroAsOne,
}

/// The value after all steps.
#[inline]
pub(crate) fn finish(value: u64, steps: &[Step]) -> u64 {
    // Nearly every placement has no step, and then this is one comparison.
    if steps.is_empty() {
        value
    } else {
        steps.iter().fold(value, |value, step| step.apply(value))
    }
}

impl Step {
    fn apply(self, value: u64) -> u64 {
        match self {
            Self::Avalanche => u64::from(avalanche(value as u32)),
            Self::Invert32 => u64::from(!(value as u32)),
            Self::SwapBytes32 => u64::from((value as u32).swap_bytes()),
            Self::SwapBytes64 => value.swap_bytes(),
            Self::RemainderMax32 => value % 0xffff_ffff,
            Self::Fold15 => value >> 16 & 0x7fff,
            Self::ZeroAsOne => value.max(1),
        }
    }
}

/// How many bits a value has after the steps.
pub(crate) fn bits_after(hash: super::Hash, steps: &[Step]) -> u32 {
    steps.iter().fold(hash.bits(), |bits, step| match step {
        Step::Avalanche | Step::Invert32 | Step::SwapBytes32 | Step::RemainderMax32 => 32,
        Step::SwapBytes64 => 64,
        Step::Fold15 => 15,
        Step::ZeroAsOne => bits,
    })
}
