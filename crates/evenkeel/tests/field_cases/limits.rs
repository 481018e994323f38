//! Many clients, few descriptors, and an orderly end.

use std::net::TcpStream;
use std::time::{Duration, Instant};

use evenkeel_testkit::Client;

use crate::pool::{proxy, real};

/// Clients that stay connected at once: with the test's own descriptors this stays below a common limit of 20,000.
const IDLE_CLIENTS: usize = 3_000;

#[test]
fn idle_clients_are_kept_and_served() {
    let (_servers, addresses) = real(1);
    let proxy = proxy(&addresses, "max_clients = 4000");
    let idle: Vec<TcpStream> = (0..IDLE_CLIENTS)
        .map(|_| TcpStream::connect(("127.0.0.1", proxy.port())).unwrap())
        .collect();
    for stream in idle {
        Client::from_stream(stream).expect("get k\r\n", "END\r\n");
    }
}

/// twitter/twemproxy#97, tumblr/twemproxy#2: beyond the limit clients wait or are turned away, and there is room again
/// when others leave.
#[test]
fn beyond_max_clients_those_inside_are_served_and_room_is_found_again() {
    let (_servers, addresses) = real(1);
    let proxy = proxy(&addresses, "max_clients = 20");
    let mut inside: Vec<Client> = (0..20).map(|_| proxy.connect()).collect();
    for client in &mut inside {
        client.expect("get k\r\n", "END\r\n");
    }
    let _outside: Vec<_> = (0..50)
        .map(|_| TcpStream::connect(("127.0.0.1", proxy.port())))
        .collect();
    for client in &mut inside {
        client.expect("get k\r\n", "END\r\n");
    }
    drop((inside, _outside));
    let begun = Instant::now();
    loop {
        let mut client = proxy.connect();
        client.send("get k\r\n");
        if client.line() == "END\r\n" {
            return;
        }
        assert!(
            begun.elapsed() < Duration::from_secs(2),
            "no room was found again"
        );
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// twitter/twemproxy#187: a thousand connections that are reset at once do not end the listener.
#[test]
fn connections_that_are_reset_at_once_do_not_end_the_listener() {
    let (_servers, addresses) = real(1);
    let proxy = proxy(&addresses, "");
    for _ in 0..1_000 {
        let stream = TcpStream::connect(("127.0.0.1", proxy.port())).unwrap();
        let _ = socket2::SockRef::from(&stream).set_linger(Some(Duration::ZERO));
    }
    proxy.connect().expect("get k\r\n", "END\r\n");
}

#[test]
fn sigterm_ends_the_proxy_with_0_after_what_is_in_flight() {
    let (servers, addresses) = real(1);
    let mut proxy = proxy(&addresses, "");
    let mut client = proxy.connect();
    client.expect("get k\r\n", "END\r\n");
    servers[0].process().signal("STOP");
    client.send("get k\r\n");
    std::thread::sleep(Duration::from_millis(100));
    proxy.process().signal("TERM");
    std::thread::sleep(Duration::from_millis(100));
    servers[0].process().signal("CONT");
    client.receive("END\r\n");
    let status = proxy.process().wait(Duration::from_secs(10));
    assert!(status.success(), "{status}");
}
