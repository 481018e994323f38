//! One proxy without its event loop: workers as members, clients, a copier and a leader, each a thread, on the same
//! record, member, leader, operation and gate as the real one.

use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;
use evenkeel_core::migration::member::{Serve, Ticket};
use evenkeel_core::migration::{Member, Migration, Phase, Record, Rules};
use evenkeel_core::{KeyRule, Topology};
use evenkeel_proxy::Workers;
use evenkeel_proxy::coordinator::Members;
use evenkeel_proxy::gate::{Request, Shared, Task};
use evenkeel_proxy::store::PoolRecord;
use evenkeel_wire::memcached::{RequestParser, Step, cas};
use rand::Rng;

use crate::driver::run;
use crate::history::{Asked, Operation, Told};
use crate::node::{Failed, Node, end};

/// How many keys there are. The even ones are moved.
pub const KEYS: usize = 200;
/// How many of them get half of all operations.
const HOT_KEYS: usize = 12;
/// How many workers acknowledge.
pub const WORKERS: usize = 4;
/// How long a node's answer may take.
const PATIENCE: Duration = Duration::from_millis(30);

/// The servers' addresses, as the record has them.
pub const SERVERS: [&str; 2] = ["s0", "s1"];

pub struct Fleet {
    pub store: Mutex<Arc<Record<u8>>>,
    pub members: Vec<Mutex<Member<u8>>>,
    pub acknowledged: Vec<AtomicU64>,
    pub addresses: [SocketAddr; 2],
    /// How often each server has restarted: its tokens have another tag then.
    pub lives: [AtomicU64; 2],
    pub clock: AtomicU64,
    pub history: Mutex<Vec<Operation>>,
    pub stop: AtomicBool,
    pub shared: Shared,
    /// The real proxy in place of our own workers, and where it listens.
    pub proxy: Option<(Workers, SocketAddr)>,
}

impl Fleet {
    pub fn new(addresses: [SocketAddr; 2], rules: Rules) -> Self {
        let record = Arc::new(Record::first(0));
        Fleet {
            members: (0..WORKERS)
                .map(|_| Mutex::new(Member::new(record.clone(), rules)))
                .collect(),
            acknowledged: (0..WORKERS).map(|_| AtomicU64::new(record.epoch)).collect(),
            store: Mutex::new(record),
            addresses,
            lives: [AtomicU64::new(0), AtomicU64::new(0)],
            clock: AtomicU64::new(0),
            proxy: None,
            history: Mutex::new(Vec::new()),
            stop: AtomicBool::new(false),
            shared: Shared {
                lease_seconds: 1,
                rules,
            },
        }
    }

    /// Replaces the record, for the proxy too.
    pub fn swap(&self, next: Record<u8>) {
        if let Some((workers, _)) = &self.proxy {
            workers.publish(Arc::new(self.record_of_the_proxy(&next)));
        }
        *self.store.lock().unwrap() = Arc::new(next);
    }

    /// The same record with whole topologies: the first is of one server, the second of both, so that about half of
    /// the keys move.
    pub fn record_of_the_proxy(&self, record: &Record<u8>) -> PoolRecord {
        let migration = record.migration.clone().map(|migration| Migration {
            to: self.topology(migration.to),
            phase: migration.phase,
            back: migration.back,
            turn_back: migration.turn_back,
            failed_holds: migration.failed_holds,
            lost_sources: Default::default(),
            options: migration.options,
            started_by: migration.started_by,
            started_at: migration.started_at,
        });
        PoolRecord {
            epoch: record.epoch,
            current: self.topology(record.current),
            migration,
            tags: record.tags.clone(),
        }
    }

    /// One server for all keys.
    pub fn topology(&self, server: u8) -> Topology {
        let address = self.addresses[usize::from(server)]
            .to_string()
            .parse()
            .unwrap();
        let node = evenkeel_core::Node::new(SERVERS[usize::from(server)], address);
        Topology::new(vec![node], "slots".parse().unwrap(), KeyRule::default()).unwrap()
    }

