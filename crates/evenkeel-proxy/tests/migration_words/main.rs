//! The migration's commands and answers, word for word, on an embedded node and on the real server.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "../embedded/server.rs"]
mod server;

use evenkeel_core::migration::operation::{Answer, Command, Lease, Side};
use evenkeel_proxy::embedded::{EmbeddedNode, EmbeddedSession};
use evenkeel_proxy::migration::{Asked, Context, Item, Remarks, ask, hear};
use evenkeel_wire::memcached::compose::NodeKey;
use evenkeel_wire::memcached::{ReplyParser, ReplyStep};
use std::sync::Arc;
use std::time::Duration;

const CONTEXT: Context = Context {
    lease: Duration::from_secs(30),
    now: Duration::from_secs(1_796_000_000),
};
const CONNECTION: u64 = 7;

/// Anything that answers as memcached does.
type Exchange<'a> = dyn FnMut(&[u8]) -> Vec<u8> + 'a;

fn on_both(story: impl Fn(&mut Exchange<'_>)) {
    let mut session = EmbeddedSession::new(Arc::new(EmbeddedNode::new(8 << 20)));
    story(&mut |bytes: &[u8]| {
        let mut out = Vec::new();
        session.receive(bytes, &mut out);
        out
    });
    let server = server::Server::start();
    let mut stream = server.connect();
    story(&mut |bytes: &[u8]| server::exchange(&mut stream, bytes));
}

fn say(
    exchange: &mut Exchange<'_>,
    side: Side,
    key: &[u8],
    command: Command<Item>,
) -> Answer<Item> {
    let mut out = Vec::new();
    let Asked::Written(expect) = ask(&mut out, NodeKey::new(key).unwrap(), &command, CONTEXT)
    else {
        panic!()
    };
    let bytes = exchange(&out);
    let ReplyStep::Line(line) = ReplyParser::new().parse(&bytes, expect) else {
        panic!("{}", String::from_utf8_lossy(&bytes))
    };
    assert_eq!(line.whole_len(), bytes.len(), "one reply");
    hear(side, &command, &line, &bytes, CONNECTION).unwrap()
}

fn item(value: &[u8], client_flags: u32, left: Option<u64>) -> Item {
    Item {
        value: value.into(),
        client_flags,
        left: left.map(Duration::from_secs),
        told: Remarks::default(),
    }
}

fn won(answer: Answer<Item>) -> Lease {
    match answer {
        Answer::Won(lease) => lease,
        answer => panic!("{answer:?}"),
    }
}

use Command::{Delete, Fill, Look, LookOrLease, Remove};
use Side::{Source, Target};

#[test]
fn one_reader_wins_the_lease_and_the_fill_ends_it() {
    on_both(|node| {
        let lease = won(say(node, Target, b"k", LookOrLease));
        assert_eq!(lease.connection, CONNECTION);
        assert_eq!(say(node, Target, b"k", LookOrLease), Answer::Held(lease));
        assert_eq!(say(node, Target, b"k", Look), Answer::Held(lease));
        let filled = item(b"value", 7, Some(1000));
        assert_eq!(
            say(node, Target, b"k", Fill(filled.clone(), lease)),
            Answer::Done
        );
        let Answer::Value(seen, _) = say(node, Target, b"k", LookOrLease) else {
            panic!()
        };
        assert_eq!((seen.value, seen.client_flags), (filled.value, 7));
        assert!(
            seen.left.is_some_and(|left| left.as_secs() > 990),
            "{:?}",
            seen.left
        );
    });
}

#[test]
fn a_write_or_a_delete_breaks_the_lease() {
    on_both(|node| {
        let writes: [&[u8]; 2] = [b"set k 0 0 1\r\nx\r\n", b"delete k\r\n"];
        for write in writes {
            node(b"delete k\r\n");
            let lease = won(say(node, Target, b"k", LookOrLease));
            node(write);
            assert_eq!(
                say(node, Target, b"k", Fill(item(b"old", 0, None), lease)),
                Answer::Changed
            );
            assert_eq!(say(node, Target, b"k", Remove(lease)), Answer::Changed);
        }
    });
}

#[test]
fn a_released_lease_leaves_nothing() {
    on_both(|node| {
        let lease = won(say(node, Target, b"k", LookOrLease));
        assert_eq!(say(node, Target, b"k", Remove(lease)), Answer::Done);
        assert_eq!(say(node, Target, b"k", Look), Answer::Miss);
        assert_eq!(say(node, Source, b"k", Delete), Answer::Miss);
    });
}

// The time to live, the flags and the bytes survive; for ever stays for ever.
#[test]
fn what_is_fetched_is_what_was_stored() {
    on_both(|node| {
        let stored: [(&[u8], Item); 3] = [
            (b"set k 0 0 0\r\n\r\n", item(b"", 0, None)),
            (
                b"set k 4294967295 0 7\r\nEND\r\n\r\n\r\n",
                item(b"END\r\n\r\n", u32::MAX, None),
            ),
            (b"set k 1 0 4\r\n9 \0\xff\r\n", item(b"9 \0\xff", 1, None)),
        ];
        for (set, expected) in stored {
            assert_eq!(node(set), b"STORED\r\n");
            let Answer::Value(seen, _) = say(node, Source, b"k", Look) else {
                panic!()
            };
            assert_eq!(
                Item {
                    told: Remarks::default(),
                    ..seen
                },
                expected
            );
        }
        assert_eq!(say(node, Source, b"k", Delete), Answer::Done);
    });
}

#[test]
fn what_is_stale_is_not_copied_but_served() {
    on_both(|node| {
        node(b"set k 0 0 1\r\nx\r\n");
        node(b"md k I\r\n");
        assert!(matches!(say(node, Source, b"k", Look), Answer::Spent));
        assert!(matches!(say(node, Target, b"k", Look), Answer::Value(..)));
    });
}

#[test]
fn a_placeholder_at_the_source_is_known_for_what_it_is() {
    on_both(|node| {
        let lease = won(say(node, Target, b"k", LookOrLease));
        assert_eq!(say(node, Source, b"k", Look), Answer::Held(lease));
    });
}

#[test]
fn keys_with_blanks_and_control_bytes_are_reached() {
    on_both(|node| {
        // Stored by its base64 name by a client; `a b` cannot be written in a line.
        node(b"ms YSBi 1 b\r\nx\r\n");
        assert!(matches!(say(node, Source, b"a b", Look), Answer::Value(..)));
        node(b"set t\tb 0 0 1\r\nx\r\n");
        assert!(matches!(
            say(node, Source, b"t\tb", Look),
            Answer::Value(..)
        ));
        assert_eq!(say(node, Source, b"t\tb", Delete), Answer::Done);
    });
}

#[test]
fn a_fill_that_is_too_large_is_refused_for_good() {
    on_both(|node| {
        let lease = won(say(node, Target, b"k", LookOrLease));
        let large = item(&vec![b'x'; 2 << 20], 0, None);
        assert_eq!(say(node, Target, b"k", Fill(large, lease)), Answer::Refused);
    });
}
