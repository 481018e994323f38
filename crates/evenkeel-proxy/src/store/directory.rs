//! The state directory of one proxy.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use evenkeel_core::migration::Epoch;
use thiserror::Error;

use super::{PoolRecord, file};

/// Why the store did not do it.
#[derive(Debug, Error)]
pub enum StoreError {
    /// The directory cannot be made, read or written.
    #[error(
        "the state directory {path}: {error}; see that it exists and that the proxy may write there"
    )]
    Io {
        /// What was touched.
        path: String,
        /// What the system said.
        error: io::Error,
    },
    /// Two proxies on one directory would each think itself alone.
    #[error(
        "the state directory {0} is in use by another proxy; give each proxy a state directory of its own"
    )]
    InUse(String),
    /// The file is not what was written. Guessing could bring a stale topology back.
    #[error(
        "the record {path} is damaged: {why}. Nothing was changed. Put a good copy of the file in its place; or, if every node may lose its keys, \
         stop the proxy, flush the nodes of the pool, move the file away and start again from the configuration"
    )]
    Damaged {
        /// The file.
        path: String,
        /// What is wrong with it.
        why: String,
    },
    /// Somebody else replaced the record. Read it again.
    #[error("the record is at epoch {found}, not {expected}: somebody else changed the pool")]
    Conflict {
        /// The epoch that the caller had read.
        expected: Epoch,
        /// The epoch in the store; 0 if there is no record.
        found: Epoch,
    },
    /// The record cannot be put into words.
    #[error("the record cannot be written: {0}")]
    Unwritable(String),
}

/// A directory that holds one record file per pool, locked for this process as long as this value or a store made
/// from it lives.
#[derive(Debug, Clone)]
pub struct StateDirectory {
    path: PathBuf,
    /// The lock goes when the last holder goes, or with the process, however it ends.
    _lock: Arc<File>,
}

impl StateDirectory {
    /// Opens, and makes if need be, a directory.
    ///
    /// # Errors
    /// [`StoreError::InUse`] if another process has it, [`StoreError::Io`].
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        fs::create_dir_all(path).map_err(|error| io_error(path, error))?;
        let lock_path = path.join("lock");
        let lock = File::create(&lock_path).map_err(|error| io_error(&lock_path, error))?;
        match lock.try_lock() {
            Ok(()) => Ok(StateDirectory {
                path: path.to_owned(),
                _lock: Arc::new(lock),
            }),
            Err(TryLockError::WouldBlock) => Err(StoreError::InUse(path.display().to_string())),
            Err(TryLockError::Error(error)) => Err(io_error(&lock_path, error)),
        }
    }

    /// The store of one pool.
    #[must_use]
    pub fn pool(&self, name: &str) -> PoolStore {
        PoolStore {
            path: self.path.join(file_name(name)),
            name: name.to_owned(),
            _directory: self.clone(),
        }
    }
}

/// The record of one pool.
#[derive(Debug)]
pub struct PoolStore {
    path: PathBuf,
    name: String,
    /// Keeps the lock.
    _directory: StateDirectory,
}

impl PoolStore {
    /// The record; `None` if the pool was never served with this directory.
    ///
    /// # Errors
    /// [`StoreError::Damaged`], [`StoreError::Io`].
    pub fn read(&self) -> Result<Option<PoolRecord>, StoreError> {
        let text = match fs::read(&self.path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(io_error(&self.path, error)),
        };
        match file::read(&self.name, &text) {
            Ok(record) => Ok(Some(record)),
            Err(why) => Err(StoreError::Damaged {
                path: self.path.display().to_string(),
                why,
            }),
        }
    }

    /// Replaces the record with the epoch `expected` (0: there is none) by `next`. On disk when it returns.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] if the record has another epoch; then nothing was written.
    pub fn swap(&self, expected: Epoch, next: &PoolRecord) -> Result<(), StoreError> {
        let found = self.read()?.map_or(0, |record| record.epoch);
        if found != expected {
            return Err(StoreError::Conflict { expected, found });
        }
        let text = file::write(&self.name, next)
            .map_err(|error| StoreError::Unwritable(error.to_string()))?;
        file::replace(&self.path, &text).map_err(|error| io_error(&self.path, error))
    }
}

fn io_error(path: &Path, error: io::Error) -> StoreError {
    StoreError::Io {
        path: path.display().to_string(),
        error,
    }
}

/// A pool's name may hold what a file's may not.
fn file_name(pool: &str) -> String {
    let mut name = String::from("pool-");
    for byte in pool.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_".contains(&byte) {
            name.push(char::from(byte));
        } else {
            name.push_str(&format!("%{byte:02X}"));
        }
    }
    name + ".json"
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use evenkeel_core::{KeyRule, Node, Scheme, Topology};

    fn record(epoch: Epoch) -> PoolRecord {
        let nodes = vec![Node::new("a", "127.0.0.1:1".parse().unwrap())];
        let topology = Topology::new(nodes, Scheme::default(), KeyRule::default()).unwrap();
        PoolRecord {
            epoch,
            ..PoolRecord::first(topology)
        }
    }

    #[test]
    fn a_record_is_replaced_only_at_the_epoch_that_was_read() {
        let folder = tempfile::tempdir().unwrap();
        let directory = StateDirectory::open(folder.path()).unwrap();
        let store = directory.pool("a/b ü");
        assert!(store.read().unwrap().is_none());
        store.swap(0, &record(1)).unwrap();
        store.swap(1, &record(2)).unwrap();
        let refused = store.swap(1, &record(2));
        assert!(matches!(
            refused,
            Err(StoreError::Conflict {
                expected: 1,
                found: 2
            })
        ));
        assert_eq!(store.read().unwrap(), Some(record(2)));
        assert!(directory.pool("a").read().unwrap().is_none());
    }

    #[test]
    fn two_proxies_do_not_share_a_directory() {
        let folder = tempfile::tempdir().unwrap();
        let first = StateDirectory::open(folder.path()).unwrap();
        let second = StateDirectory::open(folder.path());
        assert!(matches!(second, Err(StoreError::InUse(_))));
        let store = first.pool("a");
        drop(first);
        assert!(
            StateDirectory::open(folder.path()).is_err(),
            "a pool's store keeps the lock"
        );
        drop(store);
        StateDirectory::open(folder.path()).unwrap();
    }

    #[test]
    fn every_damaged_byte_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let directory = StateDirectory::open(folder.path()).unwrap();
        let store = directory.pool("a");
        store.swap(0, &record(7)).unwrap();
        let good = fs::read(&store.path).unwrap();
        for at in 0..good.len() - 1 {
            let mut bad = good.clone();
            bad[at] ^= 1;
            fs::write(&store.path, &bad).unwrap();
            assert!(
                matches!(store.read(), Err(StoreError::Damaged { .. })),
                "byte {at} of {}",
                String::from_utf8_lossy(&good)
            );
        }
        fs::write(&store.path, &good[..good.len() / 2]).unwrap();
        assert!(matches!(store.read(), Err(StoreError::Damaged { .. })));
        let refused = store.swap(7, &record(8));
        assert!(matches!(refused, Err(StoreError::Damaged { .. })));
    }
}
