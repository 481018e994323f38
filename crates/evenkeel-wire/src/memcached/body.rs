//! The data block behind a line: as many bytes as announced, then CR LF.
//!
//! A small block is best left in the buffer until it is whole; a large one is passed on piece by piece, and
//! [`Body`] keeps count across the pieces.

/// How far a data block has been read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Body {
    data_left: u64,
    /// 2, 1 or 0 bytes of the line end still to come.
    end_left: u8,
    sound: bool,
}

/// A piece of a data block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Bytes of the piece, data and line end, to drop from the front.
    pub len: usize,
    /// How many of them, from the front, are data.
    pub data: usize,
    /// With this piece the block is over.
    pub last: bool,
}

impl Body {
    /// A block of `len` bytes of data.
    pub fn new(len: u32) -> Self {
        Self {
            data_left: u64::from(len),
            end_left: 2,
            sound: true,
        }
    }

    /// What of `bytes` belongs to the block.
    pub fn advance(&mut self, bytes: &[u8]) -> Piece {
        let data = usize::try_from(self.data_left)
            .unwrap_or(usize::MAX)
            .min(bytes.len());
        self.data_left -= data as u64;
        let mut len = data;
        while self.data_left == 0 && self.end_left > 0 {
            let Some(byte) = bytes.get(len) else { break };
            self.sound &= *byte == if self.end_left == 2 { b'\r' } else { b'\n' };
            self.end_left -= 1;
            len += 1;
        }
        Piece {
            len,
            data,
            last: self.is_over(),
        }
    }

    /// Bytes of data and line end still to come.
    pub fn left(&self) -> u64 {
        self.data_left + u64::from(self.end_left)
    }

    /// True once all of it was seen.
    pub fn is_over(&self) -> bool {
        self.left() == 0
    }

    /// False if the bytes behind the data were not CR LF. From a client: answer
    /// [`BAD_DATA_CHUNK`](super::answers::BAD_DATA_CHUNK) and go on behind the block, as the server does. From a node:
    /// the connection is out of step and must be closed.
    pub fn is_sound(&self) -> bool {
        self.sound
    }
}
