//! Opening pools.

use super::ServeError;
use crate::control;
use crate::coordinator::{Coordinator, Members, Setup};
use crate::copier::{Network, Rates, Reach};
use crate::embedded::EmbeddedNode;
use crate::pool::Workers;
use crate::store::{PoolRecord, StateDirectory};
use crate::worker::{EMBEDDED_MEMORY, Listener};
use crate::{Pool, Snapshot};
use evenkeel_config::{Listen, Protocol};
use evenkeel_core::Address;
use evenkeel_core::migration::Epoch;
use std::collections::HashMap;
use std::io;
use std::net::ToSocketAddrs;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// Binds a pool's addresses and starts its workers.
///
/// With a state directory it serves what the record says, and gives what leads its changes.
pub(super) fn pool(
    pool: &evenkeel_config::Pool,
    allow_embedded: bool,
    state: Option<&StateDirectory>,
) -> Result<(Arc<Pool>, Option<Led>), ServeError> {
    if pool.protocol != Protocol::Memcached {
        return Err(ServeError::Protocol {
            pool: pool.name.clone(),
        });
    }
    let embedded = embedded(pool);
    if let Some(address) = pool.listen.iter().find(|listen| !is_local(listen))
        && !embedded.is_empty()
        && !allow_embedded
    {
        return Err(ServeError::EmbeddedOutside {
            pool: pool.name.clone(),
            address: address.to_string(),
        });
    }
    let listeners = pool.listen.iter().map(bind).collect::<Result<_, _>>()?;
    let Some(state) = state else {
        let snapshot = Snapshot::new(&pool.name, pool.topology.clone(), pool.settings.clone());
        let served = Pool::start(snapshot, listeners, embedded)?;
        return Ok((Arc::new(served), None));
    };
    let workers = Arc::new(Late::new());
    let (coordinator, control) = lead(pool, &embedded, state, workers.clone())?;
    if control.leader.was_restarted() {
        workers.begin_after(Duration::from_millis(pool.migration.options.late_grace_ms));
    }
    let record = control.leader.record();
    let snapshot = Snapshot::of_record(&pool.name, record, pool.settings.clone());
    let served = Arc::new(Pool::start(snapshot, listeners, embedded)?);
    workers.start(served.members());
    let led = Led {
        name: pool.name.clone(),
        coordinator,
        control,
    };
    Ok((served, Some(led)))
}

/// What leads the changes of a pool.
pub(super) struct Led {
    pub name: String,
    pub coordinator: Coordinator,
    pub control: control::Pool,
}

/// The workers as members, once they run: the record is read before anything listens.
///
/// Commands of the process's former life may still reach a node, so nothing is acknowledged until `late_grace` is over.
struct Late {
    workers: OnceLock<Workers>,
    quiet_until: OnceLock<Instant>,
}

impl Late {
    fn new() -> Self {
        Self {
            workers: OnceLock::new(),
            quiet_until: OnceLock::new(),
        }
    }

    fn start(&self, workers: Workers) {
        let _ = self.workers.set(workers);
    }

    fn begin_after(&self, grace: Duration) {
        let _ = self.quiet_until.set(Instant::now() + grace);
    }

    fn is_quiet(&self) -> bool {
        self.quiet_until
            .get()
            .is_some_and(|until| Instant::now() < *until)
    }
}

impl Members for Late {
    fn publish(&self, record: Arc<PoolRecord>) {
        // Before they run there is nobody to tell: they begin with what the store has.
        if let Some(workers) = self.workers.get() {
            workers.publish(record);
        }
    }

    fn acknowledged(&self) -> Epoch {
        if self.is_quiet() {
            return 0;
        }
        self.workers.get().map_or(0, Workers::acknowledged)
    }

    fn waiting_for(&self) -> Vec<String> {
        if self.is_quiet() {
            return vec!["late_grace after a restart".to_owned()];
        }
        self.workers
            .get()
            .map_or_else(Vec::new, Workers::waiting_for)
    }
}

fn lead(
    pool: &evenkeel_config::Pool,
    embedded: &HashMap<String, Arc<EmbeddedNode>>,
    state: &StateDirectory,
    workers: Arc<Late>,
) -> Result<(Coordinator, control::Pool), ServeError> {
    let reach = embedded
        .iter()
        .fold(Reach::default(), |reach, (name, node)| {
            reach.with_embedded(name, node.clone())
        });
    let network: Arc<dyn Network> = Arc::new(reach);
    let (coordinator, leader, copier) = Coordinator::open(Setup {
        pool: pool.name.clone(),
        store: state.pool(&pool.name),
        wanted: pool.topology.clone(),
        members: workers,
        network: network.clone(),
        rates: Rates {
            keys: Some(pool.migration.rate),
            bytes: Some(pool.migration.rate_bytes),
        },
        slow_above: pool.migration.slow_at,
    })?;
    let control = control::Pool {
        leader,
        copier,
        network,
    };
    Ok((coordinator, control))
}

fn embedded(pool: &evenkeel_config::Pool) -> HashMap<String, Arc<EmbeddedNode>> {
    pool.topology
        .nodes()
        .iter()
        .filter(|node| node.address == Address::Embedded)
        .map(|node| {
            let memory = pool.memory.get(&node.name).copied();
            let limit = memory.unwrap_or(EMBEDDED_MEMORY);
            (node.name.clone(), Arc::new(EmbeddedNode::new(limit)))
        })
        .collect()
}

fn bind(listen: &Listen) -> Result<Listener, ServeError> {
    listener(listen).map_err(|error| {
        let address = listen.to_string();
        match error.kind() {
            io::ErrorKind::AddrInUse => ServeError::InUse { address },
            _ => ServeError::Listen { address, error },
        }
    })
}

fn listener(listen: &Listen) -> io::Result<Listener> {
    match listen {
        Listen::Tcp(text) => Listener::bind_tcp(text),
        Listen::Unix(path) => Listener::bind_unix(path),
    }
}

/// True for the loopback and for unix sockets.
pub(super) fn is_local(listen: &Listen) -> bool {
    match listen {
        Listen::Unix(_) => true,
        Listen::Tcp(text) => text
            .to_socket_addrs()
            .is_ok_and(|mut addresses| addresses.all(|address| address.ip().is_loopback())),
    }
}
