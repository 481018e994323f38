//! Conversations to split and to mutate.

use evenkeel_wire::memcached::Expect;

pub const REQUESTS: &[&[u8]] = &[
    b"get a\r\ngets b  c \r\ngat 60 d e\r\ngats -1 f\r\nget a\tb\r\nget lf\n",
    b"set K 0 60 3\r\nabc\r\ndelete K noreply\r\nget K\r\nset z 0 0 0\r\n\r\n",
    b"set foo 0 1.5 3 noreply\r\nbar\r\nget foo\r\n",
    b"set mykey 0 0 4\r\nkostas\r\nget mykey\r\n",
    b"add a 1 2 3 noreply\r\nabc\r\nreplace a 1 2 3\r\nEND\r\nappend a 0 0 5\r\nEND\r\n\r\nprepend a 0 0 2\r\n\r\n\r\n",
    b"cas c 0 0 1 999999\r\n2\r\ncas c 0 0 1\r\ncas c 0 0 1 x\r\n2\r\nget c\r\n",
    b"incr foo 1\r\nincr foo 0.2\r\ndecr foo 5 noreply\r\ntouch foo 0.2\r\ntouch foo 100\r\ndelete foo 1\r\ndelete foo 0\r\n",
    b"ms k1 1 q\r\nx\r\nmg k1 v q\r\nmg nope v q O99\r\nmd k1 q C7\r\nma k1 MD D5\r\nme k1\r\nmn\r\n",
    b"ms Zm9v 3 b\r\nbar\r\nmg Zm9v b k v\r\nmg Zm9 b\r\nms !!!! 3 b\r\nbar\r\nget foo\r\n",
    b"ms a S3\r\nms a -1\r\nms a 3 T0 I ME\r\nabc\r\nms\r\nmg\r\nme\r\n",
    b"version\r\nstats\r\nstats items\r\nverbosity 1\r\nverbosity\r\nflush_all\r\nflush_all 5 noreply\r\nflush_all x\r\n",
    b"foo bar\r\n\r\n\nshutdown\r\nlru_crawler metadump all\r\nwatch\r\nquit\r\n",
    b"set a\0b 0 0 1\r\nx\r\nget a\0junk\r\nget a\rb\r\n",
    b"set a x 0 3\r\nabc\r\nset a 0 0 -1\r\nset a 0 0 3221225472\r\n",
    b"GET / HTTP/1.1\r\nHost: x\r\n\r\n",
    b"\x80\0\0\0",
];

pub const REPLIES: &[(Expect, &[u8])] = &[
    (
        Expect::Values { cas: false },
        b"VALUE a 0 5\r\nEND\r\n\r\nVALUE b 4294967295 0\r\n\r\nEND\r\n",
    ),
    (
        Expect::Values { cas: true },
        b"VALUE a 0 1 19\r\nx\r\nEND\r\nSERVER_ERROR out of memory\r\n",
    ),
    (
        Expect::Stored,
        b"STORED\r\nNOT_STORED\r\nEXISTS\r\nNOT_FOUND\r\nCLIENT_ERROR bad data chunk\r\nERROR\r\n",
    ),
    (
        Expect::Number,
        b"501\r\n0\r\n18446744073709551615\r\nNOT_FOUND\r\n",
    ),
    (Expect::Touched, b"TOUCHED\r\nNOT_FOUND\r\n"),
    (Expect::Deleted, b"DELETED\r\nNOT_FOUND\r\n"),
    (
        Expect::MetaGet,
        b"VA 2 s2 c7 W\r\nhi\r\nHD t-1\r\nEN\r\nVA 0 Z\r\n\r\n",
    ),
    (Expect::MetaSet, b"HD O1 c8\r\nNS\r\nEX\r\nNF kfoo\r\n"),
    (
        Expect::MetaArithmetic,
        b"VA 1\r\n5\r\nHD\r\nNF\r\nNS\r\nEX\r\n",
    ),
    (
        Expect::MetaDebug,
        b"ME a exp=-1 la=0 cas=2 fetch=no cls=1 size=63\r\nEN\r\n",
    ),
    (Expect::MetaNoop, b"MN\r\n"),
    (Expect::Version, b"VERSION 1.6.18\r\n"),
    (
        Expect::Stats,
        b"STAT pid 1\r\nSTAT uptime 5\r\nEND\r\nRESET\r\n",
    ),
    (
        Expect::Metadump,
        b"key=a%25b exp=-1 la=1 cas=17 fetch=no cls=1 size=63\nEND\r\nBUSY currently\r\n",
    ),
    (Expect::Ok, b"OK\r\nSTORED\r\n"),
];
