//! What clients see of the protocol.

use crate::world::World;
use evenkeel_proxy::Settings;
use evenkeel_proxy::embedded::{EmbeddedNode, EmbeddedSession};
use std::sync::Arc;

/// What one node alone answers.
fn alone(bytes: &[u8]) -> String {
    let mut session = EmbeddedSession::new(Arc::new(EmbeddedNode::new(64 << 20)));
    let mut out = Vec::new();
    session.receive(bytes, &mut out);
    String::from_utf8_lossy(&out).into_owned()
}

const STREAMS: [&[u8]; 8] = [
    b"set foo 7 0 3\r\nbar\r\ngat 0 foo\r\ntouch foo -1\r\nget foo\r\n",
    b"set a\tb 0 0 1\r\n2\r\nget a\tb\r\nset caf\xc3\xa9 0 0 1\r\n2\r\nget caf\xc3\xa9\r\nget \r\nget\r\n",
    b"set mykey 0 0 4\r\nkostas\r\nget mykey\r\nset lf 0 0 1\n1\r\nget lf\n",
    b"ms Zm9v 3 b\r\nbar\r\nget foo\r\nmg Zm9v b v k\r\nmg foo s t f k O123\r\nmd foo q\r\nmn\r\n",
    b"foo bar\r\nget x\r\nset foo 0 0 1\r\na\r\nincr foo 1\r\nincr foo 0.2\r\ntouch foo 0.2\r\ndelete foo 1\r\n",
    b"set e 0 0 5\r\nEND\r\n\r\nget e\r\nset z 0 0 0\r\n\r\nget z\r\nset v 0 0 14\r\nVALUE x 0 1\r\n1\r\nget v\r\n",
    b"set cnt 0 0 2\r\n10\r\ndecr cnt 1\r\nget cnt\r\nincr cnt 1\r\nappend cnt 0 0 1\r\n0\r\nget cnt\r\n",
    b"add n 1 0 1\r\na\r\nadd n 1 0 1\r\nb\r\nreplace n 2 0 1\r\nc\r\nprepend n 0 0 2\r\nxy\r\nget n\r\nmg miss v\r\nma n\r\n",
];

#[test]
fn a_cluster_answers_as_one_node_does() {
    for stream in STREAMS {
        let mut world = World::new(3, Settings::default());
        let client = world.engine.open();
        assert_eq!(world.ask(client, stream), alone(stream));
    }
}

#[test]
fn it_does_not_matter_how_requests_are_cut() {
    // twitter/twemproxy#19, memcached/memcached#997
    for stream in STREAMS {
        let whole = alone(stream);
        for cut in 0..stream.len() {
            let mut world = World::new(3, Settings::default());
            let client = world.engine.open();
            let (front, back) = stream.split_at(cut);
            let told = world.ask(client, front) + &world.ask(client, back);
            assert_eq!(told, whole, "cut at {cut}");
        }
        let mut world = World::new(3, Settings::default());
        let client = world.engine.open();
        let told: String = stream
            .iter()
            .map(|byte| world.ask(client, [*byte]))
            .collect();
        assert_eq!(told, whole);
    }
}

#[test]
fn it_does_not_matter_how_replies_are_cut() {
    let reply = b"VALUE a 5 9\r\nEND\r\nxyz\r\r\nVALUE b 0 0\r\n\r\nEND\r\nSTORED\r\nVALUE c 0 1\r\nx\r\nEND\r\n";
    for cut in 0..reply.len() {
        let mut world = World::new(1, Settings::default());
        world.hold(0);
        let client = world.engine.open();
        world.send(client, b"get a b\r\nset k 0 0 1\r\n1\r\nget c\r\n");
        let (front, back) = reply.split_at(cut);
        world.engine.link_received(0, front);
        world.engine.link_received(0, back);
        assert_eq!(world.told(client).as_bytes(), reply, "cut at {cut}");
    }
}

#[test]
fn values_of_every_size_pass() {
    let mut world = World::new(2, Settings::default());
    let client = world.engine.open();
    for size in (0..300).chain([16306, 16307, 32642, 32643, 65314, 65315, 1_000_000]) {
        let value = "v".repeat(size);
        assert_eq!(
            world.ask(
                client,
                format!("set key{size} 0 0 {size}\r\n{value}\r\nget key{size}\r\n")
            ),
            format!("STORED\r\nVALUE key{size} 0 {size}\r\n{value}\r\nEND\r\n")
        );
    }
}

