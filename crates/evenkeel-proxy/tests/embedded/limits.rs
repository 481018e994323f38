//! What the embedded node keeps and lets go.

use evenkeel_proxy::embedded::{EmbeddedNode, EmbeddedSession};
use std::sync::Arc;

fn answer(session: &mut EmbeddedSession, bytes: &[u8]) -> String {
    let mut out = Vec::new();
    session.receive(bytes, &mut out);
    String::from_utf8(out).unwrap()
}

#[test]
fn memory_stays_within_its_limit_and_what_is_used_stays() {
    let limit = 8 << 20;
    let node = Arc::new(EmbeddedNode::new(limit));
    let mut session = EmbeddedSession::new(Arc::clone(&node));
    let value = "v".repeat(1000);
    for at in 0..40_000 {
        answer(
            &mut session,
            format!("set key{at} 0 0 1000\r\n{value}\r\n").as_bytes(),
        );
        assert!(node.bytes() <= limit);
        // One key is read all the time.
        if at > 0 && at % 50 == 0 {
            assert!(
                answer(&mut session, b"get key0\r\n").starts_with("VALUE"),
                "after {at}"
            );
        }
    }
    assert!(node.evictions() > 20_000);
    assert!(node.len() > 5_000, "the limit is used: {}", node.len());
}

#[test]
fn a_value_just_stored_is_there_even_when_full() {
    let node = Arc::new(EmbeddedNode::new(8 << 20));
    let mut session = EmbeddedSession::new(node);
    let value = "v".repeat(10_000);
    for at in 0..5_000 {
        answer(
            &mut session,
            format!("set key{at} 0 0 10000\r\n{value}\r\n").as_bytes(),
        );
        assert!(
            answer(&mut session, format!("get key{at}\r\n").as_bytes()).starts_with("VALUE"),
            "key{at}"
        );
    }
}

#[test]
fn a_conversation_in_single_bytes_is_the_same() {
    let conversation: &[u8] = b"set a 0 0 5\r\nEND\r\n\r\nget a\r\nms b 2 c\r\nhi\r\nmg b v c\r\nset a 0 0 1\r\nxyz\r\nmn\r\n";
    let node = || EmbeddedSession::new(Arc::new(EmbeddedNode::new(1 << 20)));
    let whole = answer(&mut node(), conversation);
    let mut session = node();
    let pieces: String = conversation
        .chunks(1)
        .map(|byte| answer(&mut session, byte))
        .collect();
    assert_eq!(pieces, whole);
}

#[test]
fn quit_closes_and_nothing_more_is_answered() {
    let mut session = EmbeddedSession::new(Arc::new(EmbeddedNode::new(1 << 20)));
    assert_eq!(answer(&mut session, b"quit\r\nversion\r\n"), "");
    assert!(session.is_closed());
}

#[test]
fn many_sessions_count_together() {
    let node = Arc::new(EmbeddedNode::new(8 << 20));
    answer(
        &mut EmbeddedSession::new(Arc::clone(&node)),
        b"set n 0 0 1\r\n0\r\n",
    );
    std::thread::scope(|scope| {
        for _ in 0..4 {
            let mut session = EmbeddedSession::new(Arc::clone(&node));
            scope.spawn(move || {
                (0..5_000).for_each(|_| drop(answer(&mut session, b"incr n 1\r\n")))
            });
        }
    });
    let mut session = EmbeddedSession::new(node);
    assert!(answer(&mut session, b"get n\r\n").contains("20000"));
}
