//! Errors pass word for word, quiet commands stay quiet, and replies keep their order.

use std::time::Duration;

use evenkeel_testkit::{Act, ScriptedNode};

use crate::pool::{key_of_each, proxy, real};

/// pinterest/pymemcache#239, memcached/memcached#1312.
#[test]
fn a_noreply_command_that_fails_shifts_nothing() {
    let (_servers, addresses) = real(2);
    let proxy = proxy(&addresses, "");
    let mut client = proxy.connect();
    client.expect(
        "set K 0 60 3\r\nabc\r\ndelete K noreply\r\nget K\r\n",
        "STORED\r\nEND\r\n",
    );
    client.expect(
        "set K 0 60 3\r\nabc\r\nincr K 1 noreply\r\nget K\r\n",
        "STORED\r\nVALUE K 0 3\r\nabc\r\nEND\r\n",
    );
    let big = "b".repeat(1_048_577);
    client.expect(
        format!("set big 0 0 1048577 noreply\r\n{big}\r\nget x\r\n"),
        "END\r\n",
    );
}

/// memcached/memcached#868: the data block of a refused noreply command is no command.
#[test]
fn the_data_of_a_refused_noreply_command_is_swallowed() {
    let (_servers, addresses) = real(1);
    let proxy = proxy(&addresses, "");
    proxy
        .connect()
        .expect("set foo 0 1.5 3 noreply\r\nbar\r\nget foo\r\n", "END\r\n");
}

/// RevenueCat/meta-memcache-py#13: MN comes after all that was asked before, from every node.
#[test]
fn a_meta_no_op_follows_everything_earlier() {
    let (_servers, addresses) = real(2);
    let keys = key_of_each(&addresses);
    let proxy = proxy(&addresses, "");
    let request = format!(
        "ms {} 1 q\r\nx\r\nmg {} v q\r\nmg {} v q\r\nmn\r\n",
        keys[0], keys[0], keys[1]
    );
    proxy.connect().expect(request, "VA 1\r\nx\r\nMN\r\n");
}

/// facebook/mcrouter#222, symfony/symfony#23970: expiry passes as text.
#[test]
fn gat_touch_and_expiry_values_pass_unchanged() {
    let (_servers, addresses) = real(3);
    let keys = key_of_each(&addresses);
    let proxy = proxy(&addresses, "");
    let mut client = proxy.connect();
    client.expect(
        "set foo 7 0 3\r\nbar\r\ngat 0 foo\r\n",
        "STORED\r\nVALUE foo 7 3\r\nbar\r\nEND\r\n",
    );
    client.send("gats 0 foo\r\n");
    assert!(client.line().starts_with("VALUE foo 7 3 "));
    client.receive("bar\r\nEND\r\n");
    for key in &keys {
        client.expect(format!("set {key} 0 0 1\r\nv\r\n"), "STORED\r\n");
    }
    client.send(format!("gat 60 {}\r\n", keys.join(" ")));
    let lines: Vec<String> = (0..7).map(|_| client.line()).collect();
    assert_eq!(
        lines
            .iter()
            .filter(|line| line.starts_with("VALUE key-"))
            .count(),
        3,
        "{lines:?}"
    );
    assert_eq!(lines[6], "END\r\n");
    client.expect("touch foo -1\r\nget foo\r\n", "TOUCHED\r\nEND\r\n");
    let far = std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .unwrap()
        .as_secs()
        + 40 * 86_400;
    for (expiry, lives) in [
        ("2592000".to_owned(), true),
        ("2592001".to_owned(), false),
        (far.to_string(), true),
        ("-1".to_owned(), false),
        ("0".to_owned(), true),
    ] {
        client.expect(format!("set e 0 {expiry} 1\r\nv\r\n"), "STORED\r\n");
        client.expect(
            "get e\r\n",
            if lives {
                "VALUE e 0 1\r\nv\r\nEND\r\n"
            } else {
                "END\r\n"
            },
        );
    }
}

