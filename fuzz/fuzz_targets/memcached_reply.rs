//! Node bytes, against every awaited reply: no panic, and ranges that lie within the line.

#![no_main]

use evenkeel_wire::memcached::{Kind, ReplyParser, ReplyStep};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    for expect in Kind::ALL.into_iter().filter_map(Kind::expect) {
        let (mut parser, mut unread) = (ReplyParser::new(), input);
        while let ReplyStep::Line(reply) = parser.parse(unread, expect) {
            for span in [reply.key, reply.client_flags, reply.cas, reply.meta, reply.text] {
                assert!(span.end as usize <= reply.line_len);
            }
            unread = unread.get(reply.whole_len()..).unwrap_or_default();
        }
    }
});
