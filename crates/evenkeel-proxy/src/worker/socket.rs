//! Sockets, whatever family they are of.

use mio::event::Source;
use mio::net::{TcpListener, TcpStream, UnixListener, UnixStream};
use mio::{Interest, Registry, Token};
use socket2::{SockRef, TcpKeepalive};
use std::io::{self, Read, Write};
use std::net::{Shutdown, SocketAddr};
use std::os::fd::AsFd;
use std::path::Path;
use std::time::Duration;

/// A connected socket.
#[derive(Debug)]
pub enum Stream {
    Tcp(TcpStream),
    Unix(UnixStream),
}

impl Stream {
    /// Begins to connect.
    pub fn connect_tcp(to: SocketAddr, keepalive: Duration) -> io::Result<Self> {
        let stream = TcpStream::connect(to)?;
        tune(&stream, keepalive);
        Ok(Self::Tcp(stream))
    }

    /// Begins to connect.
    pub fn connect_unix(path: &str) -> io::Result<Self> {
        UnixStream::connect(path).map(Self::Unix)
    }

    /// Whether a connect has come to an end, and how.
    pub fn connected(&self) -> io::Result<bool> {
        if let Some(error) = match self {
            Self::Tcp(stream) => stream.take_error()?,
            Self::Unix(stream) => stream.take_error()?,
        } {
            return Err(error);
        }
        let peer = match self {
            Self::Tcp(stream) => stream.peer_addr().map(drop),
            Self::Unix(stream) => stream.peer_addr().map(drop),
        };
        match peer {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == io::ErrorKind::NotConnected => Ok(false),
            Err(error) => Err(error),
        }
    }

    pub fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Tcp(stream) => stream.read(buffer),
            Self::Unix(stream) => stream.read(buffer),
        }
    }

    pub fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Tcp(stream) => stream.write(bytes),
            Self::Unix(stream) => stream.write(bytes),
        }
    }

    /// Says that no more will be sent.
    pub fn finish(&self) {
        // The peer may be gone already, which says the same.
        let _ = match self {
            Self::Tcp(stream) => stream.shutdown(Shutdown::Write),
            Self::Unix(stream) => stream.shutdown(Shutdown::Write),
        };
    }

    /// Registers once for both directions; edges tell the rest.
    pub fn register(&mut self, registry: &Registry, token: Token) -> io::Result<()> {
        self.source()
            .register(registry, token, Interest::READABLE | Interest::WRITABLE)
    }

    /// Changes the token.
    pub fn reregister(&mut self, registry: &Registry, token: Token) -> io::Result<()> {
        self.source()
            .reregister(registry, token, Interest::READABLE | Interest::WRITABLE)
    }

    fn source(&mut self) -> &mut dyn Source {
        match self {
            Self::Tcp(stream) => stream,
            Self::Unix(stream) => stream,
        }
    }
}

/// Small packets at once, and a peer that vanished is noticed. Both are improvements only, so failures do not matter.
fn tune(socket: &impl AsFd, keepalive: Duration) {
    let socket = SockRef::from(socket);
    let _ = socket.set_tcp_nodelay(true);
    let probes = TcpKeepalive::new()
        .with_time(keepalive)
        .with_interval(keepalive / 4);
    let _ = socket.set_tcp_keepalive(&probes);
}

/// A listening socket, shared by all workers.
#[derive(Debug)]
pub enum Listener {
    Tcp(TcpListener),
    Unix(UnixListener),
}

impl Listener {
    /// Binds `host:port` and listens.
    pub fn bind_tcp(address: &str) -> io::Result<Self> {
        bind_first(std::net::ToSocketAddrs::to_socket_addrs(address)?)
    }

    /// Binds a socket file and listens. One that nobody listens on is left over from a process that was killed, and is
    /// replaced.
    pub fn bind_unix(path: &Path) -> io::Result<Self> {
        match UnixListener::bind(path) {
            Err(error) if error.kind() == io::ErrorKind::AddrInUse => {
                if std::os::unix::net::UnixStream::connect(path).is_ok() {
                    return Err(error);
                }
                std::fs::remove_file(path)?;
                UnixListener::bind(path).map(Self::Unix)
            }
            bound => bound.map(Self::Unix),
        }
    }

    /// Another handle of the same socket, for another worker.
    pub fn share(&self) -> io::Result<Self> {
        use std::os::fd::OwnedFd;
        Ok(match self {
            Self::Tcp(listener) => {
                let handle: OwnedFd = listener.as_fd().try_clone_to_owned()?;
                Self::Tcp(TcpListener::from_std(handle.into()))
            }
            Self::Unix(listener) => {
                let handle: OwnedFd = listener.as_fd().try_clone_to_owned()?;
                Self::Unix(UnixListener::from_std(handle.into()))
            }
        })
    }

    /// The address that was bound, for people; shows the port that the system chose.
    pub fn name(&self) -> String {
        match self {
            Self::Tcp(listener) => listener
                .local_addr()
                .map_or_else(|error| error.to_string(), |address| address.to_string()),
            Self::Unix(listener) => listener
                .local_addr()
                .ok()
                .and_then(|address| address.as_pathname().map(|path| path.display().to_string()))
                .map_or_else(|| "unix".to_owned(), |path| format!("unix:{path}")),
        }
    }

    pub fn accept(&self, keepalive: Duration) -> io::Result<Stream> {
        match self {
            Self::Tcp(listener) => {
                let (stream, _) = listener.accept()?;
                tune(&stream, keepalive);
                Ok(Stream::Tcp(stream))
            }
            Self::Unix(listener) => listener.accept().map(|(stream, _)| Stream::Unix(stream)),
        }
    }

    pub fn register(&mut self, registry: &Registry, token: Token) -> io::Result<()> {
        let source: &mut dyn Source = match self {
            Self::Tcp(listener) => listener,
            Self::Unix(listener) => listener,
        };
        source.register(registry, token, Interest::READABLE)
    }
}

fn bind_first(addresses: impl Iterator<Item = SocketAddr>) -> io::Result<Listener> {
    let mut last = io::Error::other("the name has no address");
    for address in addresses {
        match TcpListener::bind(address) {
            Ok(listener) => return Ok(Listener::Tcp(listener)),
            Err(error) => last = error,
        }
    }
    Err(last)
}