#[test]
fn a_read_of_many_keys_is_merged_with_one_end() {
    let mut world = World::new(3, Settings::default());
    let client = world.engine.open();
    let keys: Vec<String> = (0..100).map(|number| format!("k{number}")).collect();
    for key in &keys {
        world.ask(client, format!("set {key} 3 0 1\r\nx\r\n"));
    }
    for read in ["get", "gat 60"] {
        let told = world.ask(client, format!("{read} {}\r\n", keys.join(" ")));
        assert!(told.ends_with("END\r\n"));
        assert_eq!(told.matches("END\r\n").count(), 1);
        for key in &keys {
            assert!(told.contains(&format!("VALUE {key} 3 1\r\nx\r\n")));
        }
    }
}

#[test]
fn cas_tokens_carry_their_node_and_work_for_it_alone() {
    let mut world = World::new(2, Settings::default());
    let (key, other) = (world.key_of(0), world.key_of(1));
    let client = world.engine.open();
    world.ask(
        client,
        format!("set {key} 0 0 1\r\na\r\nset {other} 0 0 1\r\nb\r\n"),
    );
    let told = world.ask(client, format!("gets {key}\r\n"));
    let token: u64 = told
        .split_ascii_whitespace()
        .nth(4)
        .unwrap()
        .parse()
        .unwrap();
    assert_eq!(token >> 48, 1);
    let meta = world.ask(client, format!("mg {key} c\r\n"));
    assert_eq!(meta, format!("HD c{token}\r\n"));
    assert_eq!(
        world.ask(
            client,
            format!("cas {other} 0 0 1 {token}\r\nx\r\nms {other} 1 C{token} k\r\nx\r\n")
        ),
        format!("EXISTS\r\nEX k{other}\r\n")
    );
    assert_eq!(
        world.ask(
            client,
            format!("cas {key} 0 0 1 {token}\r\nx\r\ncas {key} 0 0 1 {token}\r\ny\r\n")
        ),
        "STORED\r\nEXISTS\r\n"
    );
}

#[test]
fn a_value_above_the_limit_is_refused_and_the_old_one_is_gone() {
    // spotify/folsom#34, memcached/memcached#831
    let settings = Settings {
        max_value: 1000,
        ..Settings::default()
    };
    let mut world = World::new(2, settings);
    let client = world.engine.open();
    let big = "x".repeat(1001);
    assert_eq!(
        world.ask(
            client,
            format!("set big 0 0 3\r\nold\r\nset big 0 0 1001\r\n{big}\r\nget big\r\n")
        ),
        "STORED\r\nSERVER_ERROR object too large for cache\r\nEND\r\n"
    );
    assert_eq!(
        world.ask(
            client,
            format!("set big 0 0 3\r\nold\r\nset big 0 0 1001 noreply\r\n{big}\r\nget big\r\n")
        ),
        "STORED\r\nEND\r\n"
    );
}

#[test]
fn flush_all_needs_to_be_allowed_and_then_empties_every_node() {
    let mut world = World::new(2, Settings::default());
    let client = world.engine.open();
    assert_eq!(
        world.ask(client, "flush_all\r\n"),
        "SERVER_ERROR flush_all would empty all 2 nodes of the pool; set allow_flush = true to allow it\r\n"
    );
    let settings = Settings {
        allow_flush: true,
        ..Settings::default()
    };
    let mut world = World::new(2, settings);
    let client = world.engine.open();
    let (here, there) = (world.key_of(0), world.key_of(1));
    let set = format!("set {here} 0 0 1\r\n1\r\nset {there} 0 0 1\r\n1\r\n");
    world.ask(client, set);
    assert_eq!(
        world.ask(client, format!("flush_all\r\nget {here} {there}\r\n")),
        "OK\r\nEND\r\n"
    );
}

#[test]
fn the_binary_protocol_is_told_so_and_closed() {
    let mut world = World::new(1, Settings::default());
    let client = world.engine.open();
    let told = world.ask(
        client,
        b"\x80\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0",
    );
    assert!(told.contains("binary protocol is not supported"));
    assert!(world.engine.is_over(client));
}

#[test]
fn a_client_is_not_read_beyond_its_bound_and_nothing_is_lost() {
    let settings = Settings {
        max_in_flight: 4,
        ..Settings::default()
    };
    let mut world = World::new(1, settings);
    let client = world.engine.open();
    world.hold(0);
    world.send(client, "get a\r\n".repeat(10).as_bytes());
    assert!(!world.engine.reads(client));
    assert_eq!(world.engine.in_flight(), 4);
    world.release(0);
    assert_eq!(world.told(client), "END\r\n".repeat(10));
    assert!(world.engine.reads(client));
}
