//! A pool that is served: its listening sockets and the workers behind them.

use crate::Snapshot;
use crate::coordinator::Members;
use crate::counters::Counters;
use crate::embedded::EmbeddedNode;
use crate::store::PoolRecord;
use crate::worker::{Listener, Mailbox, Message, Progress, Resolver, Shared, Worker};
use arc_swap::ArcSwap;
use evenkeel_core::migration::Epoch;
use std::collections::HashMap;
use std::io;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

/// A running pool. Ends with [`Pool::drain`] and [`Pool::join`].
#[derive(Debug)]
pub struct Pool {
    shared: Arc<Shared>,
    workers: Vec<Running>,
    listening: Vec<String>,
}

#[derive(Debug)]
struct Running {
    mailbox: Mailbox,
    counters: Arc<Counters>,
    progress: Arc<Progress>,
    thread: JoinHandle<io::Result<()>>,
}

impl Pool {
    /// Serves `snapshot` on `listeners`. `embedded` are its nodes inside this process, by name.
    pub fn start(
        snapshot: Snapshot,
        listeners: Vec<Listener>,
        embedded: HashMap<String, Arc<EmbeddedNode>>,
    ) -> io::Result<Self> {
        let listening = listeners.iter().map(Listener::name).collect();
        let workers = snapshot.settings.workers.max(1);
        let shared = Arc::new(Shared {
            snapshot: ArcSwap::from_pointee(snapshot),
            embedded: Mutex::new(embedded),
        });
        let resolver = Resolver::start()?;
        let workers = (0..workers)
            .map(|index| start(index, &shared, &listeners, &resolver))
            .collect::<io::Result<_>>()?;
        Ok(Self {
            shared,
            workers,
            listening,
        })
    }

    /// The addresses that it listens on, with the ports that were chosen.
    pub fn listening(&self) -> &[String] {
        &self.listening
    }

    /// What is served now.
    pub fn snapshot(&self) -> Arc<Snapshot> {
        self.shared.snapshot.load_full()
    }

    /// Serves another snapshot from now on. Clients stay connected.
    pub fn replace(&self, snapshot: Snapshot) {
        self.shared.snapshot.store(Arc::new(snapshot));
        self.tell(|| Message::Reload);
    }

    /// The workers, for whoever leads the pool's migrations.
    pub fn members(&self) -> Workers {
        let of = |worker: &Running| (worker.mailbox.clone(), worker.progress.clone());
        Workers {
            shared: self.shared.clone(),
            workers: self.workers.iter().map(of).collect(),
        }
    }

    /// The counts of all workers together, by name.
    pub fn counts(&self) -> Vec<(&'static str, u64)> {
        let mut sum: Vec<(&'static str, u64)> = Counters::default().list();
        for worker in &self.workers {
            for (total, (_, value)) in sum.iter_mut().zip(worker.counters.list()) {
                total.1 = total.1.wrapping_add(value);
            }
        }
        sum
    }

    /// Stops accepting and finishes what is in flight, within the drain timeout.
    pub fn drain(&self) {
        self.tell(|| Message::Drain);
    }

    /// True once all workers have ended.
    pub fn is_over(&self) -> bool {
        self.workers
            .iter()
            .all(|worker| worker.thread.is_finished())
    }

    /// Waits until all workers have ended.
    ///
    /// # Errors
    /// The first error that ended a worker.
    pub fn join(self) -> io::Result<()> {
        for worker in self.workers {
            worker
                .thread
                .join()
                .unwrap_or_else(|_| Err(io::Error::other("a worker has failed")))?;
        }
        Ok(())
    }

    fn tell(&self, message: impl Fn() -> Message) {
        for worker in &self.workers {
            worker.mailbox.send(message());
        }
    }
}

/// The workers of a pool as members of its migrations.
#[derive(Debug, Clone)]
pub struct Workers {
    shared: Arc<Shared>,
    workers: Vec<(Mailbox, Arc<Progress>)>,
}

impl Members for Workers {
    fn publish(&self, record: Arc<PoolRecord>) {
        let old = self.shared.snapshot.load();
        let snapshot = Snapshot::of_record(&old.pool, record, old.settings.clone());
        self.shared.snapshot.store(Arc::new(snapshot));
        for (mailbox, _) in &self.workers {
            mailbox.send(Message::Reload);
        }
    }

    fn acknowledged(&self) -> Epoch {
        let epochs = self
            .workers
            .iter()
            .map(|(_, progress)| progress.epoch.load(Ordering::Acquire));
        epochs.min().unwrap_or(0)
    }

    fn waiting_for(&self) -> Vec<String> {
        let wanted = self
            .shared
            .snapshot
            .load()
            .record
            .as_ref()
            .map_or(0, |record| record.epoch);
        let mut words = Vec::new();
        for (index, (_, progress)) in self.workers.iter().enumerate() {
            if progress.epoch.load(Ordering::Acquire) < wanted {
                let commands = progress.commands.load(Ordering::Relaxed);
                let connections = progress.connections.load(Ordering::Relaxed);
                words.push(format!(
                    "worker {index}: {commands} commands under way, {connections} connections that have not ended"
                ));
            }
        }
        words
    }
}

fn start(
    index: usize,
    shared: &Arc<Shared>,
    listeners: &[Listener],
    resolver: &Resolver,
) -> io::Result<Running> {
    let counters = Arc::new(Counters::default());
    let listeners = listeners
        .iter()
        .map(Listener::share)
        .collect::<io::Result<_>>()?;
    let progress = Arc::new(Progress::default());
    let worker = Worker::new(
        shared.clone(),
        listeners,
        resolver.clone(),
        counters.clone(),
        progress.clone(),
    )?;
    let mailbox = worker.mailbox();
    let thread = std::thread::Builder::new()
        .name(format!("worker-{index}"))
        .spawn(move || worker.run())?;
    Ok(Running {
        mailbox,
        counters,
        progress,
        thread,
    })
}
