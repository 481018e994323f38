//! A client that sends bytes and says which bytes it expects.

use std::io::{ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::{Duration, Instant};

/// How long a client waits for an answer.
const PATIENCE: Duration = Duration::from_secs(10);

/// One connection to a memcached, a proxy, or a scripted node.
pub struct Client {
    stream: TcpStream,
}

impl Client {
    pub fn connect(port: u16) -> Self {
        Self::from_stream(TcpStream::connect(("127.0.0.1", port)).expect("somebody listens"))
    }

    pub fn from_stream(stream: TcpStream) -> Self {
        stream.set_nodelay(true).expect("a socket option");
        Self { stream }
    }

    pub fn send(&mut self, bytes: impl AsRef<[u8]>) {
        self.stream
            .write_all(bytes.as_ref())
            .expect("the connection takes bytes");
    }

    /// Sends `request` and asserts that exactly `reply` comes back.
    #[track_caller]
    pub fn expect(&mut self, request: impl AsRef<[u8]>, reply: impl AsRef<[u8]>) {
        self.send(request);
        self.receive(reply);
    }

    /// Asserts that exactly `reply` comes next.
    #[track_caller]
    pub fn receive(&mut self, reply: impl AsRef<[u8]>) {
        let reply = reply.as_ref();
        let got = self.read(reply.len(), PATIENCE);
        assert!(
            got == reply,
            "expected {:?}\n     got {:?}",
            String::from_utf8_lossy(reply),
            String::from_utf8_lossy(&got)
        );
    }

    /// Asserts that nothing comes for `time`.
    #[track_caller]
    pub fn receive_nothing(&mut self, time: Duration) {
        let got = self.read(1, time);
        assert!(got.is_empty(), "expected nothing, got {got:?}");
    }

    /// The next line with its line end; whatever came if the peer closed or nothing more comes in time.
    pub fn line(&mut self) -> String {
        let mut line = Vec::new();
        while !line.ends_with(b"\n") {
            let byte = self.read(1, PATIENCE);
            if byte.is_empty() {
                break;
            }
            line.extend(byte);
        }
        String::from_utf8_lossy(&line).into_owned()
    }

    /// All that comes until the peer closes.
    pub fn rest(&mut self) -> Vec<u8> {
        self.read(usize::MAX, PATIENCE)
    }

    /// Says that no more bytes will be sent.
    pub fn finish(&mut self) {
        let _ = self.stream.shutdown(Shutdown::Write);
    }

    /// Up to `want` bytes; fewer when the peer closes or `patience` is over.
    pub fn read(&mut self, want: usize, patience: Duration) -> Vec<u8> {
        let begun = Instant::now();
        let mut got = Vec::new();
        let mut buffer = [0; 64 * 1024];
        while got.len() < want {
            let Some(left) = patience
                .checked_sub(begun.elapsed())
                .filter(|left| !left.is_zero())
            else {
                break;
            };
            self.stream
                .set_read_timeout(Some(left))
                .expect("a socket option");
            let room = buffer.len().min(want - got.len());
            match self.stream.read(&mut buffer[..room]) {
                Ok(0) => break,
                Ok(read) => got.extend_from_slice(&buffer[..read]),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(_) => break,
            }
        }
        got
    }
}
