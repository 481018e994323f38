//! One cell of the table: both proxies in turn, round by round.

use std::time::Duration;

use evenkeel_testkit::load::{Plan, run};
use serde_json::{Value, json};

use crate::cluster::{Cluster, KEY_COUNT, Target, VALUE_BYTES};
use crate::cpu;
use crate::layout::Layout;

/// Clients of the load.
const CLIENTS: usize = 50;
/// Requests of one turn at pipeline 1; deeper pipelines send more, for they take less time each.
const REQUESTS: u64 = 60_000;

/// What one proxy cost in one turn.
#[derive(Clone, Copy, Default)]
struct Turn {
    microseconds: f64,
    per_second: f64,
}

/// One cell: layout and pipeline, with a turn of each proxy per round.
pub struct Row {
    layout: Layout,
    pipeline: usize,
    nutcracker: Vec<Turn>,
    evenkeel: Vec<Turn>,
}

pub fn measure(cluster: &Cluster, pipeline: usize, rounds: usize) -> Row {
    let mut row = Row {
        layout: cluster.layout,
        pipeline,
        nutcracker: Vec::new(),
        evenkeel: Vec::new(),
    };
    // The first turn of each warms its connections and buffers and is not counted.
    turn(&cluster.nutcracker, pipeline);
    turn(&cluster.evenkeel, pipeline);
    for _ in 0..rounds {
        row.nutcracker.push(turn(&cluster.nutcracker, pipeline));
        row.evenkeel.push(turn(&cluster.evenkeel, pipeline));
    }
    row
}

fn turn(target: &Target, pipeline: usize) -> Turn {
    let requests = REQUESTS * if pipeline > 1 { 5 } else { 1 };
    let pid = target.process.pid();
    let before = cpu::nanoseconds(pid);
    let report = run(&Plan {
        addresses: vec![([127, 0, 0, 1], target.port).into()],
        connections: CLIENTS,
        pipeline,
        key_count: KEY_COUNT,
        value_size: VALUE_BYTES..=VALUE_BYTES,
        requests,
        time: Duration::from_secs(120),
        ..Plan::default()
    })
    .expect("the proxy answers");
    let total = report.total();
    assert_eq!(
        (total.errors, report.wrong_values),
        (0, 0),
        "{:?}",
        report.first_error
    );
    assert_eq!(total.misses, 0, "every key was written before");
    let spent = cpu::nanoseconds(pid) - before;
    Turn {
        microseconds: spent as f64 / 1e3 / total.requests as f64,
        per_second: total.requests as f64 / report.time.as_secs_f64(),
    }
}

fn mean(turns: &[Turn], of: impl Fn(&Turn) -> f64) -> f64 {
    turns.iter().map(of).sum::<f64>() / turns.len() as f64
}

impl Row {
    pub fn figure(&self) -> String {
        format!("memcached_cpu_p{}{}", self.pipeline, self.layout.suffix())
    }

    /// Our CPU time over nutcracker's: the ratio of the means.
    pub fn ratio(&self) -> f64 {
        mean(&self.evenkeel, |turn| turn.microseconds)
            / mean(&self.nutcracker, |turn| turn.microseconds)
    }

    pub fn to_json(&self) -> Value {
        let list = |turns: &[Turn]| {
            turns
                .iter()
                .map(|turn| turn.microseconds)
                .collect::<Vec<_>>()
        };
        json!({
            "layout": self.layout.name(),
            "pipeline": self.pipeline,
            "nutcracker_us": list(&self.nutcracker),
            "evenkeel_us": list(&self.evenkeel),
            "nutcracker_rps": mean(&self.nutcracker, |turn| turn.per_second),
            "evenkeel_rps": mean(&self.evenkeel, |turn| turn.per_second),
            "ratio": self.ratio(),
        })
    }

    pub fn to_line(&self) -> String {
        format!(
            "{:<10} {:>8}  {:>10.2} {:>10.2} {:>7.2}  {:>11.0} {:>11.0}",
            self.layout.name(),
            self.pipeline,
            mean(&self.nutcracker, |turn| turn.microseconds),
            mean(&self.evenkeel, |turn| turn.microseconds),
            self.ratio(),
            mean(&self.nutcracker, |turn| turn.per_second),
            mean(&self.evenkeel, |turn| turn.per_second),
        )
    }
}
