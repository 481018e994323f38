//! Every command, on a key that is being moved, answers as one memcached does, and leaves behind what it leaves there.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use bytes::Bytes;
use evenkeel_core::migration::Rules;
use evenkeel_core::migration::operation::{Outcome, Source};
use evenkeel_proxy::gate::{Request, Shared, Task};
use evenkeel_wire::memcached::{RequestParser, Step, cas};

use crate::driver::run;
use crate::memcached::Memcached;
use crate::node::Node;

const SHARED: Shared = Shared {
    lease_seconds: 30,
    rules: Rules::WHOLE,
};
const TAG: u16 = 7;
const PATIENCE: Duration = Duration::from_secs(2);

/// Source, target, and a memcached that serves as the judge.
struct Bench {
    source: Memcached,
    target: Memcached,
    judge: Memcached,
}

/// Where the key is when the command comes.
#[derive(Debug, Clone, Copy, PartialEq)]
enum At {
    Source,
    Target,
    /// At the source, with somebody else's lease at the target.
    SourceWithLease,
    /// At the target, in `settle`.
    Settled,
    /// Nowhere, with a lease left at the target, in `settle`.
    SettledWithLease,
    /// Nowhere.
    Nowhere,
}

const PLACES: [At; 6] = [
    At::Source,
    At::Target,
    At::SourceWithLease,
    At::Settled,
    At::SettledWithLease,
    At::Nowhere,
];

impl Bench {
    fn new() -> Self {
        Bench {
            source: Memcached::start(),
            target: Memcached::start(),
            judge: Memcached::start(),
        }
    }

    /// Brings all three into the state that a case begins with. Returns whether there is a value.
    fn prepare(&self, at: At, before: &[u8]) -> bool {
        for server in [&self.source, &self.target, &self.judge] {
            assert_eq!(ask(&mut server.connect(), b"flush_all\r\n"), b"OK\r\n");
        }
        let holder = match at {
            At::Source | At::SourceWithLease => &self.source,
            At::Target | At::Settled => &self.target,
            At::SettledWithLease | At::Nowhere => &self.judge,
        };
        let there = !before.is_empty() && !matches!(at, At::SettledWithLease | At::Nowhere);
        if there {
            ask(&mut holder.connect(), before);
            ask(&mut self.judge.connect(), before);
        }
        if matches!(at, At::SourceWithLease | At::SettledWithLease) {
            ask(&mut self.target.connect(), b"mg k N30 v\r\n");
        }
        there
    }

    /// The gate's answer, `END` of a text read included.
    fn through_the_gate(&self, at: At, command: &[u8]) -> Vec<u8> {
        let Step::Command(parsed) = RequestParser::default().parse(command) else {
            panic!("{command:?}")
        };
        let body_len = parsed.body_len.unwrap_or(0) as usize;
        let body = Bytes::copy_from_slice(&command[parsed.line_len..parsed.line_len + body_len]);
        let key = parsed.key(command).to_vec();
        let request = Request::new(&parsed, command, &key, body).unwrap();
        let source = if matches!(at, At::Settled | At::SettledWithLease) {
            Source::Settled
        } else {
            Source::Live
        };
        let mut task = Task::for_client(request, source, TAG, SHARED);
        let (mut s, mut d) = (
            Node::new(self.source.address, PATIENCE),
            Node::new(self.target.address, PATIENCE),
        );
        let mut reply = Vec::new();
        let given_up = run(&mut task, &mut s, &mut d, |answered| reply = answered.bytes);
        assert!(given_up.is_empty());
        if command.starts_with(b"get") || command.starts_with(b"gat") {
            reply.extend_from_slice(b"END\r\n");
        }
        reply
    }
}

/// Sends `command` with a `mn` behind it and returns what is answered before `MN`.
fn ask(stream: &mut TcpStream, command: &[u8]) -> Vec<u8> {
    stream.write_all(command).unwrap();
    stream.write_all(b"mn\r\n").unwrap();
    let mut answer = Vec::new();
    let mut chunk = [0; 4096];
    while !answer.ends_with(b"MN\r\n") {
        let read = stream.read(&mut chunk).unwrap();
        assert!(read > 0);
        answer.extend_from_slice(&chunk[..read]);
    }
    answer.truncate(answer.len() - 4);
    answer
}

