//! Opening pools.

use super::ServeError;
use crate::embedded::EmbeddedNode;
use crate::worker::{EMBEDDED_MEMORY, Listener};
use crate::{Pool, Snapshot};
use evenkeel_config::{Listen, Protocol};
use evenkeel_core::Address;
use std::collections::HashMap;
use std::io;
use std::net::ToSocketAddrs;
use std::sync::Arc;

/// Binds a pool's addresses and starts its workers.
pub(super) fn pool(pool: &evenkeel_config::Pool, allow_embedded: bool) -> Result<Pool, ServeError> {
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
    let snapshot = Snapshot::new(&pool.name, pool.topology.clone(), pool.settings.clone());
    Ok(Pool::start(snapshot, listeners, embedded)?)
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
