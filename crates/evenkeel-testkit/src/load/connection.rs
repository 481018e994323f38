//! One connection: requests out, answers matched to them in order.

use std::collections::VecDeque;
use std::io::{self, ErrorKind, Read, Write};
use std::net::SocketAddr;
use std::time::Instant;

use mio::net::TcpStream;

use super::value;

/// What an answer was.
pub enum Heard {
    Hit { right: bool },
    Miss,
    Stored,
    Error(String),
}

/// A request under way.
pub struct Asked {
    pub key: u64,
    pub is_read: bool,
    /// When it was sent, or was due.
    pub since: Instant,
}

pub struct Connection {
    pub stream: TcpStream,
    pub asked: VecDeque<Asked>,
    out: Vec<u8>,
    sent: usize,
    unread: Vec<u8>,
    taken: usize,
}

impl Connection {
    pub fn open(address: SocketAddr) -> io::Result<Self> {
        // A blocking connect first: a refused address is then an error at once.
        let stream = std::net::TcpStream::connect(address)?;
        stream.set_nodelay(true)?;
        stream.set_nonblocking(true)?;
        Ok(Self {
            stream: TcpStream::from_std(stream),
            asked: VecDeque::new(),
            out: Vec::new(),
            sent: 0,
            unread: Vec::new(),
            taken: 0,
        })
    }

    pub fn get(&mut self, prefix: &str, key: u64, since: Instant) {
        let _ = write!(self.out, "get {prefix}{key}\r\n");
        self.asked.push_back(Asked {
            key,
            is_read: true,
            since,
        });
    }

    pub fn set(&mut self, prefix: &str, key: u64, size: usize, since: Instant) {
        let _ = write!(self.out, "set {prefix}{key} 0 0 {size}\r\n");
        value::push(&mut self.out, key, size);
        self.out.extend_from_slice(b"\r\n");
        self.asked.push_back(Asked {
            key,
            is_read: false,
            since,
        });
    }

    /// Sends what the socket takes.
    pub fn flush(&mut self) -> io::Result<()> {
        while self.sent < self.out.len() {
            match self.stream.write(&self.out[self.sent..]) {
                Ok(written) => self.sent += written,
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(()),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        self.out.clear();
        self.sent = 0;
        Ok(())
    }

    /// Reads what the socket has, by way of the caller's buffer.
    pub fn fill(&mut self, buffer: &mut [u8]) -> io::Result<()> {
        self.unread.drain(..self.taken);
        self.taken = 0;
        loop {
            match self.stream.read(buffer) {
                Ok(0) => return Err(ErrorKind::UnexpectedEof.into()),
                Ok(read) => {
                    self.unread.extend_from_slice(&buffer[..read]);
                    if read < buffer.len() {
                        return Ok(());
                    }
                }
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(()),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// The next whole answer, if it has arrived.
    pub fn hear(&mut self) -> Option<(Asked, Heard)> {
        let bytes = &self.unread[self.taken..];
        let line = line_of(bytes)?;
        let (heard, length) = match bytes.strip_prefix(b"VALUE ") {
            None => (heard_line(&bytes[..line]), line + 2),
            Some(_) => {
                let size = String::from_utf8_lossy(&bytes[..line])
                    .split(' ')
                    .nth(3)
                    .and_then(|size| size.parse::<usize>().ok())
                    .unwrap_or(0);
                let end = line + 2 + size + 2;
                let tail = bytes.get(end..end + 5)?;
                let data = &bytes[line + 2..end - 2];
                let right = tail == b"END\r\n" && value::is_of(data, self.asked.front()?.key);
                (Heard::Hit { right }, end + 5)
            }
        };
        self.taken += length;
        Some((self.asked.pop_front()?, heard))
    }
}

fn line_of(bytes: &[u8]) -> Option<usize> {
    bytes.windows(2).position(|pair| pair == b"\r\n")
}

fn heard_line(line: &[u8]) -> Heard {
    match line {
        b"END" => Heard::Miss,
        b"STORED" => Heard::Stored,
        other => Heard::Error(String::from_utf8_lossy(other).into_owned()),
    }
}
