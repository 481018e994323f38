//! The load generator against a real memcached, which counts for itself.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::time::Duration;

use evenkeel_testkit::load::{Keys, Pace, Plan, Report, run};
use evenkeel_testkit::{Client, Server};

fn plan(server: &Server) -> Plan {
    Plan {
        addresses: vec![server.address().parse().unwrap()],
        connections: 4,
        pipeline: 8,
        key_count: 2_000,
        value_size: 10..=5_000,
        ..Plan::default()
    }
}

fn counter(client: &mut Client, name: &str) -> u64 {
    client.send("stats\r\n");
    let mut found = None;
    loop {
        let line = client.line();
        if let Some(value) = line.strip_prefix(&format!("STAT {name} ")) {
            found = value.trim().parse().ok();
        }
        if line == "END\r\n" {
            return found.unwrap();
        }
    }
}

fn sound(report: &Report) {
    assert_eq!(
        (report.wrong_values, report.total().errors),
        (0, 0),
        "{:?}",
        report.first_error
    );
}

#[test]
fn a_fill_writes_every_key_once_and_reads_then_hit() {
    let server = Server::memcached(&[]);
    let fill = run(&Plan {
        keys: Keys::InOrder,
        writes: 1.0,
        requests: 2_000,
        ..plan(&server)
    })
    .unwrap();
    sound(&fill);
    let mut client = server.connect();
    assert_eq!(counter(&mut client, "cmd_set"), 2_000);
    assert_eq!(counter(&mut client, "curr_items"), 2_000);
    let reads = run(&Plan {
        keys: Keys::Zipf(0.99),
        writes: 0.0,
        requests: 5_000,
        ..plan(&server)
    })
    .unwrap();
    sound(&reads);
    assert_eq!((reads.total().hits, reads.total().misses), (5_000, 0));
    assert_eq!(counter(&mut client, "get_hits"), 5_000);
}

#[test]
fn cache_aside_reads_the_origin_once_for_each_key_that_was_missing() {
    let server = Server::memcached(&[]);
    let report = run(&Plan {
        connections: 1,
        pipeline: 1,
        key_count: 300,
        writes: 0.0,
        cache_aside: true,
        pace: Pace::Open(4_000.0),
        time: Duration::from_secs(1),
        ..plan(&server)
    })
    .unwrap();
    sound(&report);
    let mut client = server.connect();
    assert_eq!(report.total().origin_reads, counter(&mut client, "cmd_set"));
    assert!((300..400).contains(&report.total().origin_reads));
    assert!(report.total().hits > 3_000);
}
