//! Changing the item of a key: the storage commands and the counting ones, in both dialects.

use super::counters::Count;
use super::item::{self, Item, MAX_ITEM_SIZE};
use super::shard::Held;
use evenkeel_wire::number;

/// How a storage command treats what is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    Set,
    Add,
    Replace,
    Append,
    Prepend,
    /// Compare the token; with `stale`, an older token stores too, but marks the item as stale.
    Cas {
        stale: bool,
    },
}

/// What became of a storage command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// Done, and the item has this token.
    Done(u64),
    /// The token is another one.
    Exists,
    /// There is nothing to compare with.
    Missing,
    /// There is something, or nothing, where the command needs the contrary.
    Refused,
}

/// What became of a counting command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Counted {
    /// The new value.
    Value(u64),
    NotANumber,
    NotFound,
    /// The item has another token.
    Mismatch,
}

/// True if an item of this size is too large for the node.
pub(super) fn is_too_large(key_len: usize, client_flags: u32, value_len: usize) -> bool {
    item::size(key_len, client_flags, value_len) > MAX_ITEM_SIZE
}

impl Held<'_> {
    /// Stores `item` as `mode` says; `token` is the one to compare, 0 for none.
    pub(super) fn store(&mut self, mode: Mode, item: Item, token: u64) -> Outcome {
        let Some(old) = self.item().map(|old| old.clone()) else {
            return self.store_on_nothing(mode, item);
        };
        let matches = token == old.token;
        match mode {
            Mode::Add => {
                let now = self.now();
                if let Some(mut old) = self.item() {
                    old.used = now;
                }
                Outcome::Refused
            }
            Mode::Set | Mode::Replace => Outcome::Done(self.put(item)),
            Mode::Cas { .. } if token != 0 && matches => {
                self.node.counters.add(Count::CasHits);
                Outcome::Done(self.put(item))
            }
            Mode::Cas { stale: true } if token != 0 && token < old.token => {
                self.node.counters.add(Count::CasHits);
                Outcome::Done(self.put(Item {
                    expires: old.expires,
                    stale: true,
                    won: old.won,
                    ..item
                }))
            }
            Mode::Cas { .. } => {
                self.node.counters.add(Count::CasBadval);
                Outcome::Exists
            }
            Mode::Append | Mode::Prepend if token != 0 && !matches => Outcome::Exists,
            Mode::Append => self.join(&old, &old.value, &item.value),
            Mode::Prepend => self.join(&old, &item.value, &old.value),
        }
    }

    fn store_on_nothing(&mut self, mode: Mode, item: Item) -> Outcome {
        match mode {
            Mode::Add | Mode::Set => Outcome::Done(self.put(item)),
            Mode::Cas { .. } => {
                self.node.counters.add(Count::CasMisses);
                Outcome::Missing
            }
            Mode::Replace | Mode::Append | Mode::Prepend => Outcome::Refused,
        }
    }

    /// The joined value keeps flags and expiry, and nothing else of the old item.
    fn join(&mut self, old: &Item, front: &[u8], back: &[u8]) -> Outcome {
        if is_too_large(self.key.len(), old.client_flags, front.len() + back.len()) {
            return Outcome::Refused;
        }
        let value = [front, back].concat().into_boxed_slice();
        Outcome::Done(self.put(Item::new(value, old.client_flags, old.expires)))
    }

    /// `incr` and `decr`; `token` is the one to compare, 0 for none.
    pub(super) fn count(&mut self, up: bool, delta: u64, token: u64) -> Counted {
        let key_len = self.key.len();
        let now = self.now();
        let next = self.node;
        let Some(mut item) = self.item() else {
            return Counted::NotFound;
        };
        if item.value.is_empty() || item.is_in_pieces(key_len) {
            return Counted::NotANumber;
        }
        if token != 0 && token != item.token {
            return Counted::Mismatch;
        }
        let Some(value) = number::unsigned(&item.value) else {
            return Counted::NotANumber;
        };
        let value = if up {
            value.wrapping_add(delta)
        } else {
            value.saturating_sub(delta)
        };
        next.counters
            .add(if up { Count::IncrHits } else { Count::DecrHits });

        let mut text = itoa::Buffer::new();
        let digits = text.format(value).as_bytes();
        if digits.len() <= item.value.len() {
            // The value keeps its length: a shorter number is filled up with blanks.
            item.value.fill(b' ');
            if let Some(front) = item.value.get_mut(..digits.len()) {
                front.copy_from_slice(digits);
            }
            item.token = next.next_token();
            item.used = now;
        } else {
            let longer = Item::new(digits.into(), item.client_flags, item.expires);
            drop(item);
            self.put(longer);
        }
        Counted::Value(value)
    }
}
