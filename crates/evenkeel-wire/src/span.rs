//! A range of the bytes that a parser was given.

/// A half-open range of offsets, smaller than `Range<usize>` and `Copy`, so that a parsed command is a plain value
/// that borrows nothing.
///
/// ```
/// # use evenkeel_wire::Span;
/// assert_eq!(Span::new(4, 7).of(b"get foo\r\n"), b"foo");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Span {
    /// Offset of the first byte.
    pub start: u32,
    /// Offset behind the last byte.
    pub end: u32,
}

impl Span {
    /// The range `start..end`. Offsets are bounded by the line limits, which are far below 4 GiB.
    pub fn new(start: usize, end: usize) -> Self {
        Self {
            start: offset(start),
            end: offset(end),
        }
    }

    /// Length in bytes.
    pub fn len(self) -> usize {
        self.end.saturating_sub(self.start) as usize
    }

    /// True if the range holds no byte; also the mark of "not there" for optional parts of a line.
    pub fn is_empty(self) -> bool {
        self.end <= self.start
    }

    /// The bytes of this range in `bytes`, which must be those that were parsed; empty if they are shorter.
    pub fn of(self, bytes: &[u8]) -> &[u8] {
        bytes
            .get(self.start as usize..self.end as usize)
            .unwrap_or_default()
    }
}

fn offset(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}
