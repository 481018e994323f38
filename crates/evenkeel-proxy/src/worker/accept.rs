//! Accepting clients.

use super::event_loop::{Client, LISTENER, Worker, token};
use super::socket::Listener;
use mio::Registry;
use std::io;
use std::time::{Duration, Instant};

/// Clients accepted from one listener in one turn; the others' turn is theirs, or another worker's.
const ACCEPTS_PER_TURN: usize = 32;
/// Pause after accepting failed, mostly for want of descriptors: they come back as clients leave.
const PAUSE: Duration = Duration::from_millis(100);

/// The listening sockets of a worker. An error of one accept is that client's, or passes; it never ends a listener.
#[derive(Debug)]
pub(super) struct Accepting {
    listeners: Vec<(Listener, bool)>,
    paused_until: Option<Instant>,
}

impl Accepting {
    pub fn register(listeners: Vec<Listener>, registry: &Registry) -> io::Result<Self> {
        let mut registered = Vec::new();
        for (index, mut listener) in listeners.into_iter().enumerate() {
            listener.register(registry, token(index, LISTENER))?;
            registered.push((listener, true));
        }
        Ok(Self {
            listeners: registered,
            paused_until: None,
        })
    }

    /// Somebody knocks.
    pub fn ready(&mut self, index: usize) {
        if let Some((_, ready)) = self.listeners.get_mut(index) {
            *ready = true;
        }
    }

    /// No more clients.
    pub fn stop(&mut self) {
        self.listeners.clear();
    }

    /// How long nothing is to be done without an event.
    pub fn wait(&self) -> Duration {
        if !self.listeners.iter().any(|(_, ready)| *ready) {
            return Duration::MAX;
        }
        match self.paused_until {
            Some(until) => until.saturating_duration_since(Instant::now()),
            None => Duration::ZERO,
        }
    }
}

impl Worker {
    pub(super) fn accept(&mut self) {
        if self
            .accepting
            .paused_until
            .is_some_and(|until| until > Instant::now())
        {
            return;
        }
        self.accepting.paused_until = None;
        for index in 0..self.accepting.listeners.len() {
            self.accept_from(index);
        }
    }

    fn accept_from(&mut self, index: usize) {
        for _ in 0..ACCEPTS_PER_TURN {
            let settings = &self.engine.snapshot().settings;
            let is_full = self.engine.clients() >= settings.max_clients;
            let keepalive = settings.keepalive;
            let Some((listener, ready)) = self.accepting.listeners.get_mut(index) else {
                return;
            };
            if !*ready {
                return;
            }
            if is_full {
                self.accepting.paused_until = Some(Instant::now() + PAUSE);
                return;
            }
            match listener.accept(keepalive) {
                Ok(stream) => self.take_in(stream),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    *ready = false;
                    return;
                }
                // The client went away before we came; the next may be there.
                Err(error)
                    if matches!(
                        error.kind(),
                        io::ErrorKind::ConnectionAborted
                            | io::ErrorKind::ConnectionReset
                            | io::ErrorKind::Interrupted
                    ) => {}
                Err(_) => {
                    self.counters.accept_errors.add();
                    self.accepting.paused_until = Some(Instant::now() + PAUSE);
                    return;
                }
            }
        }
    }

    fn take_in(&mut self, mut stream: super::socket::Stream) {
        let id = self.engine.open();
        if stream
            .register(self.poll.registry(), token(id, super::event_loop::CLIENT))
            .is_err()
        {
            self.engine.forget(id);
            return;
        }
        if self.clients.len() <= id {
            self.clients.resize_with(id + 1, || None);
        }
        if let Some(place) = self.clients.get_mut(id) {
            *place = Some(Client {
                stream,
                queued: false,
                ending: false,
            });
        }
        self.queue_client(id);
    }
}
