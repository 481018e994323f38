//! What to send.

use std::net::SocketAddr;
use std::ops::RangeInclusive;
use std::time::Duration;

/// How keys are chosen out of `0..count`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Keys {
    /// Each with the same probability.
    Uniform,
    /// Rank r with a probability proportional to r^-theta, 0 < theta < 1; the ranks are spread over the key space.
    Zipf(f64),
    /// One after another, each once: for filling a cache.
    InOrder,
}

/// When the next request goes out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Pace {
    /// As soon as an earlier one of the same connection is answered.
    Closed,
    /// At this many requests per second whatever the answers do; latency counts from the moment that was due.
    Open(f64),
}

/// One run of the load generator.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Where the cache is: connections are spread over these addresses in turn.
    pub addresses: Vec<SocketAddr>,
    pub connections: usize,
    /// Requests that a connection has under way at once.
    pub pipeline: usize,
    pub keys: Keys,
    /// How many keys there are.
    pub key_count: u64,
    /// Keys are this and a number.
    pub key_prefix: String,
    /// Bytes of a value; its size depends on its key alone.
    pub value_size: RangeInclusive<usize>,
    /// Share of requests that write, 0 to 1; the others read.
    pub writes: f64,
    /// After a miss, read the origin (that is, count it) and set the key, as an application does.
    pub cache_aside: bool,
    pub pace: Pace,
    /// The run ends after so many requests ...
    pub requests: u64,
    /// ... or so long, whichever is first.
    pub time: Duration,
    /// How long one answer may take before the run is given up.
    pub patience: Duration,
    pub seed: u64,
}

impl Default for Plan {
    fn default() -> Self {
        Self {
            addresses: Vec::new(),
            connections: 50,
            pipeline: 1,
            keys: Keys::Uniform,
            key_count: 1_000_000,
            key_prefix: "key:".to_owned(),
            value_size: 100..=100,
            writes: 0.5,
            cache_aside: false,
            pace: Pace::Closed,
            requests: u64::MAX,
            time: Duration::from_secs(10),
            patience: Duration::from_secs(10),
            seed: 1,
        }
    }
}
