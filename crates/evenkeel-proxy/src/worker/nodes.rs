//! Connecting to nodes, reading from them and writing to them.

use super::event_loop::{LINGERING, LINK, Worker, token};
use super::socket::Stream;
use crate::data::Action;
use crate::embedded::{EmbeddedNode, EmbeddedSession};
use evenkeel_core::Address;
use evenkeel_core::migration::Options;
use mio::event::Event;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Memory in bytes of an embedded node that has no limit of its own. memcached's default.
pub const EMBEDDED_MEMORY: u64 = 64 * 1024 * 1024;
/// How long a connection that was given up may linger until its node ends it too.
const LINGER: Duration = Duration::from_secs(30);

/// What a node connection is made of now.
#[derive(Debug, Default)]
pub(super) enum Wire {
    #[default]
    None,
    Connecting(Stream),
    Up {
        stream: Stream,
        queued: bool,
        ending: bool,
    },
    Embedded(Box<EmbeddedSession>),
}

/// A connection that was given up, until its node has seen that no more comes.
#[derive(Debug)]
pub(super) struct Lingering {
    stream: Stream,
    connection: u64,
    until: Instant,
}

impl Worker {
    /// Does what the engine wants of sockets.
    pub(super) fn act(&mut self) {
        loop {
            let actions = self.engine.take_actions();
            if actions.is_empty() {
                return;
            }
            for action in actions {
                match action {
                    Action::Connect { link } => self.connect(link),
                    Action::Close {
                        link,
                        connection,
                        linger,
                    } => self.close_link(link, connection, linger),
                }
            }
        }
    }

    fn set_wire(&mut self, link: usize, wire: Wire) -> Wire {
        if self.wires.len() <= link {
            self.wires.resize_with(link + 1, Wire::default);
        }
        self.wires
            .get_mut(link)
            .map(|place| std::mem::replace(place, wire))
            .unwrap_or_default()
    }

    fn connect(&mut self, link: usize) {
        self.set_wire(link, Wire::None);
        match self.engine.address_of(link).cloned() {
            None => {}
            Some(Address::Embedded) => {
                let session = EmbeddedSession::new(self.embedded(link));
                self.set_wire(link, Wire::Embedded(Box::new(session)));
                self.engine.link_open(link);
            }
            Some(Address::Unix(path)) => self.connecting(link, Stream::connect_unix(&path)),
            Some(Address::Tcp { host, port }) => match host.parse::<IpAddr>() {
                Ok(ip) => self.connect_to(link, SocketAddr::new(ip, port)),
                Err(_) => {
                    let connection = self.engine.connection_of(link);
                    self.resolver
                        .ask(&host, port, link, connection, &self.mailbox);
                }
            },
        }
    }

    /// The node inside this process; made when it is first connected to.
    fn embedded(&self, link: usize) -> Arc<EmbeddedNode> {
        let name = self.engine.node_name(link).to_owned();
        let mut nodes = self
            .shared
            .embedded
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        nodes
            .entry(name)
            .or_insert_with(|| Arc::new(EmbeddedNode::new(EMBEDDED_MEMORY)))
            .clone()
    }

    pub(super) fn resolved(&mut self, link: usize, connection: u64, addresses: &[SocketAddr]) {
        if self.engine.connection_of(link) != connection {
            return;
        }
        // Another address each time, in case one of them does not answer.
        let index = (connection as usize).checked_rem(addresses.len());
        match index.and_then(|index| addresses.get(index)) {
            Some(address) => self.connect_to(link, *address),
            None => self.engine.link_lost(link, "its name has no address"),
        }
    }

    fn connect_to(&mut self, link: usize, address: SocketAddr) {
        let keepalive = self.engine.snapshot().settings.keepalive;
        self.connecting(link, Stream::connect_tcp(address, keepalive));
    }

    fn connecting(&mut self, link: usize, stream: io::Result<Stream>) {
        let registered = stream.and_then(|mut stream| {
            stream.register(self.poll.registry(), token(link, LINK))?;
            Ok(stream)
        });
        match registered {
            Ok(stream) => {
                self.set_wire(link, Wire::Connecting(stream));
            }
            Err(error) => self.engine.link_lost(link, &error.to_string()),
        }
    }

    pub(super) fn link_event(&mut self, link: usize, event: &Event) {
        let Some(wire) = self.wires.get_mut(link) else {
            return;
        };
        if let Wire::Connecting(stream) = wire {
            match stream.connected() {
                Ok(false) => return,
                Ok(true) => self.opened(link),
                Err(error) => {
                    *wire = Wire::None;
                    return self.engine.link_lost(link, &error.to_string());
                }
            }
        }
        if let Some(Wire::Up { queued, ending, .. }) = self.wires.get_mut(link) {
            *ending |= event.is_read_closed();
            if (event.is_readable() || event.is_read_closed()) && !*queued {
                *queued = true;
                self.ready_links.push(link);
            }
            if event.is_writable() && !self.engine.link_output(link).is_empty() {
                self.flush_link(link);
            }
        }
    }

