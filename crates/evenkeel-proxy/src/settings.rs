//! What may be tuned without moving a key, with its defaults and units.

use std::time::Duration;

/// What a read of a key gets while the key's node is down. Writes of every kind are errors in any case: a write that is
/// said to be done and is not comes back as an old value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnNodeDown {
    /// `SERVER_ERROR` with the node's name.
    #[default]
    Error,
    /// A miss.
    Miss,
}

/// Settings of one pool's data plane. A change of any of them moves no key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Event loops, each in a thread of its own. Default: one per core that the process may use.
    pub workers: usize,
    /// Connections from each worker to each node. A client keeps to one of them, so that its commands stay in order.
    /// Default 1.
    pub connections: usize,
    /// How long a connection to a node may take until it answers. Default 1 s.
    pub connect_timeout: Duration,
    /// How long a node may take to answer a request. Default 1 s.
    pub request_timeout: Duration,
    /// First pause before connecting again; doubles up to `reconnect_max`, with jitter. Default 50 ms.
    pub reconnect_min: Duration,
    /// Longest pause before connecting again. Default 1 s.
    pub reconnect_max: Duration,
    /// What reads get while their node is down. Default: an error.
    pub on_node_down: OnNodeDown,
    /// Serve `flush_all`, which empties every node of the pool. Default false.
    pub allow_flush: bool,
    /// Largest value in bytes that is taken from a client; above it the value is refused as memcached refuses it.
    /// Default 8 MiB. The nodes' own limit (`-I`) applies below it.
    pub max_value: u64,
    /// Most clients of one worker. Others wait to be accepted. Default 20,000.
    pub max_clients: usize,
    /// Most requests of one client that may wait for answers; beyond it the client is not read. Default 4,096.
    pub max_in_flight: usize,
    /// Bytes of answers that one client may leave unread before its requests are no longer read. Default 1 MiB.
    pub client_out: usize,
    /// Bytes that may wait to be sent on one node connection before the clients that add to them are no longer read.
    /// Default 16 MiB.
    pub node_out: usize,
    /// Most requests that may wait for answers on one node connection. Default 65,536.
    pub node_in_flight: usize,
    /// How long requests may go on after the proxy was told to end. Default 10 s.
    pub drain_timeout: Duration,
    /// TCP keepalive of clients and nodes: idle time before the first probe. Default 60 s.
    pub keepalive: Duration,
    /// Pause before waiting for events while many requests are in flight, to gather more of them a turn: less CPU, more
    /// latency. Default 0 (off); 60 to 100 µs are useful.
    pub coalesce: Duration,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            workers: std::thread::available_parallelism().map_or(1, usize::from),
            connections: 1,
            connect_timeout: Duration::from_secs(1),
            request_timeout: Duration::from_secs(1),
            reconnect_min: Duration::from_millis(50),
            reconnect_max: Duration::from_secs(1),
            on_node_down: OnNodeDown::Error,
            allow_flush: false,
            max_value: 8 * 1024 * 1024,
            max_clients: 20_000,
            max_in_flight: 4096,
            client_out: 1024 * 1024,
            node_out: 16 * 1024 * 1024,
            node_in_flight: 65_536,
            drain_timeout: Duration::from_secs(10),
            keepalive: Duration::from_secs(60),
            coalesce: Duration::ZERO,
        }
    }
}
