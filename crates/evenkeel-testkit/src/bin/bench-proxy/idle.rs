//! Memory of clients that are connected and say nothing.

use std::net::TcpStream;

use evenkeel_testkit::{Client, Proxy};

use crate::cpu;

/// Connections before the first count, so that what the proxy allocates once is not charged to the clients.
const WARM_UP: usize = 64;

/// Resident bytes that each of `clients` idle connections adds. Every one is served once at the end: none was dropped.
pub fn bytes_per_client(program: &str, clients: usize) -> f64 {
    let mut proxy = Proxy::start(program, |port, _| {
        format!(
            "[admin]\nlisten = \"off\"\n[[pool]]\nname = \"idle\"\nprotocol = \"memcached\"\nlisten = [\"127.0.0.1:{port}\"]\n\
             max_clients = {}\n[[pool.node]]\nname = \"n1\"\naddress = \"embedded\"\n",
            clients + WARM_UP + 8
        )
    });
    let connect = |count| {
        (0..count)
            .map(|_| TcpStream::connect(("127.0.0.1", proxy.port())).expect("room for one more"))
            .collect::<Vec<_>>()
    };
    let warm = connect(WARM_UP);
    proxy.connect().expect("get k\r\n", "END\r\n");
    let port = proxy.port();
    let before = cpu::resident(proxy.process().pid());
    let idle: Vec<_> = (0..clients)
        .map(|_| TcpStream::connect(("127.0.0.1", port)).expect("room for one more"))
        .collect();
    proxy.connect().expect("get k\r\n", "END\r\n");
    let after = cpu::resident(proxy.process().pid());
    for stream in warm.into_iter().chain(idle) {
        Client::from_stream(stream).expect("get k\r\n", "END\r\n");
    }
    after.saturating_sub(before) as f64 / clients as f64
}