/// What is compared: tokens are counters of one server's life, so only whether there is one.
fn without_tokens(answer: &[u8], command: &[u8]) -> String {
    let text = String::from_utf8_lossy(answer).into_owned();
    let tokens = command.starts_with(b"gets") || command.starts_with(b"gats");
    let mut lines = Vec::new();
    for line in text.split("\r\n") {
        let mut words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        if tokens && words[0] == "VALUE" {
            assert_ne!(words.pop().unwrap(), "0", "a token that no value has");
        }
        for word in words
            .iter_mut()
            .filter(|word| command.starts_with(b"m") && word.starts_with('c'))
        {
            let nothing = word == "c0";
            *word = if nothing { "c0".into() } else { "c".into() };
        }
        lines.push(words.join(" "));
    }
    lines.join("|")
}

const VALUES: [&[u8]; 3] = [b"", b"set k 5 100 2\r\n41\r\n", b"set k 9 0 5\r\nhello\r\n"];

const COMMANDS: &[&[u8]] = &[
    b"get k\r\n",
    b"gets k\r\n",
    b"gat 50 k\r\n",
    b"gats 50 k\r\n",
    b"gat 0 k\r\n",
    b"touch k 70\r\n",
    b"touch k 0\r\n",
    b"touch k -1\r\n",
    b"touch k 70 noreply\r\n",
    b"set k 3 60 3\r\nnew\r\n",
    b"set k 3 0 0\r\n\r\n",
    b"set k 3 -1 3\r\nnew\r\n",
    b"set k 3 60 3 noreply\r\nnew\r\n",
    b"add k 3 60 3\r\nnew\r\n",
    b"replace k 3 60 3\r\nnew\r\n",
    b"append k 3 60 2\r\n++\r\n",
    b"prepend k 3 60 2\r\n++\r\n",
    b"cas k 3 60 3 999999\r\nnew\r\n",
    b"incr k 5\r\n",
    b"decr k 50\r\n",
    b"incr k 5 noreply\r\n",
    b"delete k\r\n",
    b"delete k noreply\r\n",
    b"mg k v f t s k O77\r\n",
    b"mg k v q\r\n",
    b"mg k c s\r\n",
    b"mg k T60 v f t\r\n",
    b"mg aw== b v s\r\n",
    b"ms k 3 F4 T60 c k O1\r\nnew\r\n",
    b"ms k 3 q\r\nnew\r\n",
    b"ms k 3 ME c\r\nnew\r\n",
    b"ms k 3 MR k\r\nnew\r\n",
    b"ms k 2 MA O2\r\n++\r\n",
    b"ms k 2 MP\r\n++\r\n",
    b"ms k 3 C999999 k\r\nnew\r\n",
    b"md k k O3\r\n",
    b"md k q\r\n",
    b"md k C999999\r\n",
    b"ma k v t\r\n",
    b"ma k MD D50 v c\r\n",
    b"ma k N60 J13 v t\r\n",
    b"ma k T44 k O9\r\n",
    b"ma k q v\r\n",
];

