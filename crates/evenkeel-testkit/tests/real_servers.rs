//! The kit itself against the real programs: a broken kit would make every other test say nothing.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::time::Duration;

use evenkeel_testkit::{Act, Client, ScriptedNode, Server};

#[test]
fn a_memcached_answers_forgets_at_a_restart_and_stops() {
    let mut server = Server::memcached(&[]);
    server.connect().expect(
        "set k 0 0 1\r\nv\r\nget k\r\n",
        "STORED\r\nVALUE k 0 1\r\nv\r\nEND\r\n",
    );
    server.kill();
    server.restart();
    server.connect().expect("get k\r\n", "END\r\n");
}

#[test]
fn a_stopped_server_answers_when_it_goes_on() {
    let server = Server::memcached(&[]);
    let mut client = server.connect();
    client.expect("get k\r\n", "END\r\n");
    server.process().signal("STOP");
    client.send("get k\r\n");
    client.receive_nothing(Duration::from_millis(50));
    server.process().signal("CONT");
    client.receive("END\r\n");
}

#[test]
fn a_nutcracker_forwards() {
    let node = Server::memcached(&[]);
    let address = node.address();
    let proxy = Server::nutcracker(move |port| {
        format!(
            "p:\n  listen: 127.0.0.1:{port}\n  hash: md5\n  distribution: ketama\n  servers:\n   - {address}:1\n"
        )
    });
    proxy.connect().expect("set k 0 0 1\r\nv\r\n", "STORED\r\n");
    node.connect()
        .expect("get k\r\n", "VALUE k 0 1\r\nv\r\nEND\r\n");
}

#[test]
fn a_scripted_node_keeps_to_its_script() {
    let node = ScriptedNode::start(vec![vec![
        Act::Await("\r\n"),
        Act::Trickle(b"END\r\n".to_vec()),
        Act::Finish,
        Act::Listen,
    ]]);
    let mut client = Client::connect(node.port());
    client.expect("get k\r\n", "END\r\n");
    assert_eq!(client.rest(), b"");
    assert_eq!(node.received(), ["get k\r\n"]);
}
