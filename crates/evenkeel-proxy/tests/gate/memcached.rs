//! A real memcached on a free port.

use std::net::{SocketAddr, TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// How long a server may take to listen.
const STARTS_WITHIN: Duration = Duration::from_secs(10);

/// A server that ends with this value.
pub struct Memcached {
    pub address: SocketAddr,
    child: Child,
}

impl Memcached {
    pub fn start() -> Self {
        let probe = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = probe.local_addr().unwrap();
        drop(probe);
        let child = start(address);
        let server = Memcached { address, child };
        server.wait();
        server
    }

    /// Kills it as `kill -9` does, and starts it again, empty, on the same port.
    pub fn restart(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
        self.child = start(self.address);
        self.wait();
    }

    /// `kill -STOP` or `kill -CONT`.
    pub fn signal(&self, name: &str) {
        let id = self.child.id().to_string();
        assert!(
            Command::new("kill")
                .args([name, &id])
                .status()
                .unwrap()
                .success()
        );
    }

    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_nodelay(true).unwrap();
        stream
    }

    fn wait(&self) {
        let begun = Instant::now();
        while TcpStream::connect(self.address).is_err() {
            assert!(begun.elapsed() < STARTS_WITHIN, "memcached does not listen");
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Drop for Memcached {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn start(address: SocketAddr) -> Child {
    Command::new("memcached")
        .args([
            "-u",
            "nobody",
            "-U",
            "0",
            "-m",
            "64",
            "-t",
            "1",
            "-c",
            "512",
            "-o",
            "no_lru_maintainer",
        ])
        .args([
            "-l",
            &address.ip().to_string(),
            "-p",
            &address.port().to_string(),
        ])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("memcached is installed")
}
