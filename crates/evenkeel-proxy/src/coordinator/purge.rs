//! Emptying servers of keys that they do not own: a leftover at a target is a stale read in waiting.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use evenkeel_wire::memcached::Expect;
use evenkeel_wire::memcached::compose::{self, NodeKey};
use serde::Serialize;
use tokio::task::JoinSet;
use tokio::time::sleep;

use crate::copier::{Copier, Listing, ListingError, Map, Network, Window};
use crate::store::PoolRecord;

/// Deletions at one server that are under way at once.
const LANES: usize = 64;

/// The pause before a server that could not be listed or emptied is tried again.
const AGAIN: Duration = Duration::from_millis(500);

/// How many names are shown.
const NAMES: usize = 10;

/// What a purge would delete at one server.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Leftovers {
    /// The server.
    pub server: String,
    /// How many keys it holds that it does not own.
    pub keys: u64,
    /// Some of their names.
    pub names: Vec<String>,
}

/// Counts what a purge would delete at `server`, in constant memory.
///
/// # Errors
/// If the server cannot be listed to the end.
pub async fn leftovers(
    network: &dyn Network,
    map: &Map,
    server: &str,
) -> Result<Leftovers, ListingError> {
    let mut found = Leftovers {
        server: server.to_owned(),
        ..Leftovers::default()
    };
    let mut listing = Listing::of(network, server, true).await?;
    let mut more = true;
    while more {
        more = listing
            .read(|listed| {
                if map.is_leftover(listed.key, server) {
                    found.keys += 1;
                    if found.names.len() < NAMES {
                        found
                            .names
                            .push(String::from_utf8_lossy(listed.key).into_owned());
                    }
                }
            })
            .await?;
    }
    Ok(found)
}

/// Empties every target of keys that it does not own under `current`, until a whole listing of each finds none.
pub(super) async fn purge(copier: Arc<Copier>, record: Arc<PoolRecord>) {
    let Some(map) = Map::of(&record) else { return };
    for server in map.targets() {
        empty(&copier, &record, &server, |key| {
            map.is_leftover(key, &server)
        })
        .await;
    }
}

/// Empties every lost source of moved keys, for an abort would make it a target.
pub(super) async fn empty_lost_sources(copier: Arc<Copier>, record: Arc<PoolRecord>) {
    let Some(map) = Map::of(&record) else { return };
    let sources = map.sources();
    let lost = sources
        .iter()
        .filter(|source| record.loss(source).is_some());
    for server in lost {
        empty(&copier, &record, server, |key| {
            map.target(key, server).is_some()
        })
        .await;
    }
}

async fn empty(
    copier: &Arc<Copier>,
    record: &PoolRecord,
    server: &str,
    unwanted: impl Fn(&[u8]) -> bool,
) {
    loop {
        match list(copier.network.as_ref(), server, &unwanted).await {
            Ok(window) if window.is_empty() => {
                copier.tally.count(server, |node| node.trouble = None);
                return;
            }
            Ok(window) => delete(copier, record, server, window).await,
            Err(error) => {
                tracing::warn!(server, %error, "a server is not purged");
                let words = error.to_string();
                copier
                    .tally
                    .count(server, |node| node.trouble = Some(words));
                sleep(AGAIN).await;
            }
        }
    }
}

async fn list(
    network: &dyn Network,
    server: &str,
    unwanted: &impl Fn(&[u8]) -> bool,
) -> Result<Window, ListingError> {
    let mut window = Window::default();
    let mut listing = Listing::of(network, server, true).await?;
    let mut more = true;
    while more {
        more = listing
            .read(|listed| {
                if unwanted(listed.key) {
                    window.push(listed.key, listed.size);
                }
            })
            .await?;
    }
    Ok(window)
}

async fn delete(copier: &Arc<Copier>, record: &PoolRecord, server: &str, window: Window) {
    let mut deletions = JoinSet::new();
    for (key, _) in window.into_keys() {
        while deletions.len() >= LANES {
            deletions.join_next().await;
        }
        deletions.spawn(delete_one(
            Arc::clone(copier),
            record.epoch,
            server.to_owned(),
            key,
        ));
    }
    deletions.join_all().await;
}

/// What fails here is found by the next listing.
async fn delete_one(copier: Arc<Copier>, epoch: u64, server: String, key: Bytes) {
    let Some(pass) = copier.member.begin(epoch) else {
        return;
    };
    let (Some(node_key), Some(link)) = (NodeKey::new(&key), copier.mover.links().to(&server).await)
    else {
        sleep(AGAIN).await;
        return;
    };
    let mut command = Vec::new();
    compose::delete(&mut command, node_key, None);
    let _ = link.ask(command, Expect::MetaDelete, &pass).await;
}
