//! Who must acknowledge a record before the next one.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use evenkeel_core::migration::Epoch;

use crate::store::PoolRecord;

/// The workers of this proxy, as the leader sees them.
pub trait Members: Send + Sync + 'static {
    /// Hands a record to every worker. It is on disk already.
    fn publish(&self, record: Arc<PoolRecord>);

    /// The lowest epoch that every worker has acknowledged; 0 before the first.
    fn acknowledged(&self) -> Epoch;

    /// What keeps the present epoch from being acknowledged, in words for `status`; empty if nothing does.
    fn waiting_for(&self) -> Vec<String>;
}

/// A pool that no worker serves: it acknowledges at once. For tests, and for changes while nothing listens.
#[derive(Debug, Default)]
pub struct NoWorkers {
    epoch: AtomicU64,
}

impl Members for NoWorkers {
    fn publish(&self, record: Arc<PoolRecord>) {
        self.epoch.store(record.epoch, Ordering::Release);
    }

    fn acknowledged(&self) -> Epoch {
        self.epoch.load(Ordering::Acquire)
    }

    fn waiting_for(&self) -> Vec<String> {
        Vec::new()
    }
}
