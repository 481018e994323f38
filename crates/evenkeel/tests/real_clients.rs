//! Real clients of real languages, each with its whole repertoire, in front of four real memcached.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::process::Command;

use evenkeel_testkit::{Proxy, Server};

struct Cluster {
    proxy: Proxy,
    nodes: Vec<Server>,
}

fn cluster(placement: &str) -> Cluster {
    let nodes: Vec<Server> = (0..4).map(|_| Server::memcached(&[])).collect();
    let list: String = nodes
        .iter()
        .enumerate()
        .map(|(index, node)| {
            format!(
                "[[pool.node]]\nname = \"cache-{index}\"\naddress = \"{}\"\n",
                node.address()
            )
        })
        .collect();
    let proxy = Proxy::start(env!("CARGO_BIN_EXE_evenkeel"), |port, _| {
        format!(
            "[admin]\nlisten = \"off\"\n[[pool]]\nname = \"test\"\nprotocol = \"memcached\"\nlisten = [\"127.0.0.1:{port}\"]\n\
             placement = \"{placement}\"\nallow_flush = true\n{list}"
        )
    });
    Cluster { proxy, nodes }
}

impl Cluster {
    #[track_caller]
    fn satisfies(&self, program: &str, arguments: &[&str]) {
        let output = Command::new(program).args(arguments).output().unwrap();
        assert!(
            output.status.success(),
            "{program} says: {}{}",
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        );
    }

    /// A cluster of which one node does all the work would prove nothing.
    fn every_node_was_used(&self) {
        for node in &self.nodes {
            let mut client = node.connect();
            client.send("stats\r\n");
            let sets = std::iter::repeat_with(|| client.line())
                .find_map(|line| line.strip_prefix("STAT cmd_set ").map(str::to_owned));
            assert_ne!(sets.unwrap().trim(), "0");
        }
    }
}

fn script(name: &str) -> String {
    format!("{}/tests/clients/{name}", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn php_memcached_does_its_whole_repertoire() {
    let cluster = cluster("slots");
    let port = cluster.proxy.port().to_string();
    cluster.satisfies("php", &[&script("repertoire.php"), &port, "plain"]);
    cluster.every_node_was_used();
}

#[test]
fn php_memcached_with_libketama_compatible_does_its_whole_repertoire() {
    let cluster = cluster("php-memcached-libketama");
    let port = cluster.proxy.port().to_string();
    cluster.satisfies("php", &[&script("repertoire.php"), &port, "ketama"]);
    cluster.every_node_was_used();
}

#[test]
fn pymemcache_does_its_whole_repertoire() {
    let cluster = cluster("slots");
    let port = cluster.proxy.port().to_string();
    // Debian's Python: that is the one which its pymemcache package serves.
    cluster.satisfies("/usr/bin/python3", &[&script("repertoire.py"), &port]);
    cluster.every_node_was_used();
}

#[test]
fn memccapable_finds_no_fault_in_the_text_protocol() {
    let cluster = cluster("slots");
    let port = cluster.proxy.port().to_string();
    cluster.satisfies("memccapable", &["-a", "-h", "127.0.0.1", "-p", &port]);
}
