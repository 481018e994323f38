//! Keys and clocks.

use std::hint::black_box;
use std::time::Instant;

/// Distinct keys of about 16 bytes, in one buffer so that reading them costs the same for everybody.
pub struct Keys {
    bytes: String,
    ends: Vec<usize>,
}

impl Keys {
    pub fn new(count: usize) -> Self {
        let mut keys = Self {
            bytes: String::new(),
            ends: Vec::with_capacity(count),
        };
        for number in 0..count as u64 {
            // Spread, so that neighbours in time are not neighbours in text.
            let spread = number.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 24;
            keys.bytes.push_str(&format!("user:{spread:011}"));
            keys.ends.push(keys.bytes.len());
        }
        keys
    }

    pub fn len(&self) -> usize {
        self.ends.len()
    }

    pub fn get(&self, index: usize) -> &str {
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        &self.bytes[start..self.ends[index]]
    }
}

/// Nanoseconds for each look-up: one after the other without waiting, and each waiting for the one before.
#[derive(Clone, Copy, Debug)]
pub struct Times {
    pub independent: f64,
    pub dependent: f64,
}

/// Keys that are timed together: a millisecond or less, so that most pieces run undisturbed.
const PIECE: usize = 10_000;

/// Every piece of the keys is timed in every round, and the best time of each piece counts: other programs only ever add time.
pub fn lookups(keys: &Keys, rounds: usize, mut node_of: impl FnMut(&str) -> u32) -> Times {
    let pieces = keys.len().div_ceil(PIECE);
    let mut best = vec![[f64::MAX; 2]; pieces];
    for _ in 0..rounds {
        for (piece, best) in best.iter_mut().enumerate() {
            let range = piece * PIECE..((piece + 1) * PIECE).min(keys.len());
            let start = Instant::now();
            let mut sum = 0_u32;
            for index in range.clone() {
                sum = sum.wrapping_add(node_of(keys.get(index)));
            }
            black_box(sum);
            best[0] = best[0].min(start.elapsed().as_nanos() as f64);
            let start = Instant::now();
            let mut last = 0_usize;
            for index in range {
                // The next key is only known when the node is: a step back of none or one, so that the order hardly changes.
                last = node_of(keys.get(index - (last & usize::from(index > 0)))) as usize;
            }
            black_box(last);
            best[1] = best[1].min(start.elapsed().as_nanos() as f64);
        }
    }
    let mean = |kind: usize| best.iter().map(|times| times[kind]).sum::<f64>() / keys.len() as f64;
    Times { independent: mean(0), dependent: mean(1) }
}

/// Milliseconds for one call, the best of several.
pub fn once<T>(rounds: usize, mut make: impl FnMut() -> T) -> f64 {
    let time = |_| {
        let start = Instant::now();
        black_box(make());
        start.elapsed().as_secs_f64() * 1_000.0
    };
    (0..rounds).map(time).fold(f64::MAX, f64::min)
}
