//! Values too large, lengths that lie, and garbage.

use crate::pool::{proxy, real};

/// spotify/folsom#34, memcached/memcached#831: the old value is gone and the connection in step.
#[test]
fn a_value_too_large_removes_the_old_one() {
    let (_servers, addresses) = real(2);
    let proxy = proxy(&addresses, "");
    let mut client = proxy.connect();
    let big = "b".repeat(1_048_577);
    client.expect(
        format!("set big 0 0 3\r\nold\r\nset big 0 0 1048577\r\n{big}\r\nget big\r\n"),
        "STORED\r\nSERVER_ERROR object too large for cache\r\nEND\r\n",
    );
    client.expect(
        format!("set big 0 0 3\r\nold\r\nset big 0 0 1048577 noreply\r\n{big}\r\nget big\r\n"),
        "STORED\r\nEND\r\n",
    );
    let fits = "f".repeat(1_048_376);
    client.expect(format!("set fits 0 0 1048376\r\n{fits}\r\n"), "STORED\r\n");
    client.expect(
        "get fits\r\n",
        format!("VALUE fits 0 1048376\r\n{fits}\r\nEND\r\n"),
    );
}

/// A limit of the proxy's own behaves as the node's.
#[test]
fn a_value_over_the_proxys_limit_removes_the_old_one_too() {
    let (_servers, addresses) = real(2);
    let proxy = proxy(&addresses, "max_value = \"100KiB\"");
    let mut client = proxy.connect();
    let big = "b".repeat(200 * 1024);
    client.expect(
        format!(
            "set big 0 0 3\r\nold\r\nset big 0 0 {}\r\n{big}\r\nget big\r\n",
            big.len()
        ),
        "STORED\r\nSERVER_ERROR object too large for cache\r\nEND\r\n",
    );
}

/// memcached/memcached#1094: lengths that no value has.
#[test]
fn an_impossible_length_is_an_error() {
    let (_servers, addresses) = real(1);
    let proxy = proxy(&addresses, "");
    let mut client = proxy.connect();
    client.expect(
        "set foo 0 0 -1\r\n",
        "CLIENT_ERROR bad command line format\r\n",
    );
    client.expect("get foo\r\n", "END\r\n");
}

#[test]
fn the_binary_protocol_is_refused_with_words_and_a_closed_connection() {
    let (_servers, addresses) = real(1);
    let proxy = proxy(&addresses, "");
    let mut client = proxy.connect();
    client.send(b"\x80\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00k");
    let words = String::from_utf8_lossy(&client.rest()).into_owned();
    assert!(words.contains("binary protocol"), "{words:?}");
    proxy.connect().expect("get k\r\n", "END\r\n");
}

#[test]
fn flush_all_is_refused_unless_allowed_and_says_what_it_would_do() {
    let (_servers, addresses) = real(3);
    let careful = proxy(&addresses, "");
    let mut client = careful.connect();
    client.expect("set k 0 0 1\r\nv\r\n", "STORED\r\n");
    client.send("flush_all\r\n");
    let refusal = client.line();
    assert!(
        refusal.contains("ERROR") && refusal.contains('3') && refusal.contains("allow_flush"),
        "{refusal:?}"
    );
    client.expect("get k\r\n", "VALUE k 0 1\r\nv\r\nEND\r\n");
    let bold = proxy(&addresses, "allow_flush = true");
    bold.connect()
        .expect("flush_all\r\nget k\r\n", "OK\r\nEND\r\n");
}

/// Whatever bytes come, a new client is served afterwards.
#[test]
fn garbage_harms_nobody_else() {
    let (_servers, addresses) = real(2);
    let proxy = proxy(&addresses, "");
    let mut random = Random(0x2545_F491_4F6C_DD1D);
    for _ in 0..200 {
        let bytes: Vec<u8> = (0..random.next() % 400)
            .map(|_| (random.next() >> 32) as u8)
            .collect();
        let mut garbage = proxy.connect();
        garbage.send(bytes);
        garbage.finish();
    }
    proxy.connect().expect(
        "set k 0 0 1\r\nv\r\nget k\r\n",
        "STORED\r\nVALUE k 0 1\r\nv\r\nEND\r\n",
    );
}

/// A xorshift generator: the same garbage in every run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
}