    /// Whether everybody has acknowledged an epoch.
    pub fn all_acknowledged(&self, epoch: u64) -> bool {
        let ours = self
            .acknowledged
            .iter()
            .all(|acknowledged| acknowledged.load(Ordering::SeqCst) == epoch);
        ours && self
            .proxy
            .as_ref()
            .is_none_or(|(workers, _)| workers.acknowledged() == epoch)
    }

    pub fn record(&self) -> Arc<Record<u8>> {
        self.store.lock().unwrap().clone()
    }

    pub fn stopped(&self) -> bool {
        self.stop.load(Ordering::SeqCst)
    }

    pub fn nodes(&self) -> [Node; 2] {
        self.addresses
            .map(|address| Node::new(address, PATIENCE).over_a_bad_network())
    }

    /// A worker learns late, and acknowledges when it may.
    pub fn work(&self, worker: usize) {
        let mut random = rand::rng();
        while !self.stopped() {
            let record = self.record();
            let mut member = self.members[worker].lock().unwrap();
            member.learn(record, 0);
            if let Some(epoch) = member.acknowledges() {
                self.acknowledged[worker].store(epoch, Ordering::SeqCst);
            }
            drop(member);
            // Some learn late, and a hold may time out over it.
            let late = random.random_bool(0.1);
            let pause = if late {
                random.random_range(5_000..80_000)
            } else {
                random.random_range(100..4_000)
            };
            std::thread::sleep(Duration::from_micros(pause));
        }
    }

    /// Begins something under a worker's record.
    pub fn begin(
        &self,
        worker: usize,
        source: &str,
    ) -> Result<(Serve, Arc<Record<u8>>, Ticket), Serve> {
        let mut member = self.members[worker].lock().unwrap();
        match member.serve(source) {
            Serve::Wait => Err(Serve::Wait),
            serve => Ok((serve, member.record().clone(), member.begin())),
        }
    }

    /// It is over but for the commands that were given up: those end with their connections.
    pub fn finish(self: &Arc<Self>, worker: usize, ticket: Ticket, given_up: Vec<TcpStream>) {
        let mut member = self.members[worker].lock().unwrap();
        let late: Vec<Option<Ticket>> = given_up.iter().map(|_| member.give_up(ticket)).collect();
        member.end(ticket);
        drop(member);
        for (stream, late) in given_up.into_iter().zip(late) {
            let fleet = self.clone();
            std::thread::spawn(move || {
                end(stream);
                if let Some(late) = late {
                    fleet.members[worker].lock().unwrap().end(late);
                }
            });
        }
    }

    fn tick(&self) -> u64 {
        self.clock.fetch_add(1, Ordering::SeqCst)
    }

    fn tag(&self, node: usize) -> u16 {
        1 + node as u16 + 2 * self.lives[node].load(Ordering::SeqCst) as u16
    }

    /// The same client, connected to the real proxy. After a moved key's migration all keys are at one server.
    fn serve_client_of_the_proxy(self: &Arc<Self>, number: usize, address: SocketAddr) {
        let mut chooser = Client {
            fleet: self,
            number,
            worker: number % WORKERS,
            nodes: self.nodes(),
            written: 0,
        };
        let mut proxy = Node::new(address, Duration::from_secs(5));
        let mut random = rand::rng();
        let mut tokens: Vec<Option<(String, u64)>> = vec![None; KEYS];
        while !self.stopped() {
            let among = if random.random_bool(0.5) {
                HOT_KEYS
            } else {
                KEYS
            };
            let key = random.random_range(0..among);
            let (asked, token) = chooser.choose(key, random.random_range(0..100), &mut tokens[key]);
            let line = line(key, &asked, token);
            let Step::Command(command) = RequestParser::default().parse(&line) else {
                panic!("{line:?}")
            };
            let invoked = self.tick();
            let (told, token) = match proxy.ask(&line, command.kind.expect().unwrap(), None) {
                Ok(replied) => read(&asked, &replied.bytes),
                Err(_) => panic!(
                    "the proxy does not answer {}",
                    String::from_utf8_lossy(&line)
                ),
            };
            let answered = self.tick();
            if let (Told::Value(value), Some(token)) = (&told, token) {
                tokens[key] = Some((value.clone(), token));
            }
            self.history.lock().unwrap().push(Operation {
                key,
                asked,
                told,
                invoked,
                answered,
            });
            let settling = self.record().phase() == Some(Phase::Settle);
            let pause = random.random_range(0..1_000) * if settling { 30 } else { 1 };
            std::thread::sleep(Duration::from_micros(pause));
        }
    }

