//! Which keys move between which servers.

use evenkeel_core::{Address, Node, Placement};

use crate::store::PoolRecord;

/// A server: what a name stands for. Two topologies may give one server two names.
#[must_use]
pub fn server_of(node: &Node) -> String {
    match &node.address {
        // All embedded nodes have one address; each is told from the others by its name.
        Address::Embedded => format!("embedded:{}", node.name),
        address => address.to_string(),
    }
}

/// The placements of a migration, ready for look-ups by server.
#[derive(Debug)]
pub struct Map {
    current: Side,
    to: Side,
    prefix: Vec<u8>,
}

#[derive(Debug)]
struct Side {
    placement: Placement,
    /// By node index.
    servers: Vec<String>,
}

impl Side {
    fn new(placement: Placement) -> Self {
        let nodes = placement.topology().nodes();
        Side {
            servers: nodes.iter().map(server_of).collect(),
            placement,
        }
    }

    fn server(&self, key: &[u8]) -> &str {
        let index = self.placement.node_of(key).get();
        self.servers.get(index).map_or("", String::as_str)
    }
}

impl Map {
    /// Of a record with a migration under way; `None` in stable.
    #[must_use]
    pub fn of(record: &PoolRecord) -> Option<Self> {
        let migration = record.migration.as_ref()?;
        let current = Placement::build(&record.current);
        let to = current.over(&migration.to);
        Some(Map {
            current: Side::new(current),
            to: Side::new(to),
            prefix: migration.options.node_prefix.clone(),
        })
    }

    /// Where a key goes that `server` listed: `None` if it does not own the key under `current` (a leftover, never
    /// copied), or if the key stays.
    #[must_use]
    pub fn target(&self, key: &[u8], server: &str) -> Option<&str> {
        if !key.starts_with(&self.prefix) || self.current.server(key) != server {
            return None;
        }
        Some(self.to.server(key)).filter(|target| *target != server)
    }

    /// Whether a key that `server` listed is a leftover there: of this pool, and not its own under `current`.
    #[must_use]
    pub fn is_leftover(&self, key: &[u8], server: &str) -> bool {
        key.starts_with(&self.prefix) && self.current.server(key) != server
    }

    /// The servers that keys may come from, each once.
    #[must_use]
    pub fn sources(&self) -> Vec<String> {
        owners(&self.current)
    }

    /// The servers that keys may go to, each once.
    #[must_use]
    pub fn targets(&self) -> Vec<String> {
        owners(&self.to)
    }
}

fn owners(side: &Side) -> Vec<String> {
    let mut servers = side.servers.clone();
    servers.sort();
    servers.dedup();
    servers
}
