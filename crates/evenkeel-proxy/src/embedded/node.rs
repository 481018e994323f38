//! The store of an embedded node.

use super::clock::{Clock, Moment, Seconds, SystemClock};
use super::counters::Counters;
use super::item::{Item, MAX_ITEM_SIZE};
use super::shard::{self, CountEvictions, Held, Shard};
use std::hash::{BuildHasher, RandomState};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The memcached whose dialect is spoken, and what `version` answers.
pub const DIALECT_VERSION: &str = "1.6.18";

/// Most shards. Workers are about as many as cores, and a lock is held for well under a microsecond.
const MAX_SHARDS: u64 = 16;

/// A shard must hold several of the largest items.
const MIN_SHARD_BYTES: u64 = 4 * MAX_ITEM_SIZE as u64;

/// The server counts from two seconds before its start, so that no moment of its life is 0.
const HEAD_START: u64 = 2;

/// An in-process memcached, shared by the workers. Its data ends with the process.
pub struct EmbeddedNode {
    shards: Box<[Mutex<Shard>]>,
    hasher: RandomState,
    clock: Box<dyn Clock>,
    /// In seconds since 1970.
    started: u64,
    limit: u64,
    last_token: AtomicU64,
    /// Items that were last used up to this moment, once it has come, are flushed; 0: none.
    flush_used: AtomicU32,
    /// Items with a smaller token are flushed too.
    flush_token: AtomicU64,
    evictions: CountEvictions,
    pub(super) counters: Counters,
}

impl EmbeddedNode {
    /// An empty node that keeps at most `limit` bytes, counted as the server counts: header, key and value.
    pub fn new(limit: u64) -> Self {
        Self::with_clock(limit, Box::new(SystemClock::default()))
    }

    /// The same with another clock.
    pub fn with_clock(limit: u64, clock: Box<dyn Clock>) -> Self {
        let count = (limit / MIN_SHARD_BYTES).clamp(1, MAX_SHARDS);
        let evictions = CountEvictions::default();
        let shards = (0..count)
            .map(|_| Mutex::new(shard::new(limit / count, evictions.clone())))
            .collect();
        Self {
            shards,
            hasher: RandomState::new(),
            started: clock.unix_seconds().saturating_sub(HEAD_START),
            clock,
            limit,
            last_token: AtomicU64::new(0),
            flush_used: AtomicU32::new(0),
            flush_token: AtomicU64::new(0),
            evictions,
            counters: Counters::default(),
        }
    }

    /// The configured limit in bytes.
    pub fn limit(&self) -> u64 {
        self.limit
    }

    /// Items that are held, expired ones included until they are met. O(shards).
    pub fn len(&self) -> usize {
        self.shards().map(|shard| shard.len()).sum()
    }

    /// True if nothing is held.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes that are held. O(shards).
    pub fn bytes(&self) -> u64 {
        self.shards().map(|shard| shard.weight()).sum()
    }

    /// Items that were evicted so far.
    pub fn evictions(&self) -> u64 {
        self.evictions.0.load(Ordering::Relaxed)
    }

    /// Locks the shard of a key.
    pub(super) fn hold<'a>(&'a self, key: &'a [u8]) -> Option<Held<'a>> {
        let at = self.hasher.hash_one(key) % self.shards.len() as u64;
        let shard = self.shards.get(usize::try_from(at).ok()?)?;
        Some(Held {
            node: self,
            shard: lock(shard),
            key,
            moment: self.moment(),
        })
    }

    /// Each shard, locked in turn.
    pub(super) fn shards(&self) -> impl Iterator<Item = MutexGuard<'_, Shard>> {
        self.shards.iter().map(lock)
    }

    pub(super) fn moment(&self) -> Moment {
        let since_start = self.clock.unix_seconds().saturating_sub(self.started);
        Moment {
            started: self.started,
            now: Seconds::try_from(since_start).unwrap_or(Seconds::MAX),
        }
    }

    pub(super) fn next_token(&self) -> u64 {
        self.last_token.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// Expired or flushed.
    pub(super) fn is_dead(&self, item: &Item, now: Seconds) -> bool {
        (item.expires != 0 && item.expires <= now) || self.is_flushed(item, now)
    }

    /// Flushed. The second before the flush is judged by time, the one in which it came by token.
    pub(super) fn is_flushed(&self, item: &Item, now: Seconds) -> bool {
        let used = self.flush_used.load(Ordering::Acquire);
        if used == 0 || used > now {
            return false;
        }
        item.used <= used || item.token < self.flush_token.load(Ordering::Acquire)
    }

    /// `flush_all`, now or at a later moment.
    pub(super) fn flush(&self, exptime: i64) {
        let moment = self.moment();
        let at = if exptime > 0 {
            moment.expiry(exptime)
        } else {
            moment.now
        };
        let used = at.saturating_sub(1);
        if used <= moment.now {
            self.flush_token.store(self.next_token(), Ordering::Release);
        }
        self.flush_used.store(used, Ordering::Release);
    }
}

impl std::fmt::Debug for EmbeddedNode {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("EmbeddedNode")
            .field("limit", &self.limit)
            .finish_non_exhaustive()
    }
}

/// A shard whose lock is poisoned is still sound: each change is one insertion or removal.
fn lock(shard: &Mutex<Shard>) -> MutexGuard<'_, Shard> {
    shard.lock().unwrap_or_else(PoisonError::into_inner)
}
