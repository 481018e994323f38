//! A part of the node's keys under one lock, and the view of one key while it is held.

use super::clock::{Moment, Seconds};
use super::counters::Count;
use super::item::Item;
use super::node::EmbeddedNode;
use quick_cache::{Lifecycle, Weighter, unsync};
use std::hash::RandomState;
use std::sync::Arc;
use std::sync::MutexGuard;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// An item weighs what it would take at the server, so that a limit means the same.
#[derive(Clone, Debug)]
pub(super) struct BySize;

impl Weighter<Box<[u8]>, Item> for BySize {
    fn weight(&self, key: &Box<[u8]>, item: &Item) -> u64 {
        item.size(key.len()) as u64
    }
}

/// Counts what is evicted.
#[derive(Clone, Debug, Default)]
pub(super) struct CountEvictions(pub(super) Arc<AtomicU64>);

impl Lifecycle<Box<[u8]>, Item> for CountEvictions {
    type RequestState = ();

    fn on_evict(&self, _state: &mut (), _key: Box<[u8]>, _item: Item) {
        self.0.fetch_add(1, Relaxed);
    }
}

/// The items of a shard. Its eviction keeps what is used again.
pub(super) type Shard = unsync::Cache<Box<[u8]>, Item, BySize, RandomState, CountEvictions>;

/// Bytes that we expect an item to take, for the first size of the tables.
const EXPECTED_ITEM: u64 = 1024;

/// An empty shard of `limit` bytes.
pub(super) fn new(limit: u64, evictions: CountEvictions) -> Shard {
    let items = usize::try_from(limit / EXPECTED_ITEM)
        .unwrap_or(usize::MAX)
        .max(1);
    unsync::Cache::with(items, limit, BySize, RandomState::new(), evictions)
}

/// One key, held still.
pub(super) struct Held<'a> {
    pub(super) node: &'a EmbeddedNode,
    pub(super) shard: MutexGuard<'a, Shard>,
    pub(super) key: &'a [u8],
    pub(super) moment: Moment,
}

/// A guard through which an item is changed in place.
pub(super) type ItemMut<'a> =
    unsync::RefMut<'a, Box<[u8]>, Item, BySize, RandomState, CountEvictions>;

impl Held<'_> {
    /// The item, if there is one that has neither expired nor been flushed. One that has is removed.
    pub(super) fn item(&mut self) -> Option<ItemMut<'_>> {
        let dead = self
            .shard
            .peek(self.key)
            .is_some_and(|item| self.node.is_dead(item, self.now()));
        if dead {
            self.remove();
        }
        self.shard.get_mut(self.key)
    }

    /// Puts an item in place of whatever is there and gives its new token.
    pub(super) fn put(&mut self, item: Item) -> u64 {
        let token = self.node.next_token();
        self.node.counters.add(Count::TotalItems);
        let item = Item {
            token,
            used: self.now(),
            ..item
        };
        match self.shard.get_mut(self.key) {
            // In place, so that a key which is often used stays known as such.
            Some(mut old) => *old = item,
            None => self.shard.insert(self.key.into(), item),
        }
        token
    }

    pub(super) fn remove(&mut self) {
        self.shard.remove(self.key);
    }

    pub(super) fn now(&self) -> Seconds {
        self.moment.now
    }
}
