//! A real nutcracker and ours side by side on one configuration file and the same nodes: what one writes the other reads.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::fmt::Write;

use evenkeel_testkit::{Client, Proxy, Server, free_ports};

const HASHES: [&str; 12] = [
    "one_at_a_time",
    "md5",
    "crc16",
    "crc32",
    "crc32a",
    "fnv1_64",
    "fnv1a_64",
    "fnv1_32",
    "fnv1a_32",
    "hsieh",
    "murmur",
    "jenkins",
];

/// One pool of the configuration file, but for its port.
struct Pool {
    name: String,
    settings: String,
}

/// Every hash with both distributions, and one pool each for what else decides about placement.
fn pools(nodes: &[Server]) -> Vec<Pool> {
    let servers = |line: &dyn Fn(usize, u16) -> String| -> String {
        let lines = nodes.iter().enumerate();
        lines
            .map(|(index, node)| format!("   - {}\n", line(index, node.port())))
            .collect()
    };
    let plain = servers(&|_, port| format!("127.0.0.1:{port}:1"));
    let weighted = servers(&|index, port| format!("127.0.0.1:{port}:{}", [1, 2, 7, 10][index]));
    let named = servers(&|index, port| {
        format!(
            "127.0.0.1:{port}:1 {}",
            ["be", "zeta", "alpha", "cache-10"][index]
        )
    });
    let mut pools = Vec::new();
    let mut add = |name: String, hash: &str, distribution: &str, more: &str, servers: &str| {
        let settings =
            format!("  hash: {hash}\n  distribution: {distribution}\n{more}  servers:\n{servers}");
        pools.push(Pool { name, settings });
    };
    for distribution in ["ketama", "modula"] {
        for hash in HASHES {
            add(
                format!("{distribution}_{hash}"),
                hash,
                distribution,
                "",
                &plain,
            );
        }
        add(
            format!("{distribution}_tag"),
            "md5",
            distribution,
            "  hash_tag: \"{}\"\n",
            &plain,
        );
        add(
            format!("{distribution}_weights"),
            "fnv1a_64",
            distribution,
            "",
            &weighted,
        );
        add(
            format!("{distribution}_names"),
            "murmur",
            distribution,
            "",
            &named,
        );
    }
    pools
}

/// The file, with a port for each pool.
fn file(pools: &[Pool], ports: &[u16]) -> String {
    let mut text = String::new();
    for (pool, port) in pools.iter().zip(ports) {
        let name = &pool.name;
        write!(
            text,
            "{name}:\n  listen: 127.0.0.1:{port}\n{}",
            pool.settings
        )
        .unwrap();
    }
    text
}

fn keys(pool: &str) -> Vec<String> {
    let shapes = [
        "user:{}",
        "{{user}}:{}",
        "caf\u{e9}:{}",
        "{{}}x:{}",
        "a-rather-long-key-for-a-session-{}",
    ];
    (0..40)
        .flat_map(|number| {
            shapes.map(|shape| {
                let key = shape.replace("{{", "\u{1}").replace("}}", "\u{2}");
                let key = key.replace("{}", &number.to_string());
                format!("{pool}:{}", key.replace('\u{1}', "{").replace('\u{2}', "}"))
            })
        })
        .collect()
}

fn write_all(port: u16, pool: &str, value: &str) {
    let mut client = Client::connect(port);
    for key in keys(pool) {
        client.expect(
            format!("set {key} 0 0 {}\r\n{value}\r\n", value.len()),
            "STORED\r\n",
        );
    }
}

fn read_all(port: u16, pool: &str, value: &str) {
    let mut client = Client::connect(port);
    for key in keys(pool) {
        let reply = format!("VALUE {key} 0 {}\r\n{value}\r\nEND\r\n", value.len());
        client.expect(format!("get {key}\r\n"), reply);
    }
}

#[test]
fn every_key_written_through_one_is_read_through_the_other() {
    let nodes: Vec<Server> = (0..4).map(|_| Server::memcached(&[])).collect();
    let pools = pools(&nodes);
    let ports = free_ports(2 * pools.len());
    let (their_ports, our_ports) = ports.split_at(pools.len());
    let (theirs, ours) = (file(&pools, their_ports), file(&pools, our_ports));
    // The kit waits for the port that it hands out; a pool of its own listens there.
    let waiting = nodes[0].address();
    let spare = move |port: u16| {
        format!(
            "spare:\n  listen: 127.0.0.1:{port}\n  hash: md5\n  distribution: ketama\n  servers:\n   - {waiting}:1\n"
        )
    };
    let ours_spare = spare.clone();
    let _nutcracker = Server::nutcracker(move |port| format!("{theirs}{}", spare(port)));
    let _proxy = Proxy::start_file(
        env!("CARGO_BIN_EXE_evenkeel"),
        "nutcracker.yml",
        |port, _| format!("{ours}{}", ours_spare(port)),
    );
    for ((pool, &their), &our) in pools.iter().zip(their_ports).zip(our_ports) {
        write_all(their, &pool.name, "theirs");
        read_all(our, &pool.name, "theirs");
        write_all(our, &pool.name, "ours");
        read_all(their, &pool.name, "ours");
    }
}
