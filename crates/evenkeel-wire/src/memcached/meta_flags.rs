//! The flags of a meta line: one letter each, some with a token behind it.

use super::tokens::Tokens;
use crate::Span;

/// One flag of a meta request or reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MetaFlag<'a> {
    /// The letter that says what it is.
    pub letter: u8,
    /// What follows the letter; often empty.
    pub token: &'a [u8],
    /// Where the token lies in the parsed bytes.
    pub span: Span,
}

/// Iterator over the flags of a line, in their order. Never allocates; `O(1)` a step over the bytes of a flag.
#[derive(Clone, Debug)]
pub struct MetaFlags<'a> {
    tokens: Tokens<'a>,
}

impl<'a> MetaFlags<'a> {
    /// The flags in `region` of `bytes`.
    pub fn new(bytes: &'a [u8], region: Span) -> Self {
        Self {
            tokens: Tokens::new(bytes, region),
        }
    }

    /// No flags, for commands that have none.
    pub fn none() -> Self {
        Self::new(&[], Span::default())
    }

    /// The first flag with this letter.
    pub fn find(mut self, letter: u8) -> Option<MetaFlag<'a>> {
        Iterator::find(&mut self, |flag| flag.letter == letter)
    }
}

impl<'a> Iterator for MetaFlags<'a> {
    type Item = MetaFlag<'a>;

    fn next(&mut self) -> Option<MetaFlag<'a>> {
        let span = self.tokens.next()?;
        let (letter, token) = span.of(self.tokens.bytes()).split_first()?;
        Some(MetaFlag {
            letter: *letter,
            token,
            span: Span {
                start: span.start.saturating_add(1),
                end: span.end,
            },
        })
    }
}
