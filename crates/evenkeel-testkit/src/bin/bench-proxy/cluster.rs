//! Four memcached and the two proxies in front of them.

use std::net::TcpStream;
use std::process::Command;
use std::time::Duration;

use evenkeel_testkit::load::{Keys, Plan, run};
use evenkeel_testkit::{Client, Process, free_port};

use crate::layout::Layout;

const NODES: usize = 4;
const STARTUP: Duration = Duration::from_secs(10);
/// Keys that the load chooses from: many, so that every node gets its part.
pub const KEY_COUNT: u64 = 100_000;
pub const VALUE_BYTES: usize = 100;

pub struct Target {
    pub process: Process,
    pub port: u16,
}

pub struct Cluster {
    pub layout: Layout,
    nodes: Vec<Target>,
    pub nutcracker: Target,
    pub evenkeel: Target,
}

impl Cluster {
    pub fn start(evenkeel: &str, layout: Layout) -> Self {
        pin_ourselves(layout.other_core());
        let nodes: Vec<Target> = (0..NODES).map(|_| node(layout.other_core())).collect();
        let ports: Vec<u16> = nodes.iter().map(|node| node.port).collect();
        Self {
            nutcracker: nutcracker(layout.proxy_core(), &ports),
            evenkeel: ours(evenkeel, layout.proxy_core(), &ports),
            layout,
            nodes,
        }
    }

    /// Writes every key once through our proxy, and reads a few back through nutcracker: both place alike.
    pub fn fill(&self) {
        let plan = Plan {
            addresses: vec![([127, 0, 0, 1], self.evenkeel.port).into()],
            connections: 8,
            pipeline: 32,
            keys: Keys::InOrder,
            key_count: KEY_COUNT,
            requests: KEY_COUNT,
            writes: 1.0,
            value_size: VALUE_BYTES..=VALUE_BYTES,
            time: Duration::from_secs(60),
            ..Plan::default()
        };
        let filled = run(&plan).expect("the fill runs");
        assert_eq!(filled.total().errors, 0, "{:?}", filled.first_error);
        let reads = Plan {
            addresses: vec![([127, 0, 0, 1], self.nutcracker.port).into()],
            writes: 0.0,
            requests: 2_000,
            ..plan
        };
        assert_eq!(run(&reads).expect("nutcracker answers").total().misses, 0);
    }

    pub fn keys_per_node(&self) -> Vec<u64> {
        self.nodes.iter().map(|node| items(node.port)).collect()
    }
}

fn items(port: u16) -> u64 {
    let mut client = Client::connect(port);
    client.send("stats\r\n");
    loop {
        let line = client.line();
        if let Some(count) = line.strip_prefix("STAT curr_items ") {
            return count.trim().parse().expect("a number");
        }
        assert!(line.starts_with("STAT"), "memcached counts its items");
    }
}

fn pin_ourselves(core: &str) {
    let pid = std::process::id().to_string();
    let pinned = Command::new("taskset")
        .args(["-acp", core, &pid])
        .stdout(std::process::Stdio::null())
        .status();
    assert!(
        pinned.is_ok_and(|status| status.success()),
        "taskset (util-linux) pins"
    );
}

/// Starts `program` pinned to `core` and waits until `port` answers.
fn pinned(core: &str, port: u16, start: impl FnOnce(&std::path::Path) -> Vec<String>) -> Target {
    let mut process = Process::start("taskset", |folder| {
        let mut words = vec!["-c".to_owned(), core.to_owned()];
        words.extend(start(folder));
        words
    });
    process.wait_until(STARTUP, || TcpStream::connect(("127.0.0.1", port)).is_ok());
    Target { process, port }
}

fn node(core: &str) -> Target {
    let port = free_port();
    pinned(core, port, |_| {
        format!("memcached -l 127.0.0.1 -U 0 -u nobody -t 1 -m 256 -p {port}")
            .split(' ')
            .map(str::to_owned)
            .collect()
    })
}

fn nutcracker(core: &str, nodes: &[u16]) -> Target {
    let port = free_port();
    let servers: String = nodes
        .iter()
        .map(|node| format!("   - 127.0.0.1:{node}:1\n"))
        .collect();
    let yaml = format!(
        "bench:\n  listen: 127.0.0.1:{port}\n  hash: fnv1a_64\n  distribution: ketama\n  servers:\n{servers}"
    );
    pinned(core, port, |folder| {
        std::fs::write(folder.join("nutcracker.yml"), yaml).expect("a file in a temporary folder");
        format!(
            "nutcracker -c nutcracker.yml -a 127.0.0.1 -s {}",
            free_port()
        )
        .split(' ')
        .map(str::to_owned)
        .collect()
    })
}

fn ours(program: &str, core: &str, nodes: &[u16]) -> Target {
    let port = free_port();
    let list: String = nodes
        .iter()
        .map(|node| format!("[[pool.node]]\nname = \"n{node}\"\naddress = \"127.0.0.1:{node}\"\n"))
        .collect();
    let config = format!(
        "[admin]\nlisten = \"off\"\n[[pool]]\nname = \"bench\"\nprotocol = \"memcached\"\nlisten = [\"127.0.0.1:{port}\"]\n\
         placement = \"twemproxy-ketama/fnv1a_64\"\nworkers = 1\n{list}"
    );
    pinned(core, port, |folder| {
        std::fs::write(folder.join("evenkeel.toml"), config).expect("a file in a temporary folder");
        [program, "proxy", "--config", "evenkeel.toml"]
            .map(str::to_owned)
            .to_vec()
    })
}
