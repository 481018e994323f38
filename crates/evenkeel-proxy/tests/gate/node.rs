//! A blocking connection to a node, one command at a time.

use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use evenkeel_wire::memcached::{Expect, Reply, ReplyParser, ReplyStep};

/// The number of the next connection: none is used twice.
static NEXT: AtomicU64 = AtomicU64::new(1);

/// Connections to one node, made again when one has failed.
pub struct Node {
    address: SocketAddr,
    /// How long an answer may take.
    patience: Duration,
    /// How many commands of a thousand are slow on their way.
    slow_per_mille: u32,
    open: Option<(u64, TcpStream)>,
}

/// A reply with the bytes that it refers to.
pub struct Replied {
    pub reply: Reply,
    pub bytes: Vec<u8>,
    pub connection: u64,
}

/// Why there is no reply.
pub enum Failed {
    /// The node cannot have received it.
    NotSent,
    /// It may have been executed, or may be yet; this connection has not ended.
    NoAnswer(TcpStream),
}

impl Node {
    pub fn new(address: SocketAddr, patience: Duration) -> Self {
        Node {
            address,
            patience,
            slow_per_mille: 0,
            open: None,
        }
    }

    /// The same, over a network that is slow at times.
    pub fn over_a_bad_network(self) -> Self {
        Node {
            slow_per_mille: 15,
            ..self
        }
    }

    /// Whether the node can be reached.
    pub fn is_up(&mut self) -> bool {
        self.connection().is_some()
    }

    /// Sends a command, on the connection `only_on` if one is named, and waits for its reply.
    pub fn ask(
        &mut self,
        bytes: &[u8],
        expect: Expect,
        only_on: Option<u64>,
    ) -> Result<Replied, Failed> {
        self.connection();
        let Some((connection, mut stream)) = self.open.take() else {
            return Err(Failed::NotSent);
        };
        if only_on.is_some_and(|only| only != connection) {
            self.open = Some((connection, stream));
            return Err(Failed::NotSent);
        }
        if rand::random_range(0..1_000) < self.slow_per_mille {
            std::thread::sleep(Duration::from_millis(rand::random_range(1..60)));
        }
        let replied = stream
            .write_all(bytes)
            .is_ok()
            .then(|| read(&mut stream, expect, connection))
            .flatten();
        match replied {
            Some(replied) => {
                self.open = Some((connection, stream));
                Ok(replied)
            }
            None => Err(Failed::NoAnswer(stream)),
        }
    }

    fn connection(&mut self) -> Option<u64> {
        if let Some((_, stream)) = &self.open
            && !is_alive(stream)
        {
            self.open = None;
        }
        if self.open.is_none() {
            let stream = TcpStream::connect_timeout(&self.address, self.patience).ok()?;
            stream.set_nodelay(true).ok()?;
            stream.set_read_timeout(Some(self.patience)).ok()?;
            self.open = Some((NEXT.fetch_add(1, Ordering::Relaxed), stream));
        }
        self.open.as_ref().map(|(connection, _)| *connection)
    }
}

/// Waits until the node has executed everything that it received on a connection: its end of stream says so.
pub fn end(mut stream: TcpStream) {
    let _ = stream.set_read_timeout(None);
    let _ = stream.shutdown(Shutdown::Write);
    let mut sink = [0; 4096];
    while stream.read(&mut sink).is_ok_and(|read| read > 0) {}
}

/// An idle connection on which anything can be read has ended.
fn is_alive(stream: &TcpStream) -> bool {
    let _ = stream.set_nonblocking(true);
    let alive = matches!(stream.peek(&mut [0]), Err(error) if error.kind() == std::io::ErrorKind::WouldBlock);
    let _ = stream.set_nonblocking(false);
    alive
}

fn read(stream: &mut TcpStream, expect: Expect, connection: u64) -> Option<Replied> {
    let mut parser = ReplyParser::new();
    let mut bytes = Vec::new();
    let mut chunk = [0; 16 * 1024];
    loop {
        match parser.parse(&bytes, expect) {
            ReplyStep::Line(reply) => {
                while bytes.len() < reply.whole_len() {
                    let read = stream.read(&mut chunk).ok().filter(|read| *read > 0)?;
                    bytes.extend_from_slice(&chunk[..read]);
                }
                return Some(Replied {
                    reply,
                    bytes,
                    connection,
                });
            }
            ReplyStep::Malformed => return None,
            ReplyStep::Incomplete => {
                let read = stream.read(&mut chunk).ok().filter(|read| *read > 0)?;
                bytes.extend_from_slice(&chunk[..read]);
            }
        }
    }
}
