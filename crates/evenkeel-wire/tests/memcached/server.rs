//! A real memcached, and conversations with it.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

/// A memcached on a free port of the loopback, killed when dropped.
pub struct Server(evenkeel_testkit::Server);

impl Server {
    pub fn start() -> Self {
        Self(evenkeel_testkit::Server::memcached(&[]))
    }

    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(("127.0.0.1", self.0.port())).unwrap();
        stream.set_nodelay(true).unwrap();
        stream
            .set_read_timeout(Some(Duration::from_secs(10)))
            .unwrap();
        stream
    }
}

/// Everything that is answered before the `MN` of a no-op sent behind `bytes`.
pub fn exchange(stream: &mut TcpStream, bytes: &[u8]) -> Vec<u8> {
    let mut request = bytes.to_vec();
    request.extend_from_slice(b"mn\r\n");
    stream.write_all(&request).unwrap();
    let (mut received, mut chunk) = (Vec::new(), [0; 4096]);
    while !received.ends_with(b"MN\r\n") {
        let len = stream.read(&mut chunk).unwrap();
        assert!(
            len > 0,
            "closed after {:?}: {:?}",
            drive(bytes),
            drive(&received)
        );
        received.extend_from_slice(&chunk[..len]);
    }
    received.truncate(received.len() - 4);
    received
}

fn drive(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
