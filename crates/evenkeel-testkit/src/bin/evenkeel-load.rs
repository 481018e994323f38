//! `evenkeel-load`: the load generator of the benchmarks, as a command. Prints one JSON object.

use std::net::SocketAddr;
use std::time::Duration;

use clap::Parser;
use evenkeel_testkit::load::{Keys, Pace, Plan, run};

/// Sends memcached requests and prints what came of them as JSON.
#[derive(Parser)]
struct Arguments {
    /// Where the cache is, on the loopback; may be given several times.
    #[arg(required = true)]
    addresses: Vec<SocketAddr>,
    #[arg(short, long, default_value_t = 50)]
    connections: usize,
    /// Requests under way per connection.
    #[arg(short, long, default_value_t = 1)]
    pipeline: usize,
    /// How many keys there are.
    #[arg(short, long, default_value_t = 1_000_000)]
    keys: u64,
    /// Skew of the keys, between 0 and 1; 0 is uniform.
    #[arg(long, default_value_t = 0.0)]
    zipf: f64,
    /// Write every key once, in order, instead of choosing.
    #[arg(long)]
    fill: bool,
    /// Bytes of a value.
    #[arg(short, long, default_value_t = 100)]
    size: usize,
    /// The largest value, if sizes vary.
    #[arg(long)]
    size_to: Option<usize>,
    /// Share of writes, 0 to 1.
    #[arg(short, long, default_value_t = 0.5)]
    writes: f64,
    /// After a miss, read the origin and set the key.
    #[arg(long)]
    cache_aside: bool,
    /// Requests per second, whatever the answers do; without it the next request waits for an answer.
    #[arg(short, long)]
    rate: Option<f64>,
    /// Requests in all.
    #[arg(short = 'n', long)]
    requests: Option<u64>,
    /// Seconds.
    #[arg(short, long, default_value_t = 10.0)]
    time: f64,
}

fn main() -> std::io::Result<()> {
    let arguments = Arguments::parse();
    assert!(
        arguments
            .addresses
            .iter()
            .all(|address| address.ip().is_loopback()),
        "evenkeel-load sends to the loopback only"
    );
    let report = run(&plan(&arguments))?;
    println!("{}", report.to_json());
    Ok(())
}

fn plan(arguments: &Arguments) -> Plan {
    let keys = match (arguments.fill, arguments.zipf) {
        (true, _) => Keys::InOrder,
        (false, 0.0) => Keys::Uniform,
        (false, theta) => Keys::Zipf(theta),
    };
    let all = if arguments.fill {
        arguments.keys
    } else {
        u64::MAX
    };
    Plan {
        addresses: arguments.addresses.clone(),
        connections: arguments.connections,
        pipeline: arguments.pipeline,
        keys,
        key_count: arguments.keys,
        value_size: arguments.size..=arguments.size_to.unwrap_or(arguments.size),
        writes: if arguments.fill {
            1.0
        } else {
            arguments.writes
        },
        cache_aside: arguments.cache_aside,
        pace: arguments.rate.map_or(Pace::Closed, Pace::Open),
        requests: arguments.requests.unwrap_or(all),
        time: Duration::from_secs_f64(arguments.time),
        ..Plan::default()
    }
}