    fn opened(&mut self, link: usize) {
        if let Wire::Connecting(stream) = self.set_wire(link, Wire::None) {
            self.set_wire(
                link,
                Wire::Up {
                    stream,
                    queued: false,
                    ending: false,
                },
            );
            self.engine.link_open(link);
        }
    }

    pub(super) fn flush_links(&mut self) {
        let mut touched = std::mem::take(&mut self.scratch);
        self.engine.take_touched_links(&mut touched);
        for link in touched.drain(..) {
            self.flush_link(link);
        }
        self.scratch = touched;
    }

    fn flush_link(&mut self, link: usize) {
        match self.wires.get_mut(link) {
            Some(Wire::Up { stream, .. }) => {
                while !self.engine.link_output(link).is_empty() {
                    match stream.write(self.engine.link_output(link)) {
                        Ok(len) => self.engine.link_sent(link, len),
                        Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                        Err(error) if error.kind() == io::ErrorKind::WouldBlock => return,
                        Err(error) => return self.cut(link, &error.to_string()),
                    }
                }
            }
            Some(Wire::Embedded(session)) => {
                let mut answer = Vec::new();
                let output = self.engine.link_output(link);
                let len = output.len();
                session.receive(output, &mut answer);
                self.engine.link_sent(link, len);
                self.engine.link_received(link, &answer);
            }
            _ => {}
        }
    }

    pub(super) fn read_links(&mut self) {
        let mut ready = std::mem::take(&mut self.ready_links);
        for link in ready.drain(..) {
            self.read_link(link);
        }
        if self.ready_links.is_empty() {
            self.ready_links = ready;
        }
    }

    fn read_link(&mut self, link: usize) {
        let Some(Wire::Up {
            stream,
            queued,
            ending,
        }) = self.wires.get_mut(link)
        else {
            return;
        };
        *queued = false;
        match stream.read(&mut self.buffer) {
            Ok(0) => self.lost(link, "it closed the connection"),
            Ok(len) => {
                if len == self.buffer.len() || *ending {
                    *queued = true;
                    self.ready_links.push(link);
                }
                let bytes = self.buffer.get(..len).unwrap_or_default();
                self.engine.link_received(link, bytes);
            }
            Err(error)
                if matches!(
                    error.kind(),
                    io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted
                ) => {}
            Err(error) => self.cut(link, &error.to_string()),
        }
    }

    /// The connection was cut. The node may still carry out what it has received, so it counts as over only later.
    fn cut(&mut self, link: usize, why: &str) {
        let connection = self.engine.connection_of(link);
        self.set_wire(link, Wire::None);
        self.engine.link_reset(link, why);
        self.over_after_grace(connection);
    }

    fn over_after_grace(&mut self, connection: u64) {
        let record = self.engine.snapshot().record.as_ref();
        let options = record.and_then(|record| {
            record
                .migration
                .as_ref()
                .map(|migration| &migration.options)
        });
        let grace = options.map_or_else(
            || Options::default().late_grace_ms,
            |options| options.late_grace_ms,
        );
        self.cut
            .push((Instant::now() + Duration::from_millis(grace), connection));
    }

    /// The node itself has ended the connection.
    fn lost(&mut self, link: usize, why: &str) {
        let connection = self.engine.connection_of(link);
        self.set_wire(link, Wire::None);
        self.engine.link_lost(link, why);
        self.engine.connection_over(connection);
    }

    fn close_link(&mut self, link: usize, connection: u64, linger: bool) {
        let wire = self.set_wire(link, Wire::None);
        let Wire::Up { mut stream, .. } = wire else {
            return;
        };
        if !linger {
            return;
        }
        stream.finish();
        let entry = self.lingering.vacant_entry();
        let registered = stream.reregister(self.poll.registry(), token(entry.key(), LINGERING));
        if registered.is_ok() {
            entry.insert(Lingering {
                stream,
                connection,
                until: Instant::now() + LINGER,
            });
        } else {
            self.over_after_grace(connection);
        }
    }

    /// Reads what a given-up connection still brings, to its end.
    pub(super) fn drain_lingering(&mut self, number: usize) {
        let Some(lingering) = self.lingering.get_mut(number) else {
            return;
        };
        let is_proven = loop {
            match lingering.stream.read(&mut self.buffer) {
                Ok(0) => break true,
                Ok(_) => {}
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return,
                Err(_) => break false,
            }
        };
        let connection = lingering.connection;
        self.lingering.remove(number);
        if is_proven {
            self.engine.connection_over(connection);
        } else {
            self.over_after_grace(connection);
        }
    }

    /// A node that never ends a connection is not waited for without end: it is cut, and over when the grace is.
    pub(super) fn end_lingering(&mut self) {
        let now = Instant::now();
        let mut given_up = Vec::new();
        self.lingering.retain(|_, lingering| {
            let stays = lingering.until > now;
            given_up.extend((!stays).then_some(lingering.connection));
            stays
        });
        for connection in given_up {
            self.over_after_grace(connection);
        }
        let engine = &mut self.engine;
        self.cut.retain(|&(at, connection)| {
            let stays = at > now;
            if !stays {
                engine.connection_over(connection);
            }
            stays
        });
    }
}
