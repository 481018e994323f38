//! The real server as the judge: lines built from words that matter, each sent to memcached.
//!
//! What we answer ourselves must be what it answers; what we would forward must get exactly one reply, of the awaited
//! kind, or a node connection would fall out of step.

use super::server::{Server, exchange};
use super::{drive, random::Random};
use evenkeel_wire::memcached::{Answer, Command, ReplyParser, ReplyStep, RequestParser, Step};

/// Lines per run; a fixed seed makes every run the same.
const LINES: usize = 4000;

const WORDS: &[&str] = &[
    "get",
    "gets",
    "gat",
    "gats",
    "set",
    "add",
    "replace",
    "append",
    "prepend",
    "cas",
    "incr",
    "decr",
    "touch",
    "delete",
    "mg",
    "ms",
    "md",
    "ma",
    "me",
    "version",
    "verbosity",
    "foo",
    "GET",
    "m",
    "mx",
    "bget",
];

const ARGUMENTS: &[&str] = &[
    "k",
    "k",
    "k",
    "key2",
    "0",
    "0",
    "1",
    "3",
    "10",
    "-1",
    "+3",
    "3x",
    "1.5",
    "x",
    "noreply",
    "noreply",
    "2592001",
    "4294967296",
    "18446744073709551616",
    "-18446744073709551615",
    "99999",
    "b",
    "v",
    "q",
    "k",
    "c",
    "f",
    "s",
    "t",
    "h",
    "l",
    "u",
    "O1",
    "Oabc",
    "C5",
    "T30",
    "F7",
    "MS",
    "ME",
    "MA",
    "MD",
    "MI",
    "MX",
    "N30",
    "R5",
    "I",
    "D2",
    "J9",
    "Zm9v",
    "Zm9",
    "!",
    "Tx",
    "S3",
    "Zg==",
    "k\tk",
    "caf\u{e9}",
];

fn line(random: &mut Random) -> Vec<u8> {
    let mut line = random.pick(WORDS).to_string();
    for _ in 0..random.below(7) {
        line.push_str(if random.below(10) == 0 { "  " } else { " " });
        line.push_str(random.pick::<&str>(ARGUMENTS));
    }
    line.push_str(if random.below(10) == 0 { "\n" } else { "\r\n" });
    line.into_bytes()
}

#[test]
fn the_real_server_agrees_line_by_line() {
    let server = Server::start();
    let mut stream = server.connect();
    let mut random = Random::new(1);
    let (mut answered, mut forwarded) = (0, 0);
    for _ in 0..LINES {
        let line = line(&mut random);
        match RequestParser::default().parse(&line) {
            // Beyond 2 GiB we refuse the size; the server reads the length modulo 2^32. A large block that it does
            // not swallow is an endless line to it, and it closes.
            Step::Answer(answer) if answer.is_too_large() || answer.swallow > 1000 => {}
            Step::Answer(answer) => {
                answered += 1;
                let received = exchange(&mut stream, &with_block(&line, answer.swallow));
                check_answer(&line, answer, &received);
            }
            Step::Command(command) => {
                forwarded += 1;
                let block = command.body_len.map_or(0, |len| u64::from(len) + 2);
                let received = exchange(&mut stream, &with_block(&line, block));
                check_reply(&line, &command, &received);
            }
            step => panic!("{step:?} for {:?}", drive::text(&line)),
        }
    }
    assert!(
        answered > LINES / 10 && forwarded > LINES / 10,
        "{answered} answered, {forwarded} forwarded"
    );
}

/// The line and, if it has one, a data block of `len` bytes with its line end.
fn with_block(line: &[u8], len: u64) -> Vec<u8> {
    let mut request = line.to_vec();
    if let Some(data) = usize::try_from(len).unwrap().checked_sub(2) {
        request.extend(std::iter::repeat_n(b'7', data));
        request.extend_from_slice(b"\r\n");
    }
    request
}

/// Where we swallow a block, the server mostly does not, and then takes the block for a command of its own.
fn check_answer(line: &[u8], answer: Answer, received: &[u8]) {
    let mut told = drive::text(received);
    if answer.swallow > 0 {
        told = told
            .strip_suffix("ERROR\r\n")
            .filter(|_| told != "ERROR\r\n" || answer.text.is_empty())
            .unwrap_or(told);
    }
    assert_eq!(
        drive::text(answer.text),
        told,
        "{:?}",
        String::from_utf8_lossy(line)
    );
}

fn check_reply(line: &[u8], command: &Command, received: &[u8]) {
    let line = String::from_utf8_lossy(line);
    let Some(expect) = command.kind.expect() else {
        return;
    };
    let mut rest = received;
    if rest.is_empty() {
        assert!(command.quiet, "{line:?} is not answered");
        return;
    }
    loop {
        let ReplyStep::Line(reply) = ReplyParser::new().parse(rest, expect) else {
            panic!("{line:?}: {:?}", drive::text(received));
        };
        rest = &rest[reply.whole_len()..];
        if reply.last {
            break;
        }
    }
    assert!(
        rest.is_empty(),
        "{line:?}: more than one reply: {:?}",
        drive::text(received)
    );
}
