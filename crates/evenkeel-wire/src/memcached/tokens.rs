//! A line split at spaces, as memcached's tokenizer does it.

use crate::Span;

/// Iterator over the tokens of a region. Runs of spaces count as one; no other byte separates, not even a tab.
#[derive(Clone, Debug)]
pub(crate) struct Tokens<'a> {
    bytes: &'a [u8],
    at: usize,
    end: usize,
}

impl<'a> Tokens<'a> {
    /// The tokens of `region` in `bytes`.
    pub(crate) fn new(bytes: &'a [u8], region: Span) -> Self {
        let end = (region.end as usize).min(bytes.len());
        Self {
            bytes,
            at: region.start as usize,
            end,
        }
    }

    /// What the spans of the tokens refer to.
    pub(crate) fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// What follows the last token that was given.
    pub(crate) fn rest(&self) -> Span {
        Span::new(self.at.min(self.end), self.end)
    }
}

impl Iterator for Tokens<'_> {
    type Item = Span;

    #[inline]
    fn next(&mut self) -> Option<Span> {
        let text = self.bytes.get(self.at..self.end)?;
        let start = self.at + text.iter().position(|byte| *byte != b' ')?;
        let text = self.bytes.get(start..self.end)?;
        let len = text
            .iter()
            .position(|byte| *byte == b' ')
            .unwrap_or(text.len());
        self.at = start + len;
        Some(Span::new(start, start + len))
    }
}
