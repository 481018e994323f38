//! What the copier has done, per source.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde::{Deserialize, Serialize};

/// How many names of keys that cannot be moved are kept for `status`.
const NAMES: usize = 10;

/// Counts of one source.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NodeTally {
    /// Keys that the copier brought to their target.
    pub moved: u64,
    /// Keys that their target had already.
    pub already: u64,
    /// Keys that were gone when their turn came.
    pub vanished: u64,
    /// Keys that their target refuses; counted again in each pass.
    pub unmovable: u64,
    /// Keys that were let go with `--drop-unmovable`.
    pub dropped: u64,
    /// Tries that failed because a node could not be reached; they are made again.
    pub failed: u64,
    /// Bytes of the keys moved, as the source counts them.
    pub bytes: u64,
    /// Names of some keys that cannot be moved.
    pub unmovable_keys: Vec<String>,
    /// What keeps the source from being listed, if anything does.
    pub trouble: Option<String>,
}

/// Counts of all sources of a migration.
#[derive(Debug, Default)]
pub struct Tally {
    nodes: Mutex<BTreeMap<String, NodeTally>>,
}

impl Tally {
    /// Changes the counts of a source.
    pub fn count(&self, source: &str, change: impl FnOnce(&mut NodeTally)) {
        let mut nodes = self.lock();
        match nodes.get_mut(source) {
            Some(node) => change(node),
            None => change(nodes.entry(source.to_owned()).or_default()),
        }
    }

    /// A key cannot be moved.
    pub fn unmovable(&self, source: &str, key: &[u8]) {
        let name = String::from_utf8_lossy(key).into_owned();
        self.count(source, |node| {
            node.unmovable += 1;
            if node.unmovable_keys.len() < NAMES && !node.unmovable_keys.contains(&name) {
                node.unmovable_keys.push(name);
            }
        });
    }

    /// Forgets everything: another migration begins.
    pub fn clear(&self) {
        self.lock().clear();
    }

    /// A copy of the counts.
    #[must_use]
    pub fn nodes(&self) -> BTreeMap<String, NodeTally> {
        self.lock().clone()
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, NodeTally>> {
        self.nodes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
