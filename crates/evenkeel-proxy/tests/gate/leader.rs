//! The leader, the copier and the faults of a round.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::Bytes;
use evenkeel_core::migration::leader::{self, Decision, Seen};
use evenkeel_core::migration::member::Serve;
use evenkeel_core::migration::operation::Source;
use evenkeel_core::migration::{Options, Phase, Record, Rule, Tags};
use evenkeel_proxy::gate::Task;
use evenkeel_wire::memcached::metadump;
use rand::Rng;

use crate::driver::run;
use crate::fleet::{Fleet, SERVERS};

/// The leader's pauses are seconds; a round's are this many times shorter.
const HURRY: u32 = 100;
/// A migration that has not ended by then never will.
pub const ENDS_WITHIN: Duration = Duration::from_secs(30);
/// How long a listing may take on a node that was stopped for a while.
const LISTS_WITHIN: Duration = Duration::from_secs(2);

/// What the leader has seen under one epoch.
struct Watch {
    epoch: u64,
    entered: Instant,
    acknowledged: Option<Instant>,
    purged: bool,
    sources_empty: bool,
    lost_sources_emptied: bool,
}

impl Watch {
    fn new(epoch: u64) -> Self {
        let entered = Instant::now();
        Watch {
            epoch,
            entered,
            acknowledged: None,
            purged: false,
            sources_empty: false,
            lost_sources_emptied: false,
        }
    }
}

/// What happens to a migration beside its way.
#[derive(Debug, Clone, Copy, Default)]
pub struct Plan {
    /// How often it is aborted.
    pub aborts: u32,
    /// Whether its source is declared lost.
    pub lose: bool,
}

/// Runs one migration to its end. False if it did not end.
pub fn migrate(fleet: &Arc<Fleet>, plan: Plan) -> bool {
    let mut random = rand::rng();
    let begun = Instant::now();
    let record = fleet.record();
    let options = Options {
        lease_seconds: 1,
        hold_timeout_ms: 5_000,
        ..Options::default()
    };
    let to = 1 - record.current;
    let Ok(next) = leader::start(&record, true, to, Tags::default(), options, "test", 0) else {
        return false;
    };
    fleet.swap(next);
    let mut watch = Watch::new(0);
    let (mut aborts, mut lose) = (plan.aborts, plan.lose);
    while begun.elapsed() < ENDS_WITHIN {
        let record = fleet.record();
        if record.migration.is_none() {
            return true;
        }
        if watch.epoch != record.epoch {
            watch = Watch::new(record.epoch);
        }
        look(fleet, &record, &mut watch, lose);
        let seen = seen(&watch);
        let copying = record.phase() == Some(Phase::Copy) && seen.acknowledged;
        let request = if copying && lose {
            lose = false;
            leader::lose(
                fleet.shared.rules,
                &record,
                true,
                SERVERS[usize::from(record.current)],
            )
            .ok()
        } else if copying && aborts > 0 && random.random_bool(0.2) {
            aborts -= 1;
            leader::abort(&record).ok()
        } else {
            None
        };
        let next = request.or(match leader::decide(fleet.shared.rules, &record, &seen) {
            Decision::Replace(next) => Some(next),
            Decision::Wait => None,
        });
        match next {
            Some(next) => fleet.swap(next),
            None => std::thread::sleep(Duration::from_millis(1)),
        }
    }
    false
}

fn seen(watch: &Watch) -> Seen {
    Seen {
        acknowledged: watch.acknowledged.is_some(),
        purged: watch.purged,
        sources_empty: watch.sources_empty,
        lost_sources_emptied: watch.lost_sources_emptied,
        age: watch.entered.elapsed() * HURRY,
        since_acknowledged: watch
            .acknowledged
            .map_or(Duration::ZERO, |since| since.elapsed()),
    }
}

