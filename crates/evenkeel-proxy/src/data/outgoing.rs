//! Bytes on their way out.

/// Bytes that are to be sent, and how many of them were.
#[derive(Debug, Default)]
pub struct Outgoing {
    bytes: Vec<u8>,
    sent: usize,
}

/// A buffer that grew beyond this is given back to the allocator once it is empty. Bytes.
const KEPT_CAPACITY: usize = 64 * 1024;

impl Outgoing {
    /// What is still to be sent.
    pub fn unsent(&self) -> &[u8] {
        self.bytes.get(self.sent..).unwrap_or_default()
    }

    /// Bytes still to be sent.
    pub fn len(&self) -> usize {
        self.bytes.len() - self.sent
    }

    /// True if all was sent.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Where to append.
    pub fn bytes_mut(&mut self) -> &mut Vec<u8> {
        &mut self.bytes
    }

    /// Appends.
    pub fn push(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// Takes note that `len` bytes went out.
    pub fn sent(&mut self, len: usize) {
        self.sent = (self.sent + len).min(self.bytes.len());
        if self.sent == self.bytes.len() {
            self.clear();
        } else if self.sent >= KEPT_CAPACITY && self.sent * 2 >= self.bytes.len() {
            self.bytes.drain(..self.sent);
            self.sent = 0;
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.sent = 0;
        if self.bytes.capacity() > KEPT_CAPACITY {
            self.bytes = Vec::new();
        } else {
            self.bytes.clear();
        }
    }
}