    /// A client: 70 % reads, and writes of every class.
    pub fn serve_client(self: &Arc<Self>, number: usize) {
        if let Some((_, address)) = self.proxy {
            return self.serve_client_of_the_proxy(number, address);
        }
        let mut client = Client {
            fleet: self,
            number,
            worker: number % WORKERS,
            nodes: self.nodes(),
            written: 0,
        };
        let mut random = rand::rng();
        let mut tokens: Vec<Option<(String, u64)>> = vec![None; KEYS];
        while !self.stopped() {
            // Half of all operations meet on a few keys.
            let among = if random.random_bool(0.5) {
                HOT_KEYS
            } else {
                KEYS
            };
            let key = random.random_range(0..among);
            let (asked, token) = client.choose(key, random.random_range(0..100), &mut tokens[key]);
            let invoked = self.tick();
            let (told, token) = client.ask(key, &asked, token);
            let answered = self.tick();
            if let (Told::Value(value), Some(token)) = (&told, token) {
                tokens[key] = Some((value.clone(), token));
            }
            self.history.lock().unwrap().push(Operation {
                key,
                asked,
                told,
                invoked,
                answered,
            });
            // The wait for the last lease is the longest part of a round, and the one in which least can go wrong.
            let settling = self.record().phase() == Some(Phase::Settle);
            let pause = random.random_range(0..1_000) * if settling { 30 } else { 1 };
            std::thread::sleep(Duration::from_micros(pause));
        }
    }
}

struct Client<'a> {
    fleet: &'a Arc<Fleet>,
    number: usize,
    worker: usize,
    nodes: [Node; 2],
    written: u64,
}

