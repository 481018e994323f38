//! Expiry and delayed flushes, with a clock that is set by hand. The moments are those of the real server: an item
//! with a time to live of 10 is there 9 seconds later and gone after 10.

use evenkeel_proxy::embedded::{Clock, EmbeddedNode, EmbeddedSession};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

const START: u64 = 1_700_000_000;

#[derive(Clone)]
struct Hand(Arc<AtomicU64>);

impl Clock for Hand {
    fn unix_seconds(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

struct Bench {
    hand: Hand,
    session: EmbeddedSession,
}

impl Bench {
    fn new() -> Self {
        let hand = Hand(Arc::new(AtomicU64::new(START)));
        let node = EmbeddedNode::with_clock(1 << 20, Box::new(hand.clone()));
        Self {
            hand,
            session: EmbeddedSession::new(Arc::new(node)),
        }
    }

    fn at(&mut self, seconds: u64, bytes: &str) -> String {
        self.hand.0.store(START + seconds, Ordering::Relaxed);
        let mut out = Vec::new();
        self.session.receive(bytes.as_bytes(), &mut out);
        String::from_utf8(out).unwrap()
    }
}

#[test]
fn an_item_lives_as_long_as_it_was_told() {
    let mut bench = Bench::new();
    bench.at(0, "set k 0 10 1\r\nx\r\n");
    assert_eq!(bench.at(9, "mg k t\r\n"), "HD t1\r\n");
    assert_eq!(bench.at(10, "mg k t\r\n"), "EN\r\n");
}

#[test]
fn thirty_days_are_relative_and_more_is_a_date() {
    let mut bench = Bench::new();
    assert_eq!(
        bench.at(0, "ms a 1 T2592000\r\nx\r\nmg a t\r\n"),
        "HD\r\nHD t2592000\r\n"
    );
    assert_eq!(
        bench.at(0, "ms a 1 T2592001\r\nx\r\nmg a t\r\n"),
        "HD\r\nEN\r\n"
    );
    let date = START + 60;
    assert_eq!(
        bench.at(0, &format!("ms a 1 T{date}\r\nx\r\nmg a t\r\n")),
        "HD\r\nHD t60\r\n"
    );
}

#[test]
fn a_lease_runs_out() {
    let mut bench = Bench::new();
    assert!(bench.at(0, "mg k v c N5\r\n").ends_with(" W\r\n\r\n"));
    assert!(bench.at(4, "mg k v c N5\r\n").ends_with(" Z\r\n\r\n"));
    assert!(
        bench.at(5, "mg k v c N5\r\n").ends_with(" W\r\n\r\n"),
        "another may try"
    );
}

#[test]
fn a_delayed_flush_takes_what_is_there_when_it_comes() {
    let mut bench = Bench::new();
    bench.at(0, "set old 0 0 1\r\nx\r\nflush_all 10\r\n");
    assert!(bench.at(5, "get old\r\n").starts_with("VALUE"));
    bench.at(6, "set newer 0 0 1\r\nx\r\n");
    assert_eq!(bench.at(10, "get old newer\r\n"), "END\r\n");
    bench.at(11, "set after 0 0 1\r\nx\r\n");
    assert!(bench.at(12, "get after\r\n").starts_with("VALUE"));
}

#[test]
fn recaching_is_offered_to_one_reader_before_the_end() {
    let mut bench = Bench::new();
    bench.at(0, "set k 0 100 1\r\nx\r\n");
    assert_eq!(bench.at(50, "mg k R30\r\n"), "HD\r\n");
    assert_eq!(bench.at(80, "mg k R30\r\n"), "HD W\r\n");
    assert_eq!(bench.at(80, "mg k R30\r\n"), "HD Z\r\n");
}

#[test]
fn counting_can_set_the_time_to_live() {
    let mut bench = Bench::new();
    bench.at(0, "set n 0 0 1\r\n9\r\n");
    assert_eq!(
        bench.at(0, "ma n T60 v t\r\nmg n v t\r\n"),
        "VA 2 t60\r\n10\r\nVA 2 t60\r\n10\r\n"
    );
}
