//! How servers are reached: over TCP, a unix socket, or inside this process.

use std::collections::HashMap;
use std::io;
use std::sync::Arc;

use evenkeel_core::Address;
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream};
use tokio::net::{TcpStream, UnixStream};

use super::link::{Dialling, Network, Stream};
use crate::embedded::{EmbeddedNode, EmbeddedSession};

/// What the name of an embedded node's server begins with.
const EMBEDDED: &str = "embedded:";

/// Bytes under way between us and an embedded node.
const PIPE: usize = 64 * 1024;

/// The servers that this process can reach.
#[derive(Default, Clone)]
pub struct Reach {
    embedded: HashMap<String, Arc<EmbeddedNode>>,
}

impl Reach {
    /// Adds an embedded node by its name.
    #[must_use]
    pub fn with_embedded(mut self, name: &str, node: Arc<EmbeddedNode>) -> Self {
        self.embedded.insert(format!("{EMBEDDED}{name}"), node);
        self
    }
}

impl Network for Reach {
    fn dial(&self, server: &str) -> Dialling {
        let embedded = self.embedded.get(server).cloned();
        let server = server.to_owned();
        Box::pin(async move {
            if let Some(node) = embedded {
                return Ok(Box::new(session(node)) as Box<dyn Stream>);
            }
            dial_address(&server).await
        })
    }
}

async fn dial_address(server: &str) -> io::Result<Box<dyn Stream>> {
    let address: Address = server
        .parse()
        .map_err(|error| io::Error::new(io::ErrorKind::InvalidInput, error))?;
    match address {
        Address::Tcp { host, port } => {
            let stream = TcpStream::connect((host.as_str(), port)).await?;
            stream.set_nodelay(true)?;
            Ok(Box::new(stream))
        }
        Address::Unix(path) => Ok(Box::new(UnixStream::connect(path).await?)),
        Address::Embedded => Err(io::Error::new(
            io::ErrorKind::NotFound,
            format!("this process has no node {server}"),
        )),
    }
}

fn session(node: Arc<EmbeddedNode>) -> DuplexStream {
    let (ours, theirs) = tokio::io::duplex(PIPE);
    tokio::spawn(serve(theirs, EmbeddedSession::new(node)));
    ours
}

/// Ends when the other side does.
async fn serve(mut stream: DuplexStream, mut session: EmbeddedSession) {
    let mut received = vec![0; PIPE];
    let mut out = Vec::new();
    while !session.is_closed() {
        let Ok(count @ 1..) = stream.read(&mut received).await else {
            return;
        };
        session.receive(received.get(..count).unwrap_or_default(), &mut out);
        if stream.write_all(&out).await.is_err() {
            return;
        }
        out.clear();
    }
}
