//! The loop.

use super::accept::Accepting;
use super::nodes::{Lingering, Wire};
use super::socket::{Listener, Stream};
use super::{Mailbox, Message, Resolver};
use crate::Snapshot;
use crate::counters::Counters;
use crate::data::Engine;
use crate::embedded::EmbeddedNode;
use arc_swap::ArcSwap;
use mio::{Events, Poll, Token, Waker};
use slab::Slab;
use std::collections::HashMap;
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Bytes that are read from a socket at a time.
const READ_SIZE: usize = 64 * 1024;
/// Events that are taken in one turn.
const EVENTS: usize = 1024;
/// Longest wait for events. Nothing depends on it.
const LONGEST_WAIT: Duration = Duration::from_millis(500);
/// Time limits are looked at this often.
const TICK_MS: u64 = 5;
/// Requests in flight from which a pause before waiting gathers enough to be worth it.
const COALESCE_FROM: usize = 16;

/// What an event's token says: a number, and in the two lowest bits what it is the number of.
pub(super) const CLIENT: usize = 0;
pub(super) const LINK: usize = 1;
pub(super) const LINGERING: usize = 2;
pub(super) const LISTENER: usize = 3;
const WAKE: Token = Token(usize::MAX);

pub(super) fn token(number: usize, of: usize) -> Token {
    Token(number << 2 | of)
}

/// What all workers of a pool share.
#[derive(Debug)]
pub struct Shared {
    /// What is served; replaced as a whole.
    pub snapshot: ArcSwap<Snapshot>,
    /// Nodes inside this process, by name.
    pub embedded: Mutex<HashMap<String, Arc<EmbeddedNode>>>,
}

/// How far a migration has come at one worker. Its worker writes it, anybody may read.
#[derive(Debug, Default)]
pub struct Progress {
    /// The epoch that it acknowledges.
    pub epoch: AtomicU64,
    /// Commands of an earlier epoch that are under way.
    pub commands: AtomicU64,
    /// Connections with commands of an earlier epoch whose end has not been seen.
    pub connections: AtomicU64,
}

/// A client's socket.
#[derive(Debug)]
pub(super) struct Client {
    pub stream: Stream,
    /// It is in the list of those to be read.
    pub queued: bool,
    /// The peer has closed its side: read until the end is seen.
    pub ending: bool,
}

/// One event loop. Lives in a thread of its own.
#[derive(Debug)]
pub struct Worker {
    pub(super) engine: Engine,
    pub(super) poll: Poll,
    pub(super) shared: Arc<Shared>,
    pub(super) resolver: Resolver,
    pub(super) mailbox: Mailbox,
    mail: Receiver<Message>,
    pub(super) accepting: Accepting,
    pub(super) clients: Vec<Option<Client>>,
    pub(super) wires: Vec<Wire>,
    pub(super) lingering: Slab<Lingering>,
    /// Connections that were cut, and when they count as over.
    pub(super) cut: Vec<(Instant, u64)>,
    pub(super) buffer: Vec<u8>,
    pub(super) ready_clients: Vec<usize>,
    pub(super) ready_links: Vec<usize>,
    pub(super) scratch: Vec<usize>,
    pub(super) counters: Arc<Counters>,
    progress: Arc<Progress>,
    begun: Instant,
    ticked: u64,
    drain_until: Option<Instant>,
}

impl Worker {
    /// A worker with its handles of the listening sockets.
    pub fn new(
        shared: Arc<Shared>,
        listeners: Vec<Listener>,
        resolver: Resolver,
        counters: Arc<Counters>,
        progress: Arc<Progress>,
    ) -> io::Result<Self> {
        let poll = Poll::new()?;
        let (sender, mail) = channel();
        let waker = Arc::new(Waker::new(poll.registry(), WAKE)?);
        Ok(Self {
            engine: Engine::new(shared.snapshot.load_full(), counters.clone()),
            accepting: Accepting::register(listeners, poll.registry())?,
            poll,
            shared,
            resolver,
            mailbox: Mailbox { sender, waker },
            mail,
            clients: Vec::new(),
            wires: Vec::new(),
            lingering: Slab::new(),
            cut: Vec::new(),
            buffer: vec![0; READ_SIZE],
            ready_clients: Vec::new(),
            ready_links: Vec::new(),
            scratch: Vec::new(),
            counters,
            progress,
            begun: Instant::now(),
            ticked: 0,
            drain_until: None,
        })
    }

