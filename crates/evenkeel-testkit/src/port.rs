//! Free ports of the loopback.

use std::net::TcpListener;

/// A port that was free a moment ago. The kernel hands out ports in turn, so that a second taker within the test's
/// start-up is unlikely; whoever starts a server on it must check that it is that server which answers.
pub fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0")
        .and_then(|listener| listener.local_addr())
        .expect("the loopback has a free port")
        .port()
}

/// So many ports, all different: each is held until all are found.
pub fn free_ports(count: usize) -> Vec<u16> {
    let held: Vec<TcpListener> = (0..count)
        .map(|_| TcpListener::bind("127.0.0.1:0").expect("the loopback has a free port"))
        .collect();
    held.iter()
        .map(|listener| listener.local_addr().expect("a bound socket").port())
        .collect()
}
