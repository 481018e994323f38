//! What may be tuned without moving a key, with its defaults and units.

use std::time::Duration;

use crate::reader::Reader;

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

/// Takes the settings out of a pool's table.
pub(crate) fn read(reader: &mut Reader<'_, '_>) -> Settings {
    let mut settings = Settings::default();
    read_counts(reader, &mut settings);
    for (key, value) in [
        ("connect_timeout", &mut settings.connect_timeout),
        ("request_timeout", &mut settings.request_timeout),
        ("reconnect_min", &mut settings.reconnect_min),
        ("reconnect_max", &mut settings.reconnect_max),
        ("drain_timeout", &mut settings.drain_timeout),
        ("keepalive", &mut settings.keepalive),
        ("coalesce", &mut settings.coalesce),
    ] {
        *value = reader.duration(key).unwrap_or(*value);
    }
    settings.max_value = reader.size("max_value").unwrap_or(settings.max_value);
    for (key, value) in [
        ("client_out", &mut settings.client_out),
        ("node_out", &mut settings.node_out),
    ] {
        let size = reader.size(key).and_then(|size| usize::try_from(size).ok());
        *value = size.unwrap_or(*value);
    }
    settings.allow_flush = reader.flag("allow_flush").unwrap_or(settings.allow_flush);
    if let Some((text, span)) = reader.text("on_node_down") {
        match text.as_str() {
            "error" => settings.on_node_down = OnNodeDown::Error,
            "miss" => settings.on_node_down = OnNodeDown::Miss,
            _ => reader.error(
                span,
                format!("`on_node_down` cannot be {text:?}"),
                "write \"error\", or \"miss\" to let reads miss while their node is down",
            ),
        }
    }
    settings
}

fn read_counts(reader: &mut Reader<'_, '_>, settings: &mut Settings) {
    for (key, value) in [
        ("workers", &mut settings.workers),
        ("connections", &mut settings.connections),
        ("max_clients", &mut settings.max_clients),
        ("max_in_flight", &mut settings.max_in_flight),
        ("node_in_flight", &mut settings.node_in_flight),
    ] {
        let count = reader
            .count(key, 1)
            .and_then(|count| usize::try_from(count).ok());
        *value = count.unwrap_or(*value);
    }
}