    /// Where to tell it something.
    pub fn mailbox(&self) -> Mailbox {
        self.mailbox.clone()
    }

    /// Runs until it was told to drain and has.
    pub fn run(mut self) -> io::Result<()> {
        let mut events = Events::with_capacity(EVENTS);
        self.act();
        while !self.is_drained() {
            self.turn(&mut events)?;
        }
        Ok(())
    }

    fn turn(&mut self, events: &mut Events) -> io::Result<()> {
        self.coalesce();
        match self.poll.poll(events, Some(self.wait())) {
            Err(error) if error.kind() != io::ErrorKind::Interrupted => return Err(error),
            _ => {}
        }
        self.look_at_the_clock();
        self.look_at_the_snapshot();
        self.dispatch(events);
        self.accept();
        self.resume();
        self.read_clients();
        self.act();
        self.flush_links();
        self.read_links();
        self.engine.operate();
        self.acknowledge();
        self.act();
        self.flush_links();
        self.flush_clients();
        Ok(())
    }

    /// Tells how far the migration has come here. Nothing for a pool without a record.
    fn acknowledge(&mut self) {
        if let Some(epoch) = self.engine.acknowledges() {
            self.progress.epoch.store(epoch, Ordering::Release);
        }
        let (commands, connections) = self.engine.draining();
        self.progress
            .commands
            .store(commands as u64, Ordering::Relaxed);
        self.progress
            .connections
            .store(connections as u64, Ordering::Relaxed);
    }

    /// How long there is nothing to do without an event.
    fn wait(&self) -> Duration {
        if self.engine.has_resumable()
            || !self.ready_clients.is_empty()
            || !self.ready_links.is_empty()
        {
            return Duration::ZERO;
        }
        let patience = Duration::from_millis(self.engine.patience().max(1));
        patience.min(self.accepting.wait()).min(LONGEST_WAIT)
    }

    fn coalesce(&self) {
        let pause = self.engine.snapshot().settings.coalesce;
        if !pause.is_zero() && self.engine.in_flight() >= COALESCE_FROM {
            std::thread::sleep(pause);
        }
    }

    fn look_at_the_clock(&mut self) {
        let now = self.begun.elapsed().as_millis() as u64;
        self.engine.set_now(now);
        if now >= self.ticked + TICK_MS {
            self.ticked = now;
            self.engine.tick(now);
            self.end_lingering();
        }
    }

    fn look_at_the_snapshot(&mut self) {
        let snapshot = self.shared.snapshot.load();
        if !Arc::ptr_eq(&snapshot, self.engine.snapshot()) {
            self.engine.serve(arc_swap::Guard::into_inner(snapshot));
        }
    }

    fn dispatch(&mut self, events: &Events) {
        for event in events {
            if event.token() == WAKE {
                self.read_mail();
                continue;
            }
            let number = event.token().0 >> 2;
            match event.token().0 & 3 {
                CLIENT => self.client_event(number, event),
                LINK => self.link_event(number, event),
                LINGERING => self.drain_lingering(number),
                _ => self.accepting.ready(number),
            }
        }
    }

    fn read_mail(&mut self) {
        while let Ok(message) = self.mail.try_recv() {
            match message {
                Message::Resolved {
                    link,
                    connection,
                    addresses,
                } => self.resolved(link, connection, &addresses),
                // The snapshot is looked at in every turn.
                Message::Reload => {}
                Message::Drain => self.drain(),
            }
        }
    }

    /// Stops accepting. What has come in by now is still read.
    fn drain(&mut self) {
        if self.drain_until.is_some() {
            return;
        }
        let timeout = self.engine.snapshot().settings.drain_timeout;
        self.drain_until = Some(Instant::now() + timeout);
        self.accepting.stop();
        for id in 0..self.clients.len() {
            self.queue_client(id);
        }
    }

    /// True once the worker may end. Clients are closed as soon as they have their answers.
    fn is_drained(&mut self) -> bool {
        let Some(until) = self.drain_until else {
            return false;
        };
        if self.ready_clients.is_empty() {
            self.engine.close_clients();
            self.flush_clients();
        }
        self.engine.clients() == 0 || Instant::now() >= until
    }
}