impl Client<'_> {
    fn choose(
        &mut self,
        key: usize,
        dice: u32,
        token: &mut Option<(String, u64)>,
    ) -> (Asked, Option<u64>) {
        self.written += 1;
        let unique = self.number as u64 * 1_000_000 + self.written;
        let counts = key % 10 < 2;
        // A counter begins at a number that no other reaches.
        let value = if counts {
            (unique * 100_000).to_string()
        } else {
            format!("v{unique}")
        };
        let asked = match dice {
            0..70 => Asked::Get,
            70..78 => Asked::Set(value),
            78..82 => Asked::Delete,
            82..85 => Asked::Add(value),
            85..87 => Asked::Replace(value),
            87..89 => Asked::Touch,
            89..94 => match token.take() {
                Some((seen, token)) => return (Asked::CompareAndSet(seen, value), Some(token)),
                None => Asked::Get,
            },
            _ if counts => Asked::Increment,
            _ => Asked::Append(format!(".{unique}")),
        };
        (asked, None)
    }

    /// Asks as a client of the proxy does, and waits while the proxy holds.
    fn ask(&mut self, key: usize, asked: &Asked, token: Option<u64>) -> (Told, Option<u64>) {
        let line = line(key, asked, token);
        loop {
            // The record says which server is the source; the member says under which record.
            let source = usize::from(
                self.fleet.members[self.worker]
                    .lock()
                    .unwrap()
                    .record()
                    .current,
            );
            if key % 2 == 1 {
                return self.plainly(0, asked, &line, token).0;
            }
            match self.fleet.begin(self.worker, SERVERS[source]) {
                Err(_) => std::thread::sleep(Duration::from_micros(200)),
                Ok((serve, record, ticket)) => {
                    return self.served(serve, &record, ticket, asked, &line, token);
                }
            }
        }
    }

    fn served(
        &mut self,
        serve: Serve,
        record: &Record<u8>,
        ticket: Ticket,
        asked: &Asked,
        line: &[u8],
        token: Option<u64>,
    ) -> (Told, Option<u64>) {
        let source = usize::from(record.current);
        let (Serve::Operate(how), Some(migration)) = (serve, &record.migration) else {
            let (told, given_up) = self.plainly(source, asked, line, token);
            self.fleet
                .finish(self.worker, ticket, given_up.into_iter().collect());
            return told;
        };
        let target = usize::from(migration.to);
        let Step::Command(command) = RequestParser::default().parse(line) else {
            panic!("{line:?}")
        };
        let body =
            &line[command.line_len..command.line_len + command.body_len.unwrap_or(0) as usize];
        let key = command.key(line).to_vec();
        let request = Request::new(&command, line, &key, Bytes::copy_from_slice(body)).unwrap();
        let mut task = Task::for_client(request, how, self.fleet.tag(target), self.fleet.shared);
        let [first, second] = &mut self.nodes;
        let (s, d) = if source == 0 {
            (first, second)
        } else {
            (second, first)
        };
        let mut told = (Told::Error, None);
        let given_up = run(&mut task, s, d, |answered| {
            told = read(asked, &answered.bytes)
        });
        self.fleet.finish(self.worker, ticket, given_up);
        told
    }

    /// The command as it is, to one node.
    fn plainly(
        &mut self,
        node: usize,
        asked: &Asked,
        line: &[u8],
        token: Option<u64>,
    ) -> ((Told, Option<u64>), Option<TcpStream>) {
        let tag = self.fleet.tag(node);
        let mut sent = line.to_vec();
        if let Some(token) = token {
            let (of, own) = cas::split(token);
            if of != tag {
                return ((Told::Exists, None), None);
            }
            let text = String::from_utf8(sent).unwrap();
            sent = text
                .replace(&format!(" C{token}"), &format!(" C{own}"))
                .into_bytes();
        }
        let Step::Command(command) = RequestParser::default().parse(&sent) else {
            panic!("{sent:?}")
        };
        match self.nodes[node].ask(&sent, command.kind.expect().unwrap(), None) {
            Ok(replied) => {
                let (told, token) = read(asked, &replied.bytes);
                ((told, token.and_then(|token| cas::join(tag, token))), None)
            }
            Err(Failed::NotSent) => ((Told::Error, None), None),
            Err(Failed::NoAnswer(stream)) => ((Told::Error, None), Some(stream)),
        }
    }
}

/// The command of the meta dialect for it, since its replies are one line.
fn line(key: usize, asked: &Asked, token: Option<u64>) -> Vec<u8> {
    let store =
        |value: &str, flags: &str| format!("ms key-{key} {} T0{flags}\r\n{value}\r\n", value.len());
    match asked {
        Asked::Get => format!("mg key-{key} v c\r\n"),
        Asked::Touch => format!("mg key-{key} T1000 v\r\n"),
        Asked::Set(value) => store(value, ""),
        Asked::Add(value) => store(value, " ME"),
        Asked::Replace(value) => store(value, " MR"),
        Asked::Append(value) => store(value, " MA"),
        Asked::CompareAndSet(_, value) => store(value, &format!(" C{}", token.unwrap_or(0))),
        Asked::Increment => format!("ma key-{key} v\r\n"),
        Asked::Delete => format!("md key-{key}\r\n"),
    }
    .into_bytes()
}

/// What a reply of the meta dialect says.
fn read(asked: &Asked, reply: &[u8]) -> (Told, Option<u64>) {
    let text = String::from_utf8_lossy(reply);
    let (head, data) = text.split_once("\r\n").unwrap_or((&text, ""));
    let token = head
        .split(' ')
        .find_map(|word| word.strip_prefix('c')?.parse().ok());
    let told = match head.get(..2) {
        Some("VA") => Told::Value(data.trim_end_matches("\r\n").to_owned()),
        Some("HD") => Told::Done,
        Some("EN" | "NF") => Told::Nothing,
        Some("NS") if matches!(asked, Asked::Add(_)) => Told::Exists,
        Some("NS") => Told::Nothing,
        Some("EX") => Told::Exists,
        _ => Told::Error,
    };
    (told, token.filter(|_| *asked == Asked::Get))
}
