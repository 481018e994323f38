//! A pool of real servers with a leader and no worker.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use evenkeel_core::migration::{Options, Phase};
use evenkeel_core::{KeyRule, Node, Placement, Scheme, Topology};
use evenkeel_proxy::coordinator::{Coordinator, Leader, NoWorkers, Setup, StartRequest, Status};
use evenkeel_proxy::copier::{Copier, DEFAULT_SLOW_ABOVE, Rates, Reach};
use evenkeel_proxy::store::StateDirectory;
use evenkeel_testkit::Server;

/// No limit.
pub const FAST: Rates = Rates {
    keys: None,
    bytes: None,
};

/// Servers are `cache-1`, `cache-2`, ...
pub fn topology(servers: &[Server], which: &[usize]) -> Topology {
    let node = |&at: &usize| {
        Node::new(
            format!("cache-{}", at + 1),
            servers[at].address().parse().unwrap(),
        )
    };
    let nodes = which.iter().map(node).collect();
    Topology::new(nodes, Scheme::default(), KeyRule::default()).unwrap()
}

/// A leader that runs, as a proxy would run it.
pub struct Led {
    pub leader: Leader,
    pub copier: Arc<Copier>,
    task: tokio::task::JoinHandle<()>,
}

impl Led {
    pub fn open(folder: &Path, wanted: &Topology, rates: Rates) -> Self {
        let directory = StateDirectory::open(folder).unwrap();
        let (coordinator, leader, copier) = Coordinator::open(Setup {
            pool: "test".to_owned(),
            store: directory.pool("test"),
            wanted: wanted.clone(),
            members: Arc::new(NoWorkers::default()),
            network: Arc::new(Reach::default()),
            rates,
            slow_above: DEFAULT_SLOW_ABOVE,
        })
        .unwrap();
        let task = tokio::spawn(coordinator.run());
        Led {
            leader,
            copier,
            task,
        }
    }

    pub async fn start(&self, to: &Topology) {
        let request = StartRequest {
            epoch: self.leader.record().epoch,
            to: to.clone(),
            options: Options {
                lease_seconds: 1,
                ..Options::default()
            },
            by: "test".to_owned(),
            expected_keys: 0,
        };
        self.leader.start(request).await.unwrap();
    }

    /// Waits for a moment in which `ready`.
    pub async fn until(&self, what: &str, ready: impl Fn(&Status) -> bool) -> Status {
        for _ in 0..6_000 {
            let status = self.leader.status();
            if ready(&status) {
                return status;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        panic!("never {what}: {:#?}", self.leader.status());
    }

    pub async fn stable(&self) -> Status {
        self.until("stable", |status| {
            status.phase.is_none() && status.acknowledged
        })
        .await
    }

    pub async fn copying(&self, keys: u64) -> Status {
        self.until("copying", |status| {
            status.phase == Some(Phase::Copy) && status.keys_done() >= keys
        })
        .await
    }

    /// As a kill would: nothing is finished, nothing is told.
    pub async fn kill(self) {
        self.task.abort();
        let _ = self.task.await;
    }
}

/// One request, one reply that ends with `end`.
pub fn exchange(server: &Server, request: &[u8], end: &[u8]) -> String {
    let mut stream = TcpStream::connect(("127.0.0.1", server.port())).unwrap();
    stream.write_all(request).unwrap();
    let mut got = Vec::new();
    let mut buffer = [0; 65536];
    while !got.ends_with(end) {
        let read = stream.read(&mut buffer).unwrap();
        assert!(read > 0, "the server closed");
        got.extend_from_slice(&buffer[..read]);
    }
    String::from_utf8_lossy(&got).into_owned()
}

/// Stores `count` keys where `topology` has them, with flags and a time to live.
pub fn fill(servers: &[Server], topology: &Topology, count: usize) {
    let placement = Placement::build(topology);
    let mut requests = vec![Vec::new(); servers.len()];
    let mut last = vec![0; servers.len()];
    for at in 0..count {
        let key = format!("key:{at}");
        let node = topology.node(placement.node_of(key.as_bytes()));
        let server = servers
            .iter()
            .position(|server| server.address() == node.address.to_string())
            .unwrap();
        let value = format!("value of {at}");
        requests[server].extend_from_slice(
            format!("set {key} {at} 5000 {} noreply\r\n{value}\r\n", value.len()).as_bytes(),
        );
        last[server] += 1;
    }
    for (server, request) in servers.iter().zip(&mut requests) {
        request.extend_from_slice(b"mn\r\n");
        exchange(server, request, b"MN\r\n");
    }
}

/// The keys of a server, by its own listing.
pub fn keys(server: &Server) -> Vec<String> {
    let listing = exchange(server, b"lru_crawler metadump hash\r\n", b"END\r\n");
    let mut keys: Vec<String> = listing
        .lines()
        .filter_map(|line| line.strip_prefix("key="))
        .filter_map(|rest| rest.split(' ').next())
        .map(|name| name.replace("%3A", ":"))
        .collect();
    keys.sort();
    keys
}

/// Asserts that every key is where `topology` has it and nowhere else, with its value, flags and time to live.
pub fn assert_placed(servers: &[Server], topology: &Topology, count: usize) {
    let placement = Placement::build(topology);
    let mut expected = vec![Vec::new(); servers.len()];
    for at in 0..count {
        let key = format!("key:{at}");
        let node = topology.node(placement.node_of(key.as_bytes()));
        let server = servers
            .iter()
            .position(|server| server.address() == node.address.to_string())
            .unwrap();
        if at % 97 == 0 {
            let reply = exchange(
                &servers[server],
                format!("mg {key} v f t\r\n").as_bytes(),
                b"\r\n",
            );
            let value = format!("value of {at}");
            let start = format!("VA {} f{at} t49", value.len());
            assert!(
                reply.starts_with(&start) && reply.contains(&value),
                "{reply}"
            );
        }
        expected[server].push(key);
    }
    for (server, mut expected) in servers.iter().zip(expected) {
        expected.sort();
        let found = keys(server);
        assert!(
            found == expected,
            "{}: {} keys, expected {}; too many: {:?}",
            server.address(),
            found.len(),
            expected.len(),
            found
                .iter()
                .filter(|key| !expected.contains(key))
                .take(5)
                .collect::<Vec<_>>()
        );
    }
}
