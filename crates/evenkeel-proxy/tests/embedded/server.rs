//! A real memcached for one test.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// How long the server may take to listen.
const STARTUP: Duration = Duration::from_secs(10);

/// A memcached on a free port of the loopback, killed when dropped.
pub struct Server {
    child: Child,
    port: u16,
}

impl Server {
    pub fn start() -> Self {
        let port = TcpListener::bind("127.0.0.1:0")
            .unwrap()
            .local_addr()
            .unwrap()
            .port();
        let mut command = Command::new("memcached");
        command
            .args(["-l", "127.0.0.1", "-U", "0", "-u", "nobody", "-p"])
            .arg(port.to_string());
        // The maintainer's thread holds items for a moment, and a counting command that meets it stores a new item
        // (without padding, without marks) where it would have changed the old one: no two runs would be the same.
        command.args(["-o", "no_lru_maintainer"]);
        let child = command
            .stderr(Stdio::null())
            .spawn()
            .expect("memcached is installed");
        let server = Self { child, port };
        let begun = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(begun.elapsed() < STARTUP, "memcached does not listen");
            std::thread::sleep(Duration::from_millis(10));
        }
        server
    }

    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_nodelay(true).unwrap();
        stream
            .set_read_timeout(Some(Duration::from_secs(5)))
            .unwrap();
        stream
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
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
