//! What the node counts, for `stats`.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// One counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Count {
    CmdGet,
    CmdSet,
    CmdFlush,
    CmdTouch,
    CmdMeta,
    GetHits,
    GetMisses,
    DeleteMisses,
    DeleteHits,
    IncrMisses,
    IncrHits,
    DecrMisses,
    DecrHits,
    CasMisses,
    CasHits,
    CasBadval,
    TouchHits,
    TouchMisses,
    StoreTooLarge,
    TotalItems,
}

/// The counters with their names, in the order in which `stats` lists them.
pub(super) const NAMES: [(Count, &str); 20] = [
    (Count::CmdGet, "cmd_get"),
    (Count::CmdSet, "cmd_set"),
    (Count::CmdFlush, "cmd_flush"),
    (Count::CmdTouch, "cmd_touch"),
    (Count::CmdMeta, "cmd_meta"),
    (Count::GetHits, "get_hits"),
    (Count::GetMisses, "get_misses"),
    (Count::DeleteMisses, "delete_misses"),
    (Count::DeleteHits, "delete_hits"),
    (Count::IncrMisses, "incr_misses"),
    (Count::IncrHits, "incr_hits"),
    (Count::DecrMisses, "decr_misses"),
    (Count::DecrHits, "decr_hits"),
    (Count::CasMisses, "cas_misses"),
    (Count::CasHits, "cas_hits"),
    (Count::CasBadval, "cas_badval"),
    (Count::TouchHits, "touch_hits"),
    (Count::TouchMisses, "touch_misses"),
    (Count::StoreTooLarge, "store_too_large"),
    (Count::TotalItems, "total_items"),
];

/// All counters of a node.
#[derive(Debug, Default)]
pub(super) struct Counters([AtomicU64; NAMES.len()]);

impl Counters {
    pub(super) fn add(&self, count: Count) {
        if let Some(counter) = self.0.get(count as usize) {
            counter.fetch_add(1, Relaxed);
        }
    }

    pub(super) fn get(&self, count: Count) -> u64 {
        self.0
            .get(count as usize)
            .map_or(0, |counter| counter.load(Relaxed))
    }

    /// `stats reset`: everything but what tells of the items that are there.
    pub(super) fn reset(&self) {
        for counter in &self.0 {
            counter.store(0, Relaxed);
        }
    }
}