#[test]
fn every_command_answers_and_leaves_behind_what_one_memcached_does() {
    let bench = Bench::new();
    let mut compared = 0;
    let mut wrong = Vec::new();
    for command in COMMANDS {
        for before in VALUES {
            for at in PLACES {
                bench.prepare(at, before);
                let expected = without_tokens(&ask(&mut bench.judge.connect(), command), command);
                let given = without_tokens(&bench.through_the_gate(at, command), command);
                let case = format!(
                    "{} on {:?} {at:?}",
                    String::from_utf8_lossy(command),
                    String::from_utf8_lossy(before)
                );
                if !same(&given, &expected) {
                    wrong.push(format!("{case}: answers {given:?}, not {expected:?}"));
                }
                let left = b"mg k v f t\r\n";
                let expected = ask(&mut bench.judge.connect(), left);
                let given = ask(&mut bench.target.connect(), left);
                let unmoved = ask(&mut bench.source.connect(), left);
                // A refused or read-only command may leave the value at the source, and a lease of somebody else.
                let given = if given.starts_with(b"VA 0 f0 t") && given.ends_with(b"Z\r\n\r\n") {
                    unmoved
                } else {
                    given
                };
                let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
                if !same(&text(&given), &text(&expected)) {
                    wrong.push(format!(
                        "{case}: leaves {:?}, not {:?}",
                        text(&given),
                        text(&expected)
                    ));
                }
                compared += 1;
            }
        }
    }
    println!("{compared} cases");
    assert!(
        wrong.is_empty(),
        "{} differ:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

/// Seconds that may pass between the judge and the gate on a busy machine. The times to live in the cases lie further apart.
const TTL_SLACK: i64 = 5;

/// The same answer or item, but for the seconds that have passed.
fn same(given: &str, expected: &str) -> bool {
    let parts = |text: &str| {
        let ttl = text
            .split([' ', '\r', '|'])
            .find_map(|word| word.strip_prefix('t')?.parse::<i64>().ok());
        (ttl, text.replace(&format!(" t{}", ttl.unwrap_or(0)), ""))
    };
    let ((given_ttl, given), (expected_ttl, expected)) = (parts(given), parts(expected));
    given == expected && (given_ttl.unwrap_or(0) - expected_ttl.unwrap_or(0)).abs() <= TTL_SLACK
}

#[test]
fn a_token_of_the_target_compares_and_one_of_the_source_does_not() {
    let bench = Bench::new();
    bench.prepare(At::Source, b"set k 5 100 2\r\n41\r\n");
    let of_source = ask(&mut bench.source.connect(), b"gets k\r\n");
    let of_source = String::from_utf8(of_source).unwrap();
    let of_source: u64 = of_source
        .split([' ', '\r', '|'])
        .nth(4)
        .unwrap()
        .parse()
        .unwrap();
    let foreign = cas::join(TAG + 1, of_source).unwrap();
    let cas = |token: u64| format!("cas k 1 0 3 {token}\r\nnew\r\n").into_bytes();
    assert_eq!(
        bench.through_the_gate(At::Source, &cas(foreign)),
        b"EXISTS\r\n"
    );
    let seen = String::from_utf8(bench.through_the_gate(At::Source, b"gets k\r\n")).unwrap();
    let token: u64 = seen
        .split([' ', '\r', '|'])
        .nth(4)
        .unwrap()
        .parse()
        .unwrap();
    assert_eq!(cas::split(token).0, TAG);
    assert_eq!(
        bench.through_the_gate(At::Target, &cas(token)),
        b"STORED\r\n"
    );
    assert_eq!(
        bench.through_the_gate(At::Target, &cas(token)),
        b"EXISTS\r\n"
    );
    assert_eq!(
        bench.through_the_gate(At::Target, b"get k\r\n"),
        b"VALUE k 1 3\r\nnew\r\nEND\r\n"
    );
}

#[test]
fn the_copier_moves_a_key_with_flags_and_time_to_live_and_empties_the_source() {
    let bench = Bench::new();
    // C46: a copy without its time to live is a different item.
    bench.prepare(At::Source, b"set k 7 100 3\r\nbar\r\n");
    let moved = |key: &'static [u8]| {
        let mut task = Task::for_copier(Bytes::from_static(key), SHARED);
        let (mut s, mut d) = (
            Node::new(bench.source.address, PATIENCE),
            Node::new(bench.target.address, PATIENCE),
        );
        let mut outcome = None;
        run(&mut task, &mut s, &mut d, |answered| {
            outcome = Some(answered.outcome)
        });
        outcome.unwrap()
    };
    assert_eq!(moved(b"k"), Outcome::Done);
    let there = String::from_utf8(ask(&mut bench.target.connect(), b"mg k f t v\r\n")).unwrap();
    assert!(
        there == "VA 3 f7 t100\r\nbar\r\n" || there == "VA 3 f7 t99\r\nbar\r\n",
        "{there}"
    );
    assert_eq!(ask(&mut bench.source.connect(), b"mg k v\r\n"), b"EN\r\n");
    assert_eq!(moved(b"k"), Outcome::Already);
    assert_eq!(moved(b"nothing"), Outcome::Nothing);
    // A filler died between fill and deletion.
    ask(&mut bench.source.connect(), b"set k 7 100 3\r\nbar\r\n");
    assert_eq!(moved(b"k"), Outcome::Already);
    assert_eq!(ask(&mut bench.source.connect(), b"mg k v\r\n"), b"EN\r\n");
    // A lease that an abort left at the source is no value.
    ask(&mut bench.source.connect(), b"mg empty N30 v\r\n");
    assert_eq!(moved(b"empty"), Outcome::Nothing);
    assert_eq!(
        ask(&mut bench.source.connect(), b"mg empty v\r\n"),
        b"EN\r\n"
    );
    // Marked stale by a client.
    ask(
        &mut bench.source.connect(),
        b"set stale 0 0 1\r\nx\r\nmd stale I T30\r\n",
    );
    assert_eq!(moved(b"stale"), Outcome::Nothing);
    assert_eq!(
        ask(&mut bench.source.connect(), b"mg stale v\r\n"),
        b"EN\r\n"
    );
}
