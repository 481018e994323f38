//! Nodes that are late, dead, or come back.

use crate::world::World;
use evenkeel_proxy::{OnNodeDown, Settings};

const LATE: &str = "SERVER_ERROR node n0: it did not answer in time\r\n";

#[test]
fn a_late_reply_ends_its_connection() {
    // php-memcached-dev/php-memcached#531, linsomniac/python-memcached#166
    let mut world = World::new(1, Settings::default());
    let client = world.engine.open();
    world.ask(client, "set d 0 0 3\r\n500\r\n");
    world.hold(0);
    world.send(client, b"incr c 1\r\n");
    world.wait(999);
    assert_eq!(world.told(client), "");
    world.held[0] = None;
    world.wait(1);
    assert_eq!(world.told(client), LATE);
    assert_eq!(world.closed, [(0, true)]);
    assert_eq!(world.ask(client, "incr d 1\r\n"), "501\r\n");
}

#[test]
fn those_who_wait_behind_a_late_reply_wait_for_one_timeout() {
    let mut world = World::new(1, Settings::default());
    let client = world.engine.open();
    world.hold(0);
    world.send(client, b"get a\r\nget b\r\nget c\r\n");
    world.wait(1000);
    assert_eq!(world.told(client), LATE.repeat(3));
}

#[test]
fn a_node_that_hangs_is_passed_over_at_once_until_it_answers() {
    let mut world = World::new(2, Settings::default());
    let (hung, healthy) = (world.key_of(0), world.key_of(1));
    let client = world.engine.open();
    world.hold(0);
    world.send(client, format!("get {hung}\r\n").as_bytes());
    world.wait(1000);
    assert_eq!(world.told(client), LATE);
    // It accepts the next connection, as a stopped process does, and answers nothing.
    world.wait(1000);
    let told = world.ask(client, format!("get {hung}\r\nget {healthy}\r\n"));
    assert!(told.starts_with("SERVER_ERROR node n0: down"), "{told}");
    assert!(told.ends_with("END\r\n"));
    world.held[0] = None;
    world.wait(1000);
    world.wait(1000);
    assert_eq!(world.ask(client, format!("get {hung}\r\n")), "END\r\n");
}

#[test]
fn a_read_of_many_keys_says_that_a_part_is_missing() {
    // twitter/twemproxy#340, bradfitz/gomemcache#193
    let mut world = World::new(2, Settings::default());
    let (dead, alive) = (world.key_of(0), world.key_of(1));
    let client = world.engine.open();
    world.ask(client, format!("set {alive} 0 0 1\r\nx\r\n"));
    world.stop(0);
    let told = world.ask(client, format!("get {dead} {alive}\r\n"));
    assert!(
        told.starts_with(&format!("VALUE {alive} 0 1\r\nx\r\nSERVER_ERROR node n0: ")),
        "{told}"
    );
    assert_eq!(told.lines().count(), 3);
}

#[test]
fn reads_may_miss_while_their_node_is_down_and_writes_never() {
    let settings = Settings {
        on_node_down: OnNodeDown::Miss,
        ..Settings::default()
    };
    let mut world = World::new(1, settings);
    let client = world.engine.open();
    world.stop(0);
    assert_eq!(
        world.ask(client, "get a\r\nget a b\r\nmg a v\r\nmg a v q\r\nmn\r\n"),
        "END\r\nEND\r\nEN\r\nMN\r\n"
    );
    for write in [
        "set a 0 0 1\r\n1\r\n",
        "delete a\r\n",
        "touch a 0\r\n",
        "gat 0 a\r\n",
    ] {
        let told = world.ask(client, write);
        assert!(
            told.starts_with("SERVER_ERROR node n0: down"),
            "{write}: {told}"
        );
    }
}

#[test]
fn with_every_node_down_each_request_has_one_answer() {
    // twitter/twemproxy#563
    let mut world = World::new(2, Settings::default());
    let client = world.engine.open();
    world.stop(0);
    world.stop(1);
    let told = world.ask(
        client,
        "get k\r\nget a b c\r\nset k 0 0 1\r\n1\r\nincr k 1\r\nset k 0 0 1 noreply\r\n1\r\nversion\r\n",
    );
    let lines: Vec<&str> = told.lines().collect();
    assert_eq!(lines.len(), 5);
    assert!(
        lines[..4]
            .iter()
            .all(|line| line.starts_with("SERVER_ERROR node n"))
    );
    assert!(lines[4].starts_with("VERSION "));
    world.refusing = vec![false; 2];
    for _ in 0..10 {
        world.wait(200);
    }
    assert_eq!(world.ask(client, "get k\r\n"), "END\r\n");
}

#[test]
fn no_other_node_stands_in_for_one_that_is_away() {
    // twitter/twemproxy#604, facebook/mcrouter#202
    let mut world = World::new(2, Settings::default());
    let key = world.key_of(0);
    let client = world.engine.open();
    world.ask(client, format!("set {key} 0 0 2\r\nv1\r\n"));
    world.stop(0);
    assert!(
        world
            .ask(client, format!("set {key} 0 0 2\r\nv2\r\n"))
            .starts_with("SERVER_ERROR")
    );
    world.refusing[0] = false;
    for _ in 0..10 {
        world.wait(200);
    }
    assert_eq!(
        world.ask(client, format!("get {key}\r\n")),
        format!("VALUE {key} 0 2\r\nv1\r\nEND\r\n")
    );
}

#[test]
fn an_error_of_a_node_is_passed_on_and_keeps_the_connection() {
    let mut world = World::new(1, Settings::default());
    let client = world.engine.open();
    world.hold(0);
    world.send(client, b"set a 0 0 1\r\n1\r\nget a\r\n");
    let oom = "SERVER_ERROR out of memory storing object\r\n";
    world
        .engine
        .link_received(0, format!("{oom}END\r\n").as_bytes());
    assert_eq!(world.told(client), format!("{oom}END\r\n"));
    assert!(world.closed.is_empty());
}

/// A node may carry out what it has received from a connection that was cut, so a worker that had commands there
/// acknowledges no later record before the cut connection is known to be over.
#[test]
fn after_a_cut_connection_nothing_is_acknowledged_until_it_is_over() {
    let mut world = World::with_record(1, Settings::default());
    let client = world.engine.open();
    world.hold(0);
    world.send(client, b"set k 0 0 1\r\nv\r\n");
    let connection = world.engine.connection_of(0);
    world.engine.link_reset(0, "Connection reset by peer");
    world.held[0] = None;
    world.pump();
    assert!(world.told(client).starts_with("SERVER_ERROR"));
    world.next_record();
    assert_eq!(world.engine.acknowledges(), None);
    world.engine.connection_over(connection);
    world.note_over();
    assert_eq!(world.engine.acknowledges(), Some(2));
}
