//! Requests, by the cases that the field reported.

use super::drive;
use super::samples;
use evenkeel_wire::memcached::{
    Class, Kind, Limits, MAX_KEY_LEN, MetaFlags, RequestParser, Step, answers,
};

fn units(bytes: &[u8]) -> Vec<String> {
    drive::requests(&[bytes], Limits::default())
}

fn command(bytes: &[u8]) -> evenkeel_wire::memcached::Command {
    match RequestParser::default().parse(bytes) {
        Step::Command(command) => command,
        step => panic!("{step:?}"),
    }
}

fn answer(bytes: &[u8]) -> evenkeel_wire::memcached::Answer {
    match RequestParser::default().parse(bytes) {
        Step::Answer(answer) => answer,
        step => panic!("{step:?}"),
    }
}

// pinterest/pymemcache#239: an error line to a command that asked for silence shifts every later reply.
#[test]
fn a_quiet_set_that_cannot_be_read_is_swallowed_in_silence() {
    let units = units(b"set foo 0 1.5 3 noreply\r\nbar\r\nget foo\r\n");
    assert_eq!(units[0], r#"answer "" None "" false"#);
    assert!(units[1].starts_with("Get Read keys [\"foo\"]"), "{units:?}");
}

// spotify/folsom#34: after a value that is too large the connection must stay in step.
#[test]
fn three_gigabytes_are_swallowed_without_memory() {
    let mut parser = RequestParser::default();
    let line = b"set big 0 0 3221225472\r\n";
    let Step::Answer(answer) = parser.parse(line) else {
        panic!()
    };
    assert_eq!(
        (answer.text, answer.kind),
        (answers::TOO_LARGE, Some(Kind::Set))
    );
    assert_eq!(answer.key.of(line), b"big");
    let block = vec![b'x'; 1 << 20];
    let mut left = 3_221_225_472u64 + 2;
    while left > 0 {
        let len = block.len().min(usize::try_from(left).unwrap());
        let Step::Skip(skipped) = parser.parse(&block[..len]) else {
            panic!()
        };
        left -= skipped as u64;
    }
    assert!(matches!(parser.parse(b"get x\r\n"), Step::Command(_)));
}

#[test]
fn a_length_that_is_negative_is_a_format_error() {
    assert_eq!(answer(b"set foo 0 0 -1\r\n").text, answers::BAD_FORMAT);
}

// bradfitz/gomemcache#79 and kin: which bytes a key may hold.
#[test]
fn keys_hold_any_byte_but_space_line_ends_and_nul() {
    assert_eq!(command(b"get a\tb\x01\x7f\xc3\xa9\r\n").key_count, 1);
    let cut = b"get a\0junk c\r\n";
    assert_eq!(command(cut).keys(cut).collect::<Vec<_>>(), [b"a"]);
    assert_eq!(answer(b"get a\rb\r\n").text, answers::BAD_FORMAT);
    let long = [b"get ".as_slice(), &[b'k'; MAX_KEY_LEN + 1], b"\r\n"].concat();
    assert_eq!(answer(&long).text, answers::BAD_FORMAT);
    let fits = [b"get ".as_slice(), &[b'k'; MAX_KEY_LEN], b"\r\n"].concat();
    assert_eq!(command(&fits).key(&fits).len(), MAX_KEY_LEN);
}

#[test]
fn a_base64_key_is_routed_like_the_key_it_stands_for() {
    let (plain, coded) = (b"mg foo v\r\n".as_slice(), b"mg Zm9v b v\r\n".as_slice());
    let (mut one, mut other) = ([0; MAX_KEY_LEN], [0; MAX_KEY_LEN]);
    assert_eq!(
        command(plain).routing_key(plain, &mut one),
        command(coded).routing_key(coded, &mut other)
    );
}

#[test]
fn a_line_without_an_end_is_answered_once_and_then_skipped() {
    let limits = Limits {
        max_line: 64,
        ..Limits::default()
    };
    let long = [b"touch ".as_slice(), &[b'k'; 5000], b" 1\r\nget x\r\n"].concat();
    let units = drive::requests(&long.chunks(7).collect::<Vec<_>>(), limits);
    assert_eq!(units.len(), 2, "{units:?}");
    assert!(units[0].contains("line too long") && units[1].starts_with("Get"));
}

#[test]
fn a_storage_line_without_an_end_closes_for_its_block_cannot_be_found() {
    let long = [b"set ".as_slice(), &[b'k'; 5000], b" 0 0 1\r\n"].concat();
    assert!(answer(&long).close);
}

#[test]
fn long_multi_key_reads_are_served_up_to_their_own_limit() {
    let keys: Vec<String> = (0..1000).map(|at| format!("{at:0>249}")).collect();
    let line = format!("get {}\r\n", keys.join(" "));
    assert_eq!(command(line.as_bytes()).key_count, 1000);
}

#[test]
fn a_long_line_is_scanned_once() {
    // One byte a read: scanning from the front each time would look at 8 billion bytes.
    let mut parser = RequestParser::new(Limits {
        max_read_line: 1 << 17,
        ..Limits::default()
    });
    let line = [b"get ".as_slice(), &b"k ".repeat(60_000), b"\r\n"].concat();
    let begun = std::time::Instant::now();
    for end in 1..line.len() {
        assert_eq!(parser.parse(&line[..end]), Step::Incomplete);
    }
    assert!(begun.elapsed().as_secs() < 5);
}

#[test]
fn the_binary_dialect_is_refused_in_its_own_words() {
    let refusal = answer(b"\x80\0\0\0");
    assert!(refusal.close && refusal.text.starts_with(b"\x81"));
    let body_len = u32::from_be_bytes(refusal.text[8..12].try_into().unwrap());
    assert_eq!(body_len as usize, refusal.text.len() - 24);
    assert!(
        units(b"get a\r\n\x80 x\r\n")[1].contains("ERROR"),
        "only the first byte of a connection decides"
    );
}

#[test]
fn a_browser_is_turned_away_without_a_word() {
    let refusal = answer(b"POST /x HTTP/1.1\r\n");
    assert!(refusal.close && refusal.text.is_empty());
}

#[test]
fn every_command_is_classed() {
    use Class::*;
    let class = |line: &[u8]| command(line).class;
    let table: &[(&[u8], Class)] = &[
        (b"get k\r\n", Read),
        (b"gets k\r\n", Read),
        (b"mg k v t c s f h l k O1 q u\r\n", Read),
        (b"me k\r\n", Read),
        (b"set k 0 0 0\r\n", Overwrite),
        (b"delete k\r\n", Overwrite),
        (b"ms k 0 T5 F1 q\r\n", Overwrite),
        (b"ms k 0 MS\r\n", Overwrite),
        (b"md k q\r\n", Overwrite),
        (b"gat 1 k\r\n", Update),
        (b"gats 1 k\r\n", Update),
        (b"add k 0 0 0\r\n", Update),
        (b"replace k 0 0 0\r\n", Update),
        (b"append k 0 0 0\r\n", Update),
        (b"prepend k 0 0 0\r\n", Update),
        (b"cas k 0 0 0 1\r\n", Update),
        (b"incr k 1\r\n", Update),
        (b"decr k 1\r\n", Update),
        (b"touch k 1\r\n", Update),
        (b"mg k v N30\r\n", Update),
        (b"mg k T30\r\n", Update),
        (b"mg k R30\r\n", Update),
        (b"mg k E5\r\n", Update),
        (b"ms k 0 C5\r\n", Update),
        (b"ms k 0 MA\r\n", Update),
        (b"ms k 0 ME\r\n", Update),
        (b"md k C5\r\n", Update),
        (b"md k I\r\n", Update),
        (b"md k x\r\n", Update),
        (b"ma k\r\n", Update),
        (b"flush_all\r\n", Flush),
        (b"mn\r\n", Local),
        (b"version\r\n", Local),
        (b"quit\r\n", Local),
        (b"verbosity 1\r\n", Local),
        (b"stats\r\n", Local),
        (b"lru_crawler metadump all\r\n", Refused),
    ];
    for (line, expected) in table {
        assert_eq!(class(line), *expected, "{}", drive::text(line));
    }
    for kind in Kind::ALL {
        assert!(
            table.iter().any(|(line, _)| command(line).kind == kind),
            "{kind:?} is in no line of the table"
        );
        assert_eq!(
            kind.expect().is_none(),
            matches!(kind, Kind::Quit | Kind::Admin)
        );
        Class::of(kind, MetaFlags::none());
    }
}

#[test]
fn samples_give_more_than_incomplete() {
    assert!(
        samples::REQUESTS
            .iter()
            .all(|sample| !units(sample).is_empty())
    );
}
