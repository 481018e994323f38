//! A node that does what a script says, byte by byte: late, cut, doubled, malformed, reset.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// What a scripted node does next on a connection.
#[derive(Clone, Debug)]
pub enum Act {
    /// Reads until what it has read on this connection since the last such act ends with these bytes.
    Await(&'static str),
    /// Sends these bytes at once.
    Send(Vec<u8>),
    /// Sends these bytes one by one, each in a packet of its own.
    Trickle(Vec<u8>),
    Sleep(Duration),
    /// Says that it will send no more, and goes on reading.
    Finish,
    /// Closes the connection so that the peer sees a reset, not an end.
    Reset,
    /// Reads and answers nothing until the peer closes.
    Listen,
}

/// A listener whose first connection follows the first script, the second the second, and so on; connections beyond the
/// last script follow that one again. A connection is closed at its script's end.
pub struct ScriptedNode {
    port: u16,
    seen: Arc<Mutex<Vec<Vec<u8>>>>,
}

impl ScriptedNode {
    pub fn start(scripts: Vec<Vec<Act>>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("the loopback has a free port");
        let port = listener.local_addr().expect("a bound socket").port();
        let seen: Arc<Mutex<Vec<Vec<u8>>>> = Arc::default();
        let record = seen.clone();
        std::thread::spawn(move || accept(&listener, &scripts, &record));
        Self { port, seen }
    }

    pub fn port(&self) -> u16 {
        self.port
    }

    pub fn address(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    /// What each connection has received so far, in the order of the connections.
    pub fn received(&self) -> Vec<String> {
        let seen = self.seen.lock().expect("no test thread panicked");
        seen.iter()
            .map(|bytes| String::from_utf8_lossy(bytes).into_owned())
            .collect()
    }
}

fn accept(listener: &TcpListener, scripts: &[Vec<Act>], seen: &Arc<Mutex<Vec<Vec<u8>>>>) {
    for (index, stream) in listener.incoming().enumerate() {
        let Ok(stream) = stream else { return };
        let script = scripts.get(index).or(scripts.last()).cloned();
        let seen = seen.clone();
        seen.lock()
            .expect("no test thread panicked")
            .push(Vec::new());
        std::thread::spawn(move || {
            Connection {
                stream,
                index,
                seen,
            }
            .follow(script.unwrap_or_default())
        });
    }
}

struct Connection {
    stream: TcpStream,
    index: usize,
    seen: Arc<Mutex<Vec<Vec<u8>>>>,
}

impl Connection {
    fn follow(mut self, script: Vec<Act>) {
        let _ = self.stream.set_nodelay(true);
        for act in script {
            if !self.act(act) {
                return;
            }
        }
    }

    /// False when the connection is over.
    fn act(&mut self, act: Act) -> bool {
        match act {
            Act::Await(end) => self.read_until(end.as_bytes()),
            Act::Send(bytes) => self.stream.write_all(&bytes).is_ok(),
            Act::Trickle(bytes) => bytes.chunks(1).all(|byte| {
                std::thread::sleep(Duration::from_micros(200));
                self.stream.write_all(byte).is_ok()
            }),
            Act::Sleep(time) => {
                std::thread::sleep(time);
                true
            }
            Act::Finish => self.stream.shutdown(Shutdown::Write).is_ok(),
            Act::Reset => {
                let _ = socket2::SockRef::from(&self.stream).set_linger(Some(Duration::ZERO));
                false
            }
            Act::Listen => {
                while self.read().is_some() {}
                false
            }
        }
    }

    fn read_until(&mut self, end: &[u8]) -> bool {
        let mut got = Vec::new();
        while !got.ends_with(end) {
            match self.read() {
                Some(byte) => got.push(byte),
                None => return false,
            }
        }
        true
    }

    fn read(&mut self) -> Option<u8> {
        let mut byte = [0];
        if self.stream.read(&mut byte).ok()? == 0 {
            return None;
        }
        self.seen.lock().ok()?.get_mut(self.index)?.push(byte[0]);
        Some(byte[0])
    }
}
