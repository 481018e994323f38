//! A memcached load generator: closed or open loop, many connections, pipelines, skewed keys, latencies as a histogram,
//! and an application's cache-aside against a counted origin. One thread, so that it leaves the other core alone.

mod choose;
mod connection;
mod plan;
mod report;
mod run;
mod value;

pub use plan::{Keys, Pace, Plan};
pub use report::{Report, Second};
pub use run::run;
