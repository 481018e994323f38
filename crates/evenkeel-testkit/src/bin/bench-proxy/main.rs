//! `bench/run proxy`: CPU time per request of `evenkeel proxy` and of nutcracker in front of the same four memcached.
//!
//! CPU time per request is what a proxy costs; requests per second on a shared two-core machine say more about the
//! neighbours. Everything on one core repeats best; the split layout leaves one core to the proxy alone.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod cluster;
mod cpu;
mod idle;
mod layout;
mod measure;

use serde_json::{Value, json};

use cluster::Cluster;
use layout::Layout;
use measure::{Row, measure};

/// Pipeline depths that are measured.
const PIPELINES: [usize; 2] = [1, 16];
/// Rounds of each cell; in each round the two proxies take turns.
const ROUNDS: usize = 7;
const QUICK_ROUNDS: usize = 3;
/// Idle clients of the memory figure.
const IDLE_CLIENTS: usize = 10_000;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let evenkeel = arguments.next().expect("the path of the evenkeel binary");
    let evenkeel = std::fs::canonicalize(evenkeel).expect("the evenkeel binary is built");
    let flags: Vec<String> = arguments.collect();
    let has = |flag: &str| flags.iter().any(|given| given == flag);
    let rounds = if has("--quick") { QUICK_ROUNDS } else { ROUNDS };

    let mut rows = Vec::new();
    let mut keys = Vec::new();
    for layout in [Layout::OneCore, Layout::Split] {
        let cluster = Cluster::start(&evenkeel.to_string_lossy(), layout);
        cluster.fill();
        keys = cluster.keys_per_node();
        for pipeline in PIPELINES {
            rows.push(measure(&cluster, pipeline, rounds));
        }
    }
    let idle = idle::bytes_per_client(&evenkeel.to_string_lossy(), IDLE_CLIENTS);
    if has("--json") {
        println!("{}", to_json(&rows, &keys, idle));
    } else {
        print_table(&rows, &keys, idle);
    }
}

fn to_json(rows: &[Row], keys: &[u64], idle: f64) -> Value {
    let mut figures = serde_json::Map::new();
    for row in rows {
        figures.insert(row.figure(), json!(row.ratio()));
    }
    figures.insert("idle_client_bytes".to_owned(), json!(idle));
    for (index, count) in keys.iter().enumerate() {
        figures.insert(format!("keys_node_{}", index + 1), json!(count));
    }
    json!({
        "schema": 1,
        "name": "proxy",
        "figures": figures,
        "rows": rows.iter().map(Row::to_json).collect::<Vec<_>>(),
    })
}

fn print_table(rows: &[Row], keys: &[u64], idle: f64) {
    println!(
        "CPU time of the proxy per request, microseconds (mean of the rounds), and requests per second\n"
    );
    println!(
        "{:<10} {:>8}  {:>10} {:>10} {:>7}  {:>11} {:>11}",
        "layout", "pipeline", "nutcracker", "evenkeel", "ratio", "nutcracker", "evenkeel"
    );
    for row in rows {
        println!("{}", row.to_line());
    }
    println!("\nkeys on the four nodes: {keys:?}");
    println!("resident memory per idle client ({IDLE_CLIENTS} of them): {idle:.0} bytes");
}
