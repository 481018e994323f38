//! CAS tokens that carry a tag.
//!
//! A node's token counts its writes and stays far below 2^48, so the upper 16 bits are free for a number that says
//! whose token it is. Clients keep tokens as they get them; ours are rewritten on the way out and on the way in, in
//! the line where they stand.

use crate::{Span, number};

/// Bits of a token that are the node's own counter.
pub const COUNTER_BITS: u32 = 48;

/// The token that a client sees; `None` if the node's token is so large that it needs the tag's bits.
pub fn join(tag: u16, token: u64) -> Option<u64> {
    (token >> COUNTER_BITS == 0).then_some(u64::from(tag) << COUNTER_BITS | token)
}

/// Tag and node token of a token that a client sends.
pub fn split(token: u64) -> (u16, u64) {
    let tag = (token >> COUNTER_BITS) as u16;
    (tag, token & ((1 << COUNTER_BITS) - 1))
}

/// A token as it stands in a line, read as the server reads it; `None` if it is no number of 64 bits.
pub fn read(token: &[u8]) -> Option<u64> {
    number::unsigned(token)
}

/// Appends `line` with `token` in place of what stands at `at`. Serves every line with a token: a `VALUE` line, a
/// meta line with `c` or `C` (the range is without the letter), a `cas` request.
pub fn push_line(out: &mut Vec<u8>, line: &[u8], at: Span, token: u64) {
    let (before, rest) = line
        .split_at_checked(at.start as usize)
        .unwrap_or((line, &[]));
    out.extend_from_slice(before);
    out.extend_from_slice(itoa::Buffer::new().format(token).as_bytes());
    out.extend_from_slice(rest.get(at.len()..).unwrap_or_default());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memcached::{Expect, ReplyParser, ReplyStep, RequestParser, Step};

    #[test]
    fn a_tag_and_a_token_come_apart_as_they_were_joined() {
        for (tag, token) in [(0, 0), (1, 19), (65_535, (1 << 48) - 1)] {
            assert_eq!(join(tag, token).map(split), Some((tag, token)));
        }
        assert_eq!(join(1, 1 << 48), None);
    }

    #[test]
    fn a_token_is_replaced_where_it_stands() {
        let value = b"VALUE k 0 1 19\r\n";
        let ReplyStep::Line(reply) = ReplyParser::new().parse(value, Expect::Values { cas: true })
        else {
            panic!()
        };
        let mut out = Vec::new();
        push_line(&mut out, value, reply.cas, join(2, 19).unwrap());
        assert_eq!(out, b"VALUE k 0 1 562949953421331\r\n");

        let meta = b"ms k 1 c C562949953421331 T0\r\n";
        let Step::Command(command) = RequestParser::default().parse(meta) else {
            panic!()
        };
        let (tag, token) = split(read(command.cas.of(meta)).unwrap());
        out.clear();
        push_line(&mut out, meta, command.cas, token);
        assert_eq!(
            (tag, out.as_slice()),
            (2, b"ms k 1 c C19 T0\r\n".as_slice())
        );
    }
}
