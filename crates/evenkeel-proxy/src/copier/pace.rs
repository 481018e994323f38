//! How fast the copier may go.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tokio::time::{Instant, sleep};

/// Keys per second, unless the operator says otherwise.
pub const DEFAULT_KEYS: u64 = 10_000;

/// Bytes per second, unless the operator says otherwise.
pub const DEFAULT_BYTES: u64 = 50 * 1024 * 1024;

/// What may be saved up: a burst lasts no longer than this.
const BURST: Duration = Duration::from_millis(50);

/// How soon a change of the rates is noticed.
const NAP: Duration = Duration::from_millis(50);

/// The most that the copier may do per second; 0 pauses it, `None` is no limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rates {
    /// Keys per second.
    pub keys: Option<u64>,
    /// Bytes per second, as nodes count an item.
    pub bytes: Option<u64>,
}

impl Default for Rates {
    fn default() -> Self {
        Rates {
            keys: Some(DEFAULT_KEYS),
            bytes: Some(DEFAULT_BYTES),
        }
    }
}

/// Two token buckets that the whole pool shares.
#[derive(Debug)]
pub struct Pace {
    buckets: Mutex<Buckets>,
}

#[derive(Debug)]
struct Buckets {
    rates: Rates,
    keys: f64,
    bytes: f64,
    filled: Instant,
}

impl Pace {
    /// Buckets that are empty.
    #[must_use]
    pub fn new(rates: Rates) -> Self {
        Pace {
            buckets: Mutex::new(Buckets {
                rates,
                keys: 0.0,
                bytes: 0.0,
                filled: Instant::now(),
            }),
        }
    }

    /// The rates in force.
    #[must_use]
    pub fn rates(&self) -> Rates {
        self.lock().rates
    }

    /// Changes the rates at once.
    pub fn set(&self, rates: Rates) {
        let mut buckets = self.lock();
        buckets.fill();
        buckets.rates = rates;
    }

    /// Waits until one more key of `bytes` bytes may be moved.
    pub async fn take(&self, bytes: u64) {
        loop {
            let wait = self.lock().try_take(bytes);
            match wait {
                None => return,
                Some(wait) => sleep(wait.min(NAP)).await,
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, Buckets> {
        self.buckets.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Buckets {
    fn fill(&mut self) {
        let passed = self.filled.elapsed().as_secs_f64();
        self.filled = Instant::now();
        let fill = |level: &mut f64, rate: Option<u64>| {
            let rate = rate.unwrap_or(0) as f64;
            *level = (*level + rate * passed).min((rate * BURST.as_secs_f64()).max(1.0));
        };
        fill(&mut self.keys, self.rates.keys);
        fill(&mut self.bytes, self.rates.bytes);
    }

    /// Takes, or says how long to wait. Bytes may be owed, or a value larger than a burst would never be moved.
    fn try_take(&mut self, bytes: u64) -> Option<Duration> {
        self.fill();
        let wait = |level: f64, need: f64, rate: Option<u64>| match rate {
            None => None,
            Some(0) => Some(NAP),
            Some(_) if level >= need => None,
            Some(rate) => Some(Duration::from_secs_f64(
                ((need - level) / rate as f64).clamp(0.001, NAP.as_secs_f64()),
            )),
        };
        let wait =
            wait(self.keys, 1.0, self.rates.keys).max(wait(self.bytes, 1.0, self.rates.bytes));
        if wait.is_none() {
            self.keys -= 1.0;
            self.bytes -= bytes as f64;
        }
        wait
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn taken_in(pace: &Pace, bytes: u64, time: Duration) -> u32 {
        let mut taken = 0;
        let end = Instant::now() + time;
        while tokio::time::timeout_at(end, pace.take(bytes)).await.is_ok() {
            taken += 1;
        }
        taken
    }

    fn keys(rate: u64) -> Rates {
        Rates {
            keys: Some(rate),
            bytes: None,
        }
    }

    #[tokio::test(start_paused = true)]
    async fn keys_go_at_the_rate_and_0_pauses() {
        let pace = Pace::new(keys(1000));
        let taken = taken_in(&pace, 1, Duration::from_secs(2)).await;
        assert!((1900..=2100).contains(&taken), "{taken}");
        pace.set(keys(0));
        taken_in(&pace, 1, Duration::from_millis(200)).await;
        assert_eq!(taken_in(&pace, 1, Duration::from_secs(9)).await, 0);
    }

    #[tokio::test(start_paused = true)]
    async fn bytes_go_at_the_rate_even_in_values_larger_than_a_burst() {
        let pace = Pace::new(Rates {
            keys: None,
            bytes: Some(1_000_000),
        });
        let taken = taken_in(&pace, 500_000, Duration::from_secs(10)).await;
        assert!((19..=22).contains(&taken), "{taken}");
    }
}
