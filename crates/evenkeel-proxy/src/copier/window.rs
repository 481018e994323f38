//! A bounded number of keys.

use bytes::Bytes;

/// The most keys that are kept.
pub const MAX_KEYS: usize = 1_000_000;

/// The most bytes of keys that are kept, with what it costs to keep each.
pub const MAX_BYTES: usize = 64 * 1024 * 1024;

/// What it costs to keep a key beside its own bytes.
const KEY_COST: usize = size_of::<(Bytes, u64)>();

/// Keys of one listing, with their sizes at the node. What does not fit is dropped and must be listed again.
#[derive(Debug, Default)]
pub struct Window {
    keys: Vec<(Bytes, u64)>,
    bytes: usize,
    dropped: u64,
}

impl Window {
    /// Keeps a key, or counts it as dropped.
    pub fn push(&mut self, key: &[u8], size: u64) {
        let cost = key.len() + KEY_COST;
        if self.keys.len() >= MAX_KEYS || self.bytes + cost > MAX_BYTES {
            self.dropped += 1;
            return;
        }
        self.bytes += cost;
        self.keys.push((Bytes::copy_from_slice(key), size));
    }

    /// Whether the listing held no key at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty() && self.dropped == 0
    }

    /// Keys that were listed, kept or not.
    #[must_use]
    pub fn listed(&self) -> u64 {
        self.keys.len() as u64 + self.dropped
    }

    /// The keys that were kept.
    #[must_use]
    pub fn into_keys(self) -> Vec<(Bytes, u64)> {
        self.keys
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_fit_is_counted_and_dropped() {
        let mut window = Window::default();
        let key = [b'k'; 250];
        let fits = MAX_BYTES / (key.len() + KEY_COST);
        for _ in 0..fits + 5 {
            window.push(&key, 1);
        }
        assert_eq!(window.listed(), fits as u64 + 5);
        assert_eq!(window.into_keys().len(), fits);
    }
}
