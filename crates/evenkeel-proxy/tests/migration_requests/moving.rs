//! A source, a target, and the gate between them; nodes answer at once.

use bytes::Bytes;
use evenkeel_core::migration::Rules;
use evenkeel_core::migration::operation::{Side, Source};
use evenkeel_proxy::embedded::{EmbeddedNode, EmbeddedSession};
use evenkeel_proxy::gate::{Heard, Request, Shared, Task, Todo};
use evenkeel_wire::memcached::{
    Expect, Kind as Word, Reply, ReplyParser, ReplyStep, RequestParser, Step,
};
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The tag of the target's tokens.
const TAG: u16 = 1;

const SHARED: Shared = Shared {
    lease_seconds: 30,
    rules: Rules::WHOLE,
};

/// Far more steps than an operation takes that meets no other.
const MAX_STEPS: usize = 30;

pub struct Node(EmbeddedSession);

impl Node {
    pub fn new() -> Self {
        Self(EmbeddedSession::new(Arc::new(EmbeddedNode::new(64 << 20))))
    }

    pub fn exchange(&mut self, bytes: &[u8]) -> Vec<u8> {
        let mut out = Vec::new();
        self.0.receive(bytes, &mut out);
        out
    }
}

pub struct Moving {
    source: Node,
    target: Node,
}

impl Moving {
    pub fn new() -> Self {
        Self {
            source: Node::new(),
            target: Node::new(),
        }
    }

    /// Before the move.
    pub fn at_source(&mut self, bytes: &[u8]) -> Vec<u8> {
        self.source.exchange(bytes)
    }

    pub fn source_has(&mut self, key: &str) -> bool {
        self.source.exchange(format!("mg {key}\r\n").as_bytes()) != b"EN\r\n"
    }

    /// A client's command, while its key moves.
    pub fn run(&mut self, bytes: &[u8]) -> Vec<u8> {
        let mut out = Vec::new();
        let command = match RequestParser::default().parse(bytes) {
            Step::Command(command) => command,
            Step::Answer(answer) => return answer.text.to_vec(),
            step => panic!("{step:?}"),
        };
        let value = command.body_len.map_or(0..0, |len| {
            command.line_len..command.line_len + len as usize
        });
        for key in command.keys(bytes) {
            match Request::new(
                &command,
                bytes,
                key,
                Bytes::copy_from_slice(&bytes[value.clone()]),
            ) {
                Err(refusal) => out.extend_from_slice(format!("{refusal}\r\n").as_bytes()),
                Ok(request) => {
                    let mut task = Task::for_client(request, Source::Live, TAG, SHARED);
                    self.finish(&mut task, &mut out);
                }
            }
        }
        if matches!(
            command.kind,
            Word::Get | Word::Gets | Word::Gat | Word::Gats
        ) {
            out.extend_from_slice(b"END\r\n");
        }
        out
    }

    fn finish(&mut self, task: &mut Task, out: &mut Vec<u8>) {
        let mut next = task.start(true, now());
        for _ in 0..MAX_STEPS {
            if let Some(answered) = next.answer {
                out.extend_from_slice(&answered.bytes);
            }
            next = match next.next {
                Todo::Over => return,
                Todo::Wait => task.wait_over(false, now()),
                Todo::Send {
                    to, bytes, expect, ..
                } => {
                    let node = if to == Side::Source {
                        &mut self.source
                    } else {
                        &mut self.target
                    };
                    let replied = node.exchange(&bytes);
                    let reply = parsed(&replied, expect, &bytes);
                    let heard = Heard {
                        reply: &reply,
                        bytes: &replied,
                        connection: 1,
                    };
                    task.heard(heard, now())
                        .expect("the node keeps to the protocol")
                }
            };
        }
        panic!("{} does not end", String::from_utf8_lossy(task.key()));
    }
}

fn now() -> Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap()
}

fn parsed(reply: &[u8], expect: Expect, request: &[u8]) -> Reply {
    let ReplyStep::Line(line) = ReplyParser::new().parse(reply, expect) else {
        panic!(
            "{} to {}",
            String::from_utf8_lossy(reply),
            String::from_utf8_lossy(request)
        )
    };
    assert_eq!(
        line.whole_len(),
        reply.len(),
        "one reply to {}",
        String::from_utf8_lossy(request)
    );
    line
}
