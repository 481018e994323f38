//! One item, and what it measures.

use super::clock::Seconds;

/// Largest item in bytes, header, key and line end included; the server's default (`-I 1m`).
pub const MAX_ITEM_SIZE: usize = 1024 * 1024;

/// Above this size the server keeps an item in pieces.
const MAX_WHOLE_SIZE: usize = 512 * 1024;

/// The server's header of an item, with its CAS token.
const HEADER: usize = 48 + 8;

/// A value and all that is known about it.
#[derive(Clone, Debug)]
pub(super) struct Item {
    pub(super) value: Box<[u8]>,
    pub(super) client_flags: u32,
    /// When it expires; 0 is never.
    pub(super) expires: Seconds,
    /// When it was stored or last fetched.
    pub(super) used: Seconds,
    /// CAS token.
    pub(super) token: u64,
    /// It has been fetched since it was stored.
    pub(super) fetched: bool,
    /// Marked by `md I`: a reader gets it, and the first one is told to recache.
    pub(super) stale: bool,
    /// Some reader has been told to recache.
    pub(super) won: bool,
    /// Stored with a base64 key, and shown so.
    pub(super) base64_key: bool,
}

impl Item {
    /// A new item; the token is given when it is stored.
    pub(super) fn new(value: Box<[u8]>, client_flags: u32, expires: Seconds) -> Self {
        Self {
            value,
            client_flags,
            expires,
            used: 0,
            token: 0,
            fetched: false,
            stale: false,
            won: false,
            base64_key: false,
        }
    }

    /// Bytes that the item takes, as the server counts them.
    pub(super) fn size(&self, key_len: usize) -> usize {
        size(key_len, self.client_flags, self.value.len())
    }

    /// True if the server would keep it in pieces, which makes it no number whatever it says.
    pub(super) fn is_in_pieces(&self, key_len: usize) -> bool {
        self.size(key_len) > MAX_WHOLE_SIZE
    }

    /// A fetch: it has been seen, and now.
    pub(super) fn bump(&mut self, now: Seconds) {
        self.fetched = true;
        self.used = now;
    }
}

/// Bytes that an item would take.
pub(super) fn size(key_len: usize, client_flags: u32, value_len: usize) -> usize {
    let flags = if client_flags == 0 {
        0
    } else {
        size_of::<u32>()
    };
    HEADER + key_len + 1 + flags + value_len + 2
}

/// The server's slab class for an item of this size: sizes grow by a quarter, rounded up to 8 bytes.
pub(super) fn slab_class(size: usize) -> u32 {
    let (mut class, mut chunk) = (1, 96usize);
    while chunk < size && (chunk as f64) <= MAX_WHOLE_SIZE as f64 / 1.25 {
        chunk = ((chunk as f64 * 1.25) as usize).next_multiple_of(8);
        class += 1;
    }
    class
}

#[cfg(test)]
mod tests {
    use super::*;

    // Recorded from `memcached -vv`, 1.6.18: class, its size.
    #[test]
    fn slab_classes_are_those_of_the_server() {
        let recorded = [
            (1, 96),
            (2, 120),
            (3, 152),
            (9, 600),
            (20, 7104),
            (30, 66_232),
            (38, 394_840),
            (39, 524_288),
        ];
        for (class, chunk) in recorded {
            assert_eq!(slab_class(chunk), class);
            assert_eq!(slab_class(chunk - 1), class);
        }
        assert_eq!(slab_class(394_841), 39);
        assert_eq!(slab_class(MAX_ITEM_SIZE), 39);
    }
}
