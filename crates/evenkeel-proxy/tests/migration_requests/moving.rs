//! A source, a target, and operations between them that are run to their end at once.

use evenkeel_core::migration::operation::{
    Answer, Command, Event, Kind, Next, Outcome, Seen, Side, Source,
};
use evenkeel_core::migration::{Operation, Rules};
use evenkeel_proxy::embedded::{EmbeddedNode, EmbeddedSession};
use evenkeel_proxy::migration::{Asked, Context, Item, Last, Plan, Request, Told, ask, hear};
use evenkeel_wire::memcached::compose::NodeKey;
use evenkeel_wire::memcached::{
    Expect, Kind as Word, Reply, ReplyParser, ReplyStep, RequestParser, Step,
};
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The tag of the target's tokens.
const TAG: u16 = 1;

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
    context: Context,
}

/// What an operation has come by.
#[derive(Default)]
struct Gathered {
    last: Option<(Reply, Vec<u8>)>,
    seen: Option<Item>,
}

impl Moving {
    pub fn new() -> Self {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
        Self {
            source: Node::new(),
            target: Node::new(),
            context: Context {
                lease: Duration::from_secs(30),
                now,
            },
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
        for key in command.key_spans(bytes) {
            let request = Request::new(command, bytes, key, &bytes[value.clone()]);
            match request.plan(TAG) {
                Plan::Answer(answer) => out.extend_from_slice(answer),
                Plan::Operate(kind) => self.operate(&request, kind, &mut out),
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

    fn operate(&mut self, request: &Request, kind: Kind, out: &mut Vec<u8>) {
        let mut operation = Operation::new(kind, Source::Live, Rules::default());
        let mut gathered = Gathered::default();
        let mut outcome: Option<Outcome<Item>> = None;
        let mut event = Event::Start { target_up: true };
        for _ in 0..30 {
            let step = operation.step(event);
            outcome = outcome.or(step.answer);
            event = match step.next {
                Next::Over => {
                    let last = gathered
                        .last
                        .as_ref()
                        .map(|(line, bytes)| Last { line, bytes });
                    let told = Told {
                        last,
                        seen: gathered.seen.as_ref(),
                        tag: TAG,
                        now: self.context.now,
                    };
                    return request.answer(out, &outcome.unwrap(), told);
                }
                Next::Wait => Event::WaitOver { patient: false },
                Next::Send { to, command } => {
                    Event::Answer(self.send(request, to, &command, &mut gathered))
                }
            };
        }
        panic!("{} does not end", String::from_utf8_lossy(request.key()));
    }

    fn send(
        &mut self,
        request: &Request,
        to: Side,
        command: &Command<Item>,
        gathered: &mut Gathered,
    ) -> Answer<Item> {
        let mut bytes = Vec::new();
        let expect = match (
            ask(
                &mut bytes,
                NodeKey::new(request.key()).unwrap(),
                command,
                self.context,
            ),
            command,
        ) {
            (Asked::Written(expect), _) => expect,
            (Asked::ClientsOwn, Command::Act(seen)) => {
                gathered.seen = match seen {
                    Seen::Value(item, _) => Some(item.clone()),
                    _ => None,
                };
                request.act(&mut bytes, seen)
            }
            (Asked::ClientsOwn, _) => request.overwrite(&mut bytes),
        };
        let node = if to == Side::Source {
            &mut self.source
        } else {
            &mut self.target
        };
        let reply = node.exchange(&bytes);
        let line = parsed(&reply, expect, &bytes);
        let answer = hear(to, command, &line, &reply, 1).expect("the node keeps to the protocol");
        if matches!(command, Command::Act(_) | Command::Overwrite) {
            gathered.last = Some((line, reply));
        }
        answer
    }
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
