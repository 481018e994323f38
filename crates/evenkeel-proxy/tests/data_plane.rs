#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
//! The proxy's event loop in front of real memcached and of nodes that misbehave.

use evenkeel_core::{KeyRule, Node, Topology};
use evenkeel_proxy::worker::Listener;
use evenkeel_proxy::{Pool, Settings, Snapshot};
use evenkeel_testkit::{Act, Client, ScriptedNode, Server};
use std::collections::HashMap;
use std::time::Duration;

fn serve(addresses: &[String], settings: Settings) -> (Pool, u16) {
    let nodes = addresses
        .iter()
        .enumerate()
        .map(|(index, address)| Node::new(format!("n{index}"), address.parse().unwrap()))
        .collect();
    let topology = Topology::new(nodes, "slots".parse().unwrap(), KeyRule::default()).unwrap();
    let settings = Settings {
        workers: 1,
        ..settings
    };
    let listener = Listener::bind_tcp("127.0.0.1:0");
    let listener = listener.unwrap();
    let snapshot = Snapshot::new("test", topology, settings);
    let pool = Pool::start(snapshot, vec![listener], HashMap::new()).unwrap();
    let port = pool.listening()[0].rsplit(':').next().unwrap().parse();
    (pool, port.unwrap())
}

#[test]
fn what_is_set_through_the_proxy_is_read_through_it() {
    let servers: Vec<Server> = (0..4).map(|_| Server::memcached(&[])).collect();
    let addresses: Vec<String> = servers.iter().map(Server::address).collect();
    let (pool, port) = serve(&addresses, Settings::default());
    let mut client = Client::connect(port);
    for index in 0..200 {
        client.expect(
            format!("set key{index} 5 0 3\r\nabc\r\nget key{index}\r\n"),
            format!("STORED\r\nVALUE key{index} 5 3\r\nabc\r\nEND\r\n"),
        );
    }
    let counts: Vec<String> = servers
        .iter()
        .map(|server| {
            let mut node = server.connect();
            node.send("stats\r\n");
            std::iter::from_fn(|| Some(node.line()).filter(|line| !line.starts_with("END")))
                .find(|line| line.starts_with("STAT curr_items"))
                .unwrap()
        })
        .collect();
    assert!(
        counts.iter().all(|count| !count.ends_with(" 0\r\n")),
        "{counts:?}"
    );
    pool.drain();
    client.receive_nothing(Duration::from_millis(50));
    pool.join().unwrap();
}

#[test]
fn a_late_reply_is_not_given_to_the_next_request() {
    // php-memcached-dev/php-memcached#531, linsomniac/python-memcached#166
    let node = ScriptedNode::start(vec![
        vec![
            Act::Await("get a\r\n"),
            Act::Sleep(Duration::from_millis(300)),
            Act::Send(b"VALUE a 0 5\r\nAAAAA\r\nEND\r\n".to_vec()),
            Act::Listen,
        ],
        vec![
            Act::Await("version\r\n"),
            Act::Send(b"VERSION 1.6.18\r\n".to_vec()),
            Act::Await("get b\r\n"),
            Act::Send(b"VALUE b 0 5\r\nBBBBB\r\nEND\r\n".to_vec()),
            Act::Listen,
        ],
    ]);
    let settings = Settings {
        request_timeout: Duration::from_millis(100),
        ..Settings::default()
    };
    let (_pool, port) = serve(&[node.address()], settings);
    let mut client = Client::connect(port);
    client.expect(
        "get a\r\n",
        "SERVER_ERROR node n0: it did not answer in time\r\n",
    );
    std::thread::sleep(Duration::from_millis(30));
    client.expect("get b\r\n", "VALUE b 0 5\r\nBBBBB\r\nEND\r\n");
}