/// twitter/twemproxy#138, facebook/mcrouter#186, grafana/gomemcache#36.
#[test]
fn error_lines_pass_and_the_connection_stays() {
    let (_servers, addresses) = real(1);
    let proxy = proxy(&addresses, "");
    let mut client = proxy.connect();
    client.expect("foo bar\r\nget x\r\n", "ERROR\r\nEND\r\n");
    client.expect("set foo 0 0 1\r\na\r\n", "STORED\r\n");
    client.expect(
        "incr foo 1\r\n",
        "CLIENT_ERROR cannot increment or decrement non-numeric value\r\n",
    );
    client.expect(
        "incr foo 0.2\r\n",
        "CLIENT_ERROR invalid numeric delta argument\r\n",
    );
    client.expect(
        "touch foo 0.2\r\n",
        "CLIENT_ERROR invalid exptime argument\r\n",
    );
    client.expect(
        "delete foo 1\r\n",
        "CLIENT_ERROR bad command line format.  Usage: delete <key> [noreply]\r\n",
    );
    let long = "k".repeat(251);
    client.send(format!("get {long}\r\n"));
    assert!(client.line().starts_with("CLIENT_ERROR"));
    client.expect("get x\r\n", "END\r\n");
}

/// douban/libmc#11: an error of the node is relayed, and the node keeps its connection.
#[test]
fn a_server_error_is_relayed_word_for_word() {
    let node = ScriptedNode::start(vec![vec![
        Act::Await("\r\nv\r\n"),
        Act::Send(b"SERVER_ERROR out of memory storing object\r\n".to_vec()),
        Act::Await("get k\r\n"),
        Act::Send(b"END\r\n".to_vec()),
        Act::Listen,
    ]]);
    let proxy = proxy(&[node.address()], "");
    let mut client = proxy.connect();
    client.expect(
        "set k 0 0 1\r\nv\r\n",
        "SERVER_ERROR out of memory storing object\r\n",
    );
    client.expect("get k\r\n", "END\r\n");
    assert_eq!(node.received().len(), 1);
}

/// memcached/memcached#1011, envoyproxy/envoy#23517.
#[test]
fn replies_and_effects_keep_the_order_of_a_connection() {
    let (_servers, addresses) = real(3);
    let proxy = proxy(&addresses, "");
    let mut client = proxy.connect();
    client.expect(
        "set a 0 0 1\r\n1\r\nget a\r\nset a 0 0 1\r\n2\r\nget a\r\ndelete a\r\nget a\r\n",
        "STORED\r\nVALUE a 0 1\r\n1\r\nEND\r\nSTORED\r\nVALUE a 0 1\r\n2\r\nEND\r\nDELETED\r\nEND\r\n",
    );
    let (mut request, mut reply) = (String::new(), String::new());
    for number in 0..1_000 {
        request += &format!("set o{number} 0 0 4\r\n{number:04}\r\nget o{number}\r\n");
        reply += &format!("STORED\r\nVALUE o{number} 0 4\r\n{number:04}\r\nEND\r\n");
    }
    client.expect(request, reply);
}

/// envoyproxy/envoy#35983: a fast node waits for a slow one within a connection, and only there.
#[test]
fn a_slow_node_delays_only_what_waits_for_it() {
    let slow = ScriptedNode::start(vec![vec![
        Act::Await("\r\n"),
        Act::Sleep(Duration::from_millis(300)),
        Act::Send(b"END\r\n".to_vec()),
        Act::Listen,
    ]]);
    let (_servers, mut addresses) = real(1);
    addresses.insert(0, slow.address());
    let keys = key_of_each(&addresses);
    let proxy = proxy(&addresses, "");
    let mut client = proxy.connect();
    let mut other = proxy.connect();
    other.expect(format!("set {} 0 0 1\r\nv\r\n", keys[1]), "STORED\r\n");
    client.send(format!("get {}\r\nget {}\r\n", keys[0], keys[1]));
    other.expect(
        format!("get {}\r\n", keys[1]),
        format!("VALUE {} 0 1\r\nv\r\nEND\r\n", keys[1]),
    );
    client.receive_nothing(Duration::from_millis(100));
    client.receive(format!("END\r\nVALUE {} 0 1\r\nv\r\nEND\r\n", keys[1]));
}
