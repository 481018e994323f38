//! The sockets of one worker, and its event loop.
//!
//! A turn reads all clients that are ready, sends once to each node that got something, reads all nodes that are ready,
//! and sends once to each client that got something. Sockets are registered once, for both directions, edge-triggered;
//! so a turn costs no system call but reads, writes and one wait.

mod accept;
mod clients;
mod event_loop;
mod nodes;
mod resolver;
mod socket;

pub use event_loop::{Progress, Shared, Worker};
pub use nodes::EMBEDDED_MEMORY;
pub use resolver::Resolver;
pub use socket::Listener;

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::mpsc::Sender;

/// What other threads tell a worker.
#[derive(Debug)]
pub enum Message {
    /// The addresses of a node's name; none if it has none.
    Resolved {
        link: usize,
        connection: u64,
        addresses: Vec<SocketAddr>,
    },
    /// Look at the snapshot: it has changed.
    Reload,
    /// Stop accepting, finish what is in flight, end.
    Drain,
}

/// Where to tell it, from any thread.
#[derive(Clone, Debug)]
pub struct Mailbox {
    sender: Sender<Message>,
    waker: Arc<mio::Waker>,
}

impl Mailbox {
    /// Tells the worker. A worker that has ended is told nothing.
    pub fn send(&self, message: Message) {
        if self.sender.send(message).is_ok() {
            let _ = self.waker.wake();
        }
    }
}
