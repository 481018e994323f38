//! Generated commands, each sent to both; the answers are compared byte for byte.

use super::generate::Generator;
use super::normalise::{listed, normalised};
use super::server::{Server, exchange};
use evenkeel_proxy::embedded::{EmbeddedNode, EmbeddedSession};
use std::io::{Read, Write};
use std::sync::Arc;

/// Commands of one run.
const COMMANDS: usize = 1000;

/// The server's own default, 64 MiB.
const LIMIT: u64 = 64 << 20;

/// What the embedded node answers to the same bytes.
fn embedded(session: &mut EmbeddedSession, bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    session.receive(bytes, &mut out);
    out
}

#[test]
fn generated_commands_are_answered_as_the_real_server_answers_them() {
    for seed in 1..=6 {
        run(seed);
    }
}

fn run(seed: u64) {
    let server = Server::start();
    let mut stream = server.connect();
    let mut session = EmbeddedSession::new(Arc::new(EmbeddedNode::new(LIMIT)));
    let mut generator = Generator::new(seed);
    let mut history = Vec::new();
    for at in 0..COMMANDS {
        let command = generator.command();
        history.push(String::from_utf8_lossy(&command).into_owned());
        let real = exchange(&mut stream, &command);
        let ours = embedded(&mut session, &command);
        let recent = &history[history.len().saturating_sub(25)..];
        assert_eq!(
            normalised(&ours),
            normalised(&real),
            "seed {seed}, command {at}, after {recent:#?}"
        );
        generator.saw(&real);
    }
    compare_stats(
        &exchange(&mut stream, b"stats\r\n"),
        &embedded(&mut session, b"stats\r\n"),
        seed,
    );
    for scope in ["all", "hash"] {
        let command = format!("lru_crawler metadump {scope}\r\n");
        let real = listing(&mut server.connect(), command.as_bytes());
        let ours = String::from_utf8(embedded(&mut session, command.as_bytes())).unwrap();
        assert_eq!(sorted(&ours), sorted(&real), "seed {seed}");
    }
}

fn compare_stats(real: &[u8], ours: &[u8], seed: u64) {
    let (real, ours) = (String::from_utf8_lossy(real), String::from_utf8_lossy(ours));
    let find = |stats: &str, name: &str| {
        let line = stats
            .lines()
            .find(|line| line.starts_with(&format!("STAT {name} ")));
        line.map(str::to_owned)
            .unwrap_or_else(|| panic!("no {name}"))
    };
    let counters = [
        "version",
        "pointer_size",
        "limit_maxbytes",
        "cmd_get",
        "cmd_set",
        "cmd_flush",
        "cmd_touch",
        "cmd_meta",
        "get_hits",
        "get_misses",
        "delete_hits",
        "delete_misses",
        "incr_hits",
        "incr_misses",
        "decr_hits",
        "decr_misses",
        "cas_hits",
        "cas_misses",
        "cas_badval",
        "touch_hits",
        "touch_misses",
        "total_items",
        "evictions",
    ];
    for name in counters {
        assert_eq!(find(&ours, name), find(&real, name), "seed {seed}");
    }
}

/// The listing is on a connection of its own, as the server wants it.
fn listing(stream: &mut std::net::TcpStream, command: &[u8]) -> String {
    stream.write_all(command).unwrap();
    let (mut received, mut chunk) = (Vec::new(), [0; 4096]);
    while !received.ends_with(b"END\r\n") {
        let len = stream.read(&mut chunk).unwrap();
        assert!(
            len > 0,
            "closed after {:?}",
            String::from_utf8_lossy(&received)
        );
        received.extend_from_slice(&chunk[..len]);
    }
    String::from_utf8(received).unwrap()
}

fn sorted(listing: &str) -> Vec<String> {
    let mut lines: Vec<String> = listing.lines().map(listed).collect();
    lines.sort();
    lines
}

#[test]
fn sizes_around_the_servers_limits_are_judged_alike() {
    let server = Server::start();
    let mut stream = server.connect();
    let mut session = EmbeddedSession::new(Arc::new(EmbeddedNode::new(LIMIT)));
    // The header counts: an item of one megabyte leaves a little less for its value.
    let sizes = [
        1_048_376, 1_048_515, 1_048_516, 1_048_576, 1_048_577, 524_222, 524_223, 524_224,
    ];
    for len in sizes {
        for quiet in ["", " noreply"] {
            let old = b"set big 0 0 3\r\nold\r\n".to_vec();
            let block = vec![b'1'; len];
            let set = format!("set big 0 0 {len}{quiet}\r\n");
            let conversation = [
                old.as_slice(),
                set.as_bytes(),
                &block,
                b"\r\nincr big 1\r\nget nothing\r\nmg big s\r\n",
            ]
            .concat();
            let real = exchange(&mut stream, &conversation);
            // In pieces, as a socket would bring it.
            let mut ours = Vec::new();
            for piece in conversation.chunks(16 * 1024) {
                session.receive(piece, &mut ours);
            }
            assert_eq!(
                String::from_utf8_lossy(&ours),
                String::from_utf8_lossy(&real),
                "{len}{quiet}"
            );
        }
    }
}