/// Purges, copies and lists, as the phase asks for.
fn look(fleet: &Arc<Fleet>, record: &Record<u8>, watch: &mut Watch, lose: bool) {
    let Some(migration) = &record.migration else {
        return;
    };
    let all = fleet.all_acknowledged(record.epoch);
    if all && watch.acknowledged.is_none() {
        watch.acknowledged = Some(Instant::now());
    }
    let source = usize::from(record.current);
    let lost = record.loss(SERVERS[source]).is_some();
    match migration.phase {
        Phase::Purge if !watch.purged && fleet.shared.rules.keeps(Rule::PurgeTargets) => {
            watch.purged = empty(fleet, usize::from(migration.to))
        }
        Phase::Copy if migration.turn_back && !watch.lost_sources_emptied => {
            watch.lost_sources_emptied = !lost || empty(fleet, source);
        }
        // A source that is to be lost is lost with most of its keys.
        Phase::Copy if lose => {}
        Phase::Copy if lost => watch.sources_empty = true,
        Phase::Copy => {
            let Some(keys) = moved_keys(fleet, source) else {
                return;
            };
            watch.sources_empty = keys.is_empty();
            copy(fleet, keys);
        }
        _ => {}
    }
}

/// Moves some of the keys; the rest is listed again.
fn copy(fleet: &Arc<Fleet>, keys: Vec<Vec<u8>>) {
    let mut random = rand::rng();
    let mut nodes = fleet.nodes();
    let some = random.random_range(1..25);
    for key in keys.into_iter().take(some) {
        let source = usize::from(fleet.record().current);
        let Ok((serve, record, ticket)) = fleet.begin(0, SERVERS[source]) else {
            return;
        };
        let mut given_up = Vec::new();
        if serve == Serve::Operate(Source::Live) && usize::from(record.current) == source {
            let mut task = Task::for_copier(Bytes::from(key), fleet.shared);
            let [first, second] = &mut nodes;
            let (s, d) = if source == 0 {
                (first, second)
            } else {
                (second, first)
            };
            given_up = run(&mut task, s, d, |_| ());
        }
        fleet.finish(0, ticket, given_up);
        std::thread::sleep(Duration::from_micros(random.random_range(0..3_000)));
    }
}

/// Deletes every moved key at a server. True once none is there.
fn empty(fleet: &Fleet, server: usize) -> bool {
    let Some(keys) = moved_keys(fleet, server) else {
        return false;
    };
    let Some(mut stream) = connect(fleet, server) else {
        return false;
    };
    for key in &keys {
        let line = [b"md ", key.as_slice(), b"\r\n"].concat();
        if stream.write_all(&line).is_err() || stream.read(&mut [0; 64]).is_err() {
            return false;
        }
    }
    keys.is_empty()
}

/// The moved keys at a server, placeholders among them, by one whole listing; `None` if it was cut short.
fn moved_keys(fleet: &Fleet, server: usize) -> Option<Vec<Vec<u8>>> {
    let mut stream = connect(fleet, server)?;
    stream.write_all(b"lru_crawler metadump hash\r\n").ok()?;
    let mut listing = Vec::new();
    let mut chunk = [0; 64 * 1024];
    while !listing.ends_with(b"END\r\n") {
        let read = stream.read(&mut chunk).ok().filter(|read| *read > 0)?;
        listing.extend_from_slice(&chunk[..read]);
        if listing.starts_with(b"BUSY") {
            return None;
        }
    }
    let mut keys = Vec::new();
    for line in listing.split(|byte| *byte == b'\n') {
        let Some(listed) = metadump::parse(line) else {
            continue;
        };
        let mut key = Vec::new();
        metadump::decode_name(listed.name, &mut key);
        let number: usize = std::str::from_utf8(&key)
            .ok()?
            .strip_prefix("key-")?
            .parse()
            .ok()?;
        // With the real proxy every key is moved.
        if number.is_multiple_of(2) || fleet.proxy.is_some() {
            keys.push(key);
        }
    }
    Some(keys)
}

fn connect(fleet: &Fleet, server: usize) -> Option<TcpStream> {
    let stream = TcpStream::connect_timeout(&fleet.addresses[server], LISTS_WITHIN).ok()?;
    stream.set_read_timeout(Some(LISTS_WITHIN)).ok()?;
    Some(stream)
}
