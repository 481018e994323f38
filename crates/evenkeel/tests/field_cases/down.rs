//! Nodes that are gone, hang, or come back.

use std::time::{Duration, Instant};

use crate::pool::{key_of_each, proxy, real};

const QUICK: &str = "request_timeout = \"200ms\"\nconnect_timeout = \"200ms\"";

/// twitter/twemproxy#563, #595: an empty set of live nodes is a normal state.
#[test]
fn with_every_node_down_each_request_gets_one_error_and_a_node_that_returns_serves() {
    let (mut servers, addresses) = real(2);
    let keys = key_of_each(&addresses);
    let proxy = proxy(&addresses, QUICK);
    let mut client = proxy.connect();
    for server in &mut servers {
        server.kill();
    }
    client.send("get k\r\nget a b c\r\nset k 0 0 1\r\n1\r\nincr k 1\r\nversion\r\n");
    let answers: Vec<String> = (0..5).map(|_| client.line()).collect();
    assert!(
        answers[..4]
            .iter()
            .all(|line| line.starts_with("SERVER_ERROR")),
        "{answers:?}"
    );
    assert!(answers[4].starts_with("VERSION"), "{answers:?}");
    servers[0].restart();
    let begun = Instant::now();
    let store = format!("set {} 0 0 1\r\n1\r\n", keys[0]);
    loop {
        client.send(&store);
        if client.line() == "STORED\r\n" {
            return;
        }
        assert!(
            begun.elapsed() < Duration::from_secs(5),
            "the node was not found again"
        );
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// twitter/twemproxy#340, bradfitz/gomemcache#193: what healthy nodes have is never lost in silence.
#[test]
fn a_multi_get_with_a_stalled_node_ends_in_an_error_within_one_timeout() {
    let (servers, addresses) = real(3);
    let keys = key_of_each(&addresses);
    let proxy = proxy(&addresses, QUICK);
    let mut client = proxy.connect();
    for key in &keys {
        client.expect(format!("set {key} 0 0 1\r\nv\r\n"), "STORED\r\n");
    }
    servers[1].process().signal("STOP");
    let begun = Instant::now();
    client.send(format!("get {}\r\nget {}\r\n", keys.join(" "), keys[0]));
    let mut lines = Vec::new();
    while !lines
        .last()
        .is_some_and(|line: &String| line == "END\r\n" || line.starts_with("SERVER_ERROR"))
    {
        lines.push(client.line());
    }
    assert!(
        lines.last().unwrap().starts_with("SERVER_ERROR"),
        "{lines:?}"
    );
    client.receive(format!("VALUE {} 0 1\r\nv\r\nEND\r\n", keys[0]));
    assert!(
        begun.elapsed() < Duration::from_millis(1_000),
        "{:?}",
        begun.elapsed()
    );
    servers[1].process().signal("CONT");
}

/// With `on_node_down = "miss"` reads miss and writes of every kind are errors.
#[test]
fn when_asked_to_miss_reads_miss_and_writes_fail() {
    let (mut servers, addresses) = real(2);
    let keys = key_of_each(&addresses);
    let proxy = proxy(&addresses, &format!("on_node_down = \"miss\"\n{QUICK}"));
    servers[0].kill();
    let mut client = proxy.connect();
    client.expect(format!("get {}\r\n", keys[0]), "END\r\n");
    for write in [
        format!("set {} 0 0 1\r\n1\r\n", keys[0]),
        format!("delete {}\r\n", keys[0]),
        format!("touch {} 5\r\n", keys[0]),
        format!("gat 5 {}\r\n", keys[0]),
    ] {
        client.send(&write);
        let answer = client.line();
        assert!(
            answer.starts_with("SERVER_ERROR"),
            "{write:?} was answered {answer:?}"
        );
    }
}

/// twitter/twemproxy#604, facebook/mcrouter#202: no stand-in, so nothing old comes back.
#[test]
fn a_node_that_was_away_brings_back_nothing_written_meanwhile() {
    let (servers, addresses) = real(2);
    let keys = key_of_each(&addresses);
    let proxy = proxy(&addresses, QUICK);
    let key = &keys[0];
    let mut client = proxy.connect();
    client.expect(format!("set {key} 0 0 2\r\nv1\r\n"), "STORED\r\n");
    servers[0].process().signal("STOP");
    client.send(format!("set {key} 0 0 2\r\nv2\r\n"));
    assert!(client.line().starts_with("SERVER_ERROR"));
    client.send(format!("get {key}\r\n"));
    assert!(client.line().starts_with("SERVER_ERROR"));
    assert_eq!(
        servers[1].connect().peek(key),
        "END\r\n",
        "nothing was written to a stand-in"
    );
    servers[0].process().signal("CONT");
}

trait Peek {
    fn peek(self, key: &str) -> String;
}

impl Peek for evenkeel_testkit::Client {
    fn peek(mut self, key: &str) -> String {
        self.send(format!("get {key}\r\n"));
        self.line()
    }
}
