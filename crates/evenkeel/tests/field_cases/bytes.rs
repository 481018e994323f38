//! Bytes pass as they are, however they are cut.

use std::time::Duration;

use evenkeel_testkit::{Act, ScriptedNode};

use crate::pool::{proxy, real};

/// pinterest/pymemcache#105, spotify/folsom#25, bradfitz/gomemcache#79: every key byte that memcached takes.
#[test]
fn tabs_high_bytes_and_control_bytes_in_keys_pass() {
    let (_servers, addresses) = real(3);
    let proxy = proxy(&addresses, "");
    let mut client = proxy.connect();
    client.expect(
        "set a\tb 0 0 1\r\n2\r\nget a\tb\r\n",
        "STORED\r\nVALUE a\tb 0 1\r\n2\r\nEND\r\n",
    );
    client.expect(
        &b"set caf\xc3\xa9 0 0 1\r\n2\r\nget caf\xc3\xa9\r\n"[..],
        &b"STORED\r\nVALUE caf\xc3\xa9 0 1\r\n2\r\nEND\r\n"[..],
    );
    client.expect(
        "set \x01\x7f 0 0 1\r\n2\r\nget \x01\x7f\r\n",
        "STORED\r\nVALUE \x01\x7f 0 1\r\n2\r\nEND\r\n",
    );
    client.expect("get \r\n", "ERROR\r\n");
    client.expect("get\r\n", "ERROR\r\n");
    client.expect(
        "set lf 0 0 1\n1\r\nget lf\n",
        "STORED\r\nVALUE lf 0 1\r\n1\r\nEND\r\n",
    );
}

/// emcache/emcache#74: a bad data chunk stores nothing, and the next command is in step.
#[test]
fn a_bad_data_chunk_stores_nothing() {
    let (_servers, addresses) = real(1);
    let proxy = proxy(&addresses, "");
    let mut client = proxy.connect();
    client.send("set mykey 0 0 4\r\nkostas\r\nget mykey\r\n");
    assert_eq!(client.line(), "CLIENT_ERROR bad data chunk\r\n");
    let mut last = client.line();
    while last == "ERROR\r\n" {
        last = client.line();
    }
    assert_eq!(last, "END\r\n");
}

/// dragonflydb/dragonfly#2120: `Zm9v` in base64 and `foo` are one item, so they must have one node.
#[test]
fn a_base64_key_is_routed_by_what_it_says() {
    let (_servers, addresses) = real(4);
    let proxy = proxy(&addresses, "");
    let mut client = proxy.connect();
    client.expect(
        "ms Zm9v 3 b\r\nbar\r\nget foo\r\n",
        "HD\r\nVALUE foo 0 3\r\nbar\r\nEND\r\n",
    );
    client.expect("mg Zm9v b v k\r\n", "VA 3 kZm9v b\r\nbar\r\n");
    client.expect("mg foo v q O123\r\nmn\r\n", "VA 3 O123\r\nbar\r\nMN\r\n");
}

/// vavrusa/memcache-async#29, Shopify/async-memcached#89: only the announced length ends a value.
#[test]
fn payloads_that_look_like_protocol_pass() {
    let (_servers, addresses) = real(2);
    let proxy = proxy(&addresses, "");
    let mut client = proxy.connect();
    let every: Vec<u8> = (0..=255).collect();
    let payloads: [&[u8]; 7] = [
        b"END\r\n",
        b"ERROR\r\n",
        b"VALUE x 0 1\r\n1\r\nEND\r\n",
        b"SERVER_ERROR x",
        b"abc \t\n",
        b"",
        &every,
    ];
    for (number, payload) in payloads.into_iter().enumerate() {
        let mut request = format!("set p{number} 0 0 {}\r\n", payload.len()).into_bytes();
        request.extend_from_slice(payload);
        client.expect([&request, &b"\r\n"[..]].concat(), "STORED\r\n");
        let mut reply = format!("VALUE p{number} 0 {}\r\n", payload.len()).into_bytes();
        reply.extend_from_slice(payload);
        client.expect(
            format!("get p{number}\r\n"),
            [&reply, &b"\r\nEND\r\n"[..]].concat(),
        );
    }
    client.expect(
        "set cnt 0 0 2\r\n10\r\ndecr cnt 1\r\nget cnt\r\nincr cnt 1\r\n",
        "STORED\r\n9\r\nVALUE cnt 0 2\r\n9 \r\nEND\r\n10\r\n",
    );
}

/// twitter/twemproxy#19, memcached/memcached#997: one byte more or less decides nothing.
#[test]
fn every_value_size_around_buffer_edges_passes() {
    let (_servers, addresses) = real(2);
    let proxy = proxy(&addresses, "");
    let mut client = proxy.connect();
    let edges = [16_306, 16_384, 32_642, 32_768, 48_978, 65_314, 65_536];
    let sizes = edges
        .iter()
        .flat_map(|edge| edge - 24..=edge + 24)
        .chain(1..300);
    for size in sizes {
        let value = "v".repeat(size);
        client.expect(
            format!("set ten-bytes! 0 0 {size}\r\n{value}\r\n"),
            "STORED\r\n",
        );
        client.expect(
            "get ten-bytes!\r\n",
            format!("VALUE ten-bytes! 0 {size}\r\n{value}\r\nEND\r\n"),
        );
    }
}

/// twitter/twemproxy#85, #336: the same answer wherever the network cuts a request ...
#[test]
fn a_request_may_be_cut_at_every_byte() {
    let (_servers, addresses) = real(2);
    let proxy = proxy(&addresses, "");
    let request = b"set k 7 0 5\r\nab\r\nc\r\nget k j\r\nmg k v f\r\ndelete k\r\n";
    let reply = b"STORED\r\nVALUE k 7 5\r\nab\r\nc\r\nEND\r\nVA 5 f7\r\nab\r\nc\r\nDELETED\r\n";
    let mut client = proxy.connect();
    for cut in 1..request.len() {
        client.send(&request[..cut]);
        std::thread::sleep(Duration::from_millis(1));
        client.expect(&request[cut..], reply);
    }
    for byte in request.chunks(1) {
        client.send(byte);
        std::thread::sleep(Duration::from_millis(1));
    }
    client.receive(reply);
}

/// ... or a reply.
#[test]
fn a_reply_may_be_cut_at_every_byte() {
    let whole = b"VALUE k 7 6\r\na\r\nEND\r\nEND\r\n".to_vec();
    for cut in 1..whole.len() {
        let node = ScriptedNode::start(vec![vec![
            Act::Await("get k\r\n"),
            Act::Send(whole[..cut].to_vec()),
            Act::Sleep(Duration::from_millis(3)),
            Act::Send(whole[cut..].to_vec()),
            Act::Await("get k\r\n"),
            Act::Trickle(whole.clone()),
            Act::Listen,
        ]]);
        let proxy = proxy(&[node.address()], "");
        let mut client = proxy.connect();
        client.expect("get k\r\n", &whole);
        client.expect("get k\r\n", &whole);
    }
}
