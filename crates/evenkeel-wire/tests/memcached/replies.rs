//! Replies: what belongs to the awaited one, and nothing else.

use super::drive;
use evenkeel_wire::memcached::{Expect, ReplyParser, ReplyStep, Status};

fn line(bytes: &[u8], expect: Expect) -> Option<evenkeel_wire::memcached::Reply> {
    match ReplyParser::new().parse(bytes, expect) {
        ReplyStep::Line(reply) => Some(reply),
        ReplyStep::Incomplete => panic!("incomplete"),
        ReplyStep::Malformed => None,
    }
}

const ALL: [Expect; 16] = [
    Expect::Values { cas: false },
    Expect::Values { cas: true },
    Expect::Stored,
    Expect::Number,
    Expect::Touched,
    Expect::Deleted,
    Expect::MetaGet,
    Expect::MetaSet,
    Expect::MetaDelete,
    Expect::MetaArithmetic,
    Expect::MetaNoop,
    Expect::MetaDebug,
    Expect::Version,
    Expect::Ok,
    Expect::Stats,
    Expect::Metadump,
];

// php-memcached#531: a late reply answers the next request. Between kinds, the parser itself notices.
#[test]
fn a_reply_of_another_kind_is_malformed() {
    let table: &[(&[u8], &[Expect])] = &[
        (b"VALUE a 0 0\r\n", &[Expect::Values { cas: false }]),
        (b"VALUE a 0 0 5\r\n", &[Expect::Values { cas: true }]),
        (b"STORED\r\n", &[Expect::Stored]),
        (b"7\r\n", &[Expect::Number]),
        (b"TOUCHED\r\n", &[Expect::Touched]),
        (b"DELETED\r\n", &[Expect::Deleted]),
        (b"VA 0\r\n", &[Expect::MetaGet, Expect::MetaArithmetic]),
        (b"NS\r\n", &[Expect::MetaSet, Expect::MetaArithmetic]),
        (b"MN\r\n", &[Expect::MetaNoop]),
        (b"ME a exp=-1\r\n", &[Expect::MetaDebug]),
        (b"VERSION 1\r\n", &[Expect::Version]),
        (b"STAT a 1\r\n", &[Expect::Stats]),
        (b"key=a exp=-1\n", &[Expect::Metadump]),
        (b"garbage\r\n", &[]),
        (b"\r\n", &[]),
        (b"\n", &[]),
        (b"STORED\n", &[]),
    ];
    for (bytes, belongs_to) in table {
        for expect in ALL {
            let taken = line(bytes, expect).is_some();
            assert_eq!(
                taken,
                belongs_to.contains(&expect),
                "{} as {expect:?}",
                drive::text(bytes)
            );
        }
    }
}

// twitter/twemproxy#138: an error line is a whole reply and leaves the connection in step.
#[test]
fn an_error_line_answers_any_request() {
    let errors: [&[u8]; 4] = [
        b"ERROR\r\n",
        b"CLIENT_ERROR bad data chunk\r\n",
        b"SERVER_ERROR out of memory storing object\r\n",
        b"ERROR cannot pipeline other commands before metadump\r\n",
    ];
    for error in errors {
        for expect in ALL {
            let reply = line(error, expect).unwrap();
            assert!(reply.status.is_error() && reply.last && reply.body_len.is_none());
        }
    }
}

#[test]
fn an_item_line_tells_its_parts() {
    let bytes = b"VALUE caf\xc3\xa9 7 3 19\r\n";
    let reply = line(bytes, Expect::Values { cas: true }).unwrap();
    assert_eq!(reply.status, Status::Value);
    assert_eq!(
        (reply.key.of(bytes), reply.client_flags.of(bytes)),
        (b"caf\xc3\xa9".as_slice(), b"7".as_slice())
    );
    assert_eq!(
        (reply.cas.of(bytes), reply.body_len, reply.last),
        (b"19".as_slice(), Some(3), false)
    );

    let bytes = b"VA 2 t-1 c7 W\r\n";
    let reply = line(bytes, Expect::MetaGet).unwrap();
    assert_eq!(
        (reply.cas.of(bytes), reply.body_len),
        (b"7".as_slice(), Some(2))
    );
    assert_eq!(
        reply
            .flags(bytes)
            .map(|flag| flag.letter)
            .collect::<Vec<_>>(),
        b"tcW"
    );
    assert_eq!(reply.flags(bytes).find(b't').unwrap().token, b"-1");
}

#[test]
fn lines_with_words_too_many_or_numbers_too_large_are_malformed() {
    let values = Expect::Values { cas: false };
    for bytes in [
        b"VALUE a 0 1 2\r\n".as_slice(),
        b"VALUE a 0\r\n",
        b"VALUE a x 1\r\n",
        b"VALUE a 0 -1\r\n",
        b"VALUE a 0 4294967296\r\n",
        b"VALUE a 0 2147483646\r\n",
    ] {
        assert_eq!(line(bytes, values), None, "{}", drive::text(bytes));
    }
    assert_eq!(line(b"18446744073709551616\r\n", Expect::Number), None);
}

#[test]
fn a_line_that_does_not_end_is_given_up() {
    let mut parser = ReplyParser::new();
    let endless = vec![b'x'; 4096];
    assert_eq!(
        parser.parse(&endless[..100], Expect::Stored),
        ReplyStep::Incomplete
    );
    assert_eq!(parser.parse(&endless, Expect::Stored), ReplyStep::Malformed);
}
