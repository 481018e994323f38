//! Late replies never answer another request.

use std::time::Duration;

use evenkeel_testkit::{Act, ScriptedNode};

use crate::pool::proxy;

const TIMEOUT: &str = "request_timeout = \"100ms\"";

/// A node that answers its first request after the proxy gave up, and another one properly on whatever connection.
fn late(first: &str, late: &str, then: &'static str, proper: &str) -> ScriptedNode {
    let both = vec![
        Act::Await("\r\n"),
        Act::Sleep(Duration::from_millis(300)),
        Act::Send(late.as_bytes().to_vec()),
        Act::Await(then),
        Act::Send(proper.as_bytes().to_vec()),
        Act::Listen,
    ];
    let mut first_script = both;
    if first.contains("\r\n") && first.matches("\r\n").count() > 1 {
        first_script.insert(1, Act::Await("\r\n"));
    }
    let next = vec![
        Act::Await(then),
        Act::Send(proper.as_bytes().to_vec()),
        Act::Listen,
    ];
    ScriptedNode::start(vec![first_script, next])
}

fn late_reply_is_not_given_to_the_next(
    first: &str,
    late_reply: &str,
    then: &'static str,
    proper: &str,
) {
    let node = late(first, late_reply, then, proper);
    let proxy = proxy(&[node.address()], TIMEOUT);
    let mut client = proxy.connect();
    client.send(first);
    let refusal = client.line();
    assert!(refusal.starts_with("SERVER_ERROR"), "{refusal:?}");
    client.send(then);
    let got = client.line();
    assert!(
        proper.starts_with(&got) || got.starts_with("SERVER_ERROR"),
        "the next request was answered {got:?}"
    );
}

/// php-memcached-dev/php-memcached#531, aisk/rust-memcache#53.
#[test]
fn a_late_value_is_not_given_to_the_next_get() {
    late_reply_is_not_given_to_the_next(
        "get a\r\n",
        "VALUE a 0 5\r\nAAAAA\r\nEND\r\n",
        "get b\r\n",
        "VALUE b 0 5\r\nBBBBB\r\nEND\r\n",
    );
}

/// linsomniac/python-memcached#166: replies without a key tell nothing of where they belong.
#[test]
fn a_late_number_is_not_given_to_the_next_incr() {
    late_reply_is_not_given_to_the_next("incr c 1\r\n", "7\r\n", "incr d 1\r\n", "501\r\n");
}

/// php-memcached-dev/php-memcached#366.
#[test]
fn a_late_stored_is_not_given_to_the_next_delete() {
    late_reply_is_not_given_to_the_next(
        "set e 0 0 1\r\n1\r\n",
        "STORED\r\n",
        "delete f\r\n",
        "NOT_FOUND\r\n",
    );
}

/// memcached/memcached#937: a value for a key that nobody asked for means that the connection is out of step.
#[test]
fn a_value_of_another_key_closes_the_node_connection_and_reaches_nobody() {
    let node = ScriptedNode::start(vec![
        vec![
            Act::Await("get a\r\n"),
            Act::Send(b"VALUE z 0 1\r\nz\r\nEND\r\n".to_vec()),
            Act::Listen,
        ],
        vec![
            // The proxy asks for the version before it trusts a node again.
            Act::Await("version\r\n"),
            Act::Send(b"VERSION 1.6.18\r\n".to_vec()),
            Act::Await("get b\r\n"),
            Act::Send(b"VALUE b 0 1\r\nb\r\nEND\r\n".to_vec()),
            Act::Listen,
        ],
    ]);
    let proxy = proxy(&[node.address()], TIMEOUT);
    let mut client = proxy.connect();
    client.send("get a\r\n");
    let refusal = client.line();
    assert!(refusal.starts_with("SERVER_ERROR"), "{refusal:?}");
    // The connection is made again; until then the answer may be an error, never a wrong value.
    for _ in 0..100 {
        client.send("get b\r\n");
        let got = client.line();
        if got == "VALUE b 0 1\r\n" {
            client.receive("b\r\nEND\r\n");
            return;
        }
        assert!(got.starts_with("SERVER_ERROR"), "{got:?}");
        std::thread::sleep(Duration::from_millis(50));
    }
    panic!("the node never came back; it heard {:?}", node.received());
}

/// Replies that no request of this kind can have, doubled replies, and a reset in the middle of a value.
#[test]
fn what_a_broken_node_sends_reaches_no_other_request() {
    let broken: [(&str, Vec<Act>); 4] = [
        (
            "malformed",
            vec![Act::Send(b"\x00\xff garbage\r\n".to_vec())],
        ),
        ("of another kind", vec![Act::Send(b"STORED\r\n".to_vec())]),
        (
            "cut by a reset",
            vec![
                Act::Send(b"VALUE a 0 10\r\n12345".to_vec()),
                Act::Sleep(Duration::from_millis(20)),
                Act::Reset,
            ],
        ),
        (
            "cut by an end",
            vec![Act::Send(b"VALUE a 0 10\r\n12345".to_vec())],
        ),
    ];
    for (what, acts) in broken {
        let mut script = vec![Act::Await("get a\r\n")];
        script.extend(acts);
        let node = ScriptedNode::start(vec![script]);
        let proxy = proxy(&[node.address()], TIMEOUT);
        let mut client = proxy.connect();
        client.send("get a\r\nversion\r\n");
        let answer = client.line();
        assert!(answer.starts_with("SERVER_ERROR"), "{what}: {answer:?}");
        let version = client.line();
        assert!(version.starts_with("VERSION "), "{what}: {version:?}");
    }
}
