//! What came of a run.

use std::time::Duration;

use hdrhistogram::Histogram;
use serde_json::{Value, json};

/// Latencies are kept in microseconds up to this, with three digits.
const HIGHEST_MICROSECONDS: u64 = 60_000_000;

/// What happened in one second of a run.
#[derive(Clone, Debug)]
pub struct Second {
    pub requests: u64,
    pub hits: u64,
    pub misses: u64,
    pub origin_reads: u64,
    pub errors: u64,
    latency: Histogram<u64>,
}

impl Default for Second {
    fn default() -> Self {
        Self {
            requests: 0,
            hits: 0,
            misses: 0,
            origin_reads: 0,
            errors: 0,
            latency: Histogram::new_with_max(HIGHEST_MICROSECONDS, 3).expect("fixed bounds"),
        }
    }
}

impl Second {
    pub(super) fn record(&mut self, latency: Duration) {
        self.requests += 1;
        self.latency
            .saturating_record(latency.as_micros().try_into().unwrap_or(u64::MAX));
    }

    fn add(&mut self, other: &Self) {
        self.requests += other.requests;
        self.hits += other.hits;
        self.misses += other.misses;
        self.origin_reads += other.origin_reads;
        self.errors += other.errors;
        self.latency += &other.latency;
    }

    /// The latency in milliseconds that `quantile` of the requests did not exceed.
    pub fn milliseconds(&self, quantile: f64) -> f64 {
        self.latency.value_at_quantile(quantile) as f64 / 1e3
    }

    /// Hits over reads; 1 when nothing was read.
    pub fn hit_rate(&self) -> f64 {
        let reads = self.hits + self.misses;
        if reads == 0 {
            1.0
        } else {
            self.hits as f64 / reads as f64
        }
    }

    pub fn to_json(&self) -> Value {
        json!({
            "requests": self.requests,
            "hits": self.hits,
            "misses": self.misses,
            "origin_reads": self.origin_reads,
            "errors": self.errors,
            "p50_ms": self.milliseconds(0.5),
            "p99_ms": self.milliseconds(0.99),
            "p999_ms": self.milliseconds(0.999),
            "max_ms": self.milliseconds(1.0),
        })
    }
}

/// A whole run.
#[derive(Clone, Debug, Default)]
pub struct Report {
    pub seconds: Vec<Second>,
    /// Answers whose value belongs to another key. Any is a fault of the server or the proxy.
    pub wrong_values: u64,
    /// The first error line, as an example.
    pub first_error: Option<String>,
    pub time: Duration,
}

impl Report {
    pub(super) fn second(&mut self, at: Duration) -> &mut Second {
        let index = at.as_secs() as usize;
        if self.seconds.len() <= index {
            self.seconds.resize_with(index + 1, Second::default);
        }
        &mut self.seconds[index]
    }

    /// All seconds together.
    pub fn total(&self) -> Second {
        let mut total = Second::default();
        for second in &self.seconds {
            total.add(second);
        }
        total
    }

    pub fn to_json(&self) -> Value {
        json!({
            "total": self.total().to_json(),
            "seconds": self.seconds.iter().map(Second::to_json).collect::<Vec<_>>(),
            "requests_per_second": self.total().requests as f64 / self.time.as_secs_f64(),
            "wrong_values": self.wrong_values,
            "first_error": self.first_error,
        })
    }
}
