//! Time, as the server counts it: whole seconds since shortly before it started.

use std::time::{Instant, SystemTime, UNIX_EPOCH};

/// Where the time comes from; another one for tests.
pub trait Clock: Send + Sync {
    /// Seconds since 1970. Must not go backwards.
    fn unix_seconds(&self) -> u64;
}

/// The system's time at the start, carried on by the monotonic clock, so that a step of the system's clock expires
/// nothing.
#[derive(Debug)]
pub struct SystemClock {
    started: Instant,
    /// How long before `started` 1970 was.
    since_1970: std::time::Duration,
}

impl Default for SystemClock {
    fn default() -> Self {
        let since_1970 = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default();
        Self {
            started: Instant::now(),
            since_1970,
        }
    }
}

impl Clock for SystemClock {
    fn unix_seconds(&self) -> u64 {
        (self.since_1970 + self.started.elapsed()).as_secs()
    }
}

/// Expiry values up to this many seconds are relative; above it they are dates.
const LONGEST_RELATIVE: i64 = 60 * 60 * 24 * 30;

/// Seconds of the server's life; 0 stands for "never" where an expiry is meant.
pub(super) type Seconds = u32;

/// A moment of the node's life.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moment {
    /// When the node's count of seconds began, in seconds since 1970.
    pub(super) started: u64,
    /// Now, counted from there.
    pub(super) now: Seconds,
}

impl Moment {
    /// The expiry that a client means. Negative is in the past; so is a date before the node's start.
    pub(super) fn expiry(self, exptime: i64) -> Seconds {
        // The server keeps 32 bits of what is written.
        let exptime = i64::from(exptime as i32);
        match exptime {
            0 => 0,
            relative if (1..=LONGEST_RELATIVE).contains(&relative) => {
                self.now + relative as Seconds
            }
            date => {
                let since_start = date - i64::try_from(self.started).unwrap_or(i64::MAX);
                Seconds::try_from(since_start.max(1)).unwrap_or(Seconds::MAX)
            }
        }
    }

    /// A moment of the node's life in seconds since 1970.
    pub(super) fn unix(self, moment: Seconds) -> u64 {
        self.started + u64::from(moment)
    }
}
