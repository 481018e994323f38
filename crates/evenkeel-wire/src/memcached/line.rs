//! One line of a request, as the server sees it.

use super::answers::{Answer, ERROR};
use super::tokens::Tokens;
use crate::Span;

/// A whole line at the front of the unread bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Line<'a> {
    /// The unread bytes; what spans refer to.
    pub(crate) bytes: &'a [u8],
    /// The part that is read: without the line end, and without what a NUL byte cuts off.
    pub(crate) text: Span,
    /// Length with the line end.
    pub(crate) len: usize,
}

impl<'a> Line<'a> {
    /// The line that ends at `len`, behind its LF. A CR before the LF is part of the line end.
    pub(crate) fn new(bytes: &'a [u8], len: usize) -> Self {
        let mut end = len.saturating_sub(1);
        if end > 1 && bytes.get(end - 1) == Some(&b'\r') {
            end -= 1;
        }
        // The server works on a C string, so a NUL byte ends the line early and hides the rest of it.
        let end = memchr::memchr(0, bytes.get(..end).unwrap_or_default()).unwrap_or(end);
        Self {
            bytes,
            text: Span::new(0, end),
            len,
        }
    }

    /// The tokens of the line, the command first.
    pub(crate) fn tokens(&self) -> Tokens<'a> {
        Tokens::new(self.bytes, self.text)
    }

    /// The first `N` tokens of a region, and how many there are (counted up to `N + 1`).
    pub(crate) fn first_tokens<const N: usize>(&self, region: Span) -> ([Span; N], usize) {
        let mut first = [Span::default(); N];
        let mut count = 0;
        for token in Tokens::new(self.bytes, region).take(N + 1) {
            if let Some(slot) = first.get_mut(count) {
                *slot = token;
            }
            count += 1;
        }
        (first, count)
    }

    /// This line answered with `text`.
    pub(crate) fn answer(&self, text: &'static [u8]) -> Answer {
        Answer {
            text,
            consumed: self.len,
            close: false,
            swallow: 0,
            kind: None,
            key: Span::default(),
        }
    }

    /// This line answered with `ERROR`, as lines with an unknown command or a wrong number of words are.
    pub(crate) fn error(&self) -> Answer {
        self.answer(ERROR)
    }
}
