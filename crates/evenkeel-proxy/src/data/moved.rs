//! Requests on moved keys: each becomes a task, whose commands go out over the client's node connections.

use super::engine::{Engine, Heard, Outcome};
use super::gate::Running;
use super::links::End;
use super::replies::Ending;
use super::work::{Flow, Turn};
use crate::gate::{Do, Heard as Told, Request, Shared, Task, Todo};
use bytes::Bytes;
use evenkeel_core::migration::member::Serve;
use evenkeel_core::migration::operation::{Answer, Outcome as Ended, Source};
use evenkeel_core::migration::{Phase, Rules};
use evenkeel_wire::memcached::{Class, Command, Expect, Kind, MAX_KEY_LEN, ReplyParser, ReplyStep};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// How long a task may take in all, its waits for others' leases included; then it fails, and the client hears so.
/// Milliseconds.
const TASK_ENDS_WITHIN_MS: u64 = 10_000;

/// How long an update waits before it looks at another's lease again. Milliseconds.
pub(super) const LOOK_AGAIN_MS: u64 = 5;
/// What a write gets while the pool holds and no record comes. Nothing was sent.
const HELD: &[u8] = b"SERVER_ERROR the pool is changing its nodes and the proxy cannot see how far: nothing was done\r\n";

/// What is to be done with a key.
enum Way {
    /// As ever.
    Plain,
    /// As ever, but it counts: an epoch is not acknowledged before it is over.
    Counted,
    /// Wait: the pool holds, or an earlier command of the client on the key is under way.
    Wait,
    /// The hold takes too long.
    Refuse,
    /// As a task, from the engine's node to another.
    Task(Source, usize, usize),
}

/// Where a moved key comes from and goes to: the state of its source, and the engine's numbers of both nodes.
pub(super) type Moved = (Source, usize, usize);

impl Engine {
    /// A request with one key. `None` if it goes its way as ever.
    pub(super) fn gate_one(
        &mut self,
        turn: &mut Turn<'_>,
        command: &Command,
        bytes: &[u8],
    ) -> Option<Flow> {
        let mut scratch = [0; MAX_KEY_LEN];
        let key = command.routing_key(bytes, &mut scratch);
        match self.way(turn.id, key) {
            Way::Plain => None,
            Way::Counted => {
                self.marks = true;
                None
            }
            Way::Wait => Some(self.hold(turn.id)),
            Way::Refuse => {
                refuse(turn, command);
                Some(Flow::Done)
            }
            Way::Task(source, from, to) => {
                let is_read = matches!(command.kind.expect(), Some(Expect::Values { .. }));
                let ending = if command.quiet && !command.kind.is_meta() {
                    Ending::Silent
                } else if is_read {
                    Ending::End
                } else {
                    Ending::Nodes
                };
                let seq = turn.busy.replies.push(1, ending);
                self.start_task(
                    turn,
                    command,
                    bytes,
                    command.key(bytes),
                    seq,
                    (source, from, to),
                );
                Some(Flow::Done)
            }
        }
    }

    /// The moved keys of a read of several, as places among its keys; `Err` if it has to wait or is refused.
    pub(super) fn gate_many(
        &mut self,
        turn: &mut Turn<'_>,
        command: &Command,
        bytes: &[u8],
    ) -> Result<Vec<(usize, Moved)>, Flow> {
        let mut moved = Vec::new();
        if self.gate.is_none() {
            return Ok(moved);
        }
        for (place, key) in command.keys(bytes).enumerate() {
            match self.way(turn.id, key) {
                Way::Plain => {}
                Way::Counted => self.marks = true,
                Way::Wait => return Err(self.hold(turn.id)),
                Way::Refuse => {
                    refuse(turn, command);
                    return Err(Flow::Done);
                }
                Way::Task(source, from, to) => moved.push((place, (source, from, to))),
            }
        }
        Ok(moved)
    }

    fn way(&self, client: usize, key: &[u8]) -> Way {
        let Some(gate) = &self.gate else {
            return Way::Plain;
        };
        let busy = |running: &Running| {
            running.client.is_some_and(|(id, ..)| id == client) && running.key == key
        };
        if gate.tasks.iter().any(|(_, running)| busy(running)) {
            return Way::Wait;
        }
        let Some(to) = &self.snapshot.to else {
            return Way::Plain;
        };
        let from = self.node_of(key);
        let target = gate
            .owners_to
            .get(to.node_of(key).get())
            .copied()
            .unwrap_or(from);
        let Some(source) = self.nodes.get(from) else {
            return Way::Plain;
        };
        if self
            .nodes
            .get(target)
            .is_none_or(|target| target.server() == source.server())
        {
            return Way::Plain;
        }
        match gate.member.serve(&source.server()) {
            Serve::Current => Way::Counted,
            Serve::Wait if self.held_too_long() => Way::Refuse,
            Serve::Wait => Way::Wait,
            Serve::Operate(source) => Way::Task(source, from, target),
        }
    }

    fn held_too_long(&self) -> bool {
        let Some(gate) = &self.gate else {
            return false;
        };
        let longest = gate
            .member
            .record()
            .migration
            .as_ref()
            .map(|migration| migration.options.hold_max_ms);
        gate.held_since
            .is_some_and(|since| self.now.saturating_sub(since) > longest.unwrap_or(0))
    }

    /// The client is not read until the hold, or its earlier command, is over.
    fn hold(&mut self, client: usize) -> Flow {
        if let Some(gate) = &mut self.gate
            && !gate.held.contains(&client)
        {
            gate.held.push(client);
        }
        Flow::Blocked
    }

    /// Starts the task of one key of a request.
    pub(super) fn start_task(
        &mut self,
        turn: &mut Turn<'_>,
        command: &Command,
        bytes: &[u8],
        key: &[u8],
        seq: u32,
        (source, from, to): (Source, usize, usize),
    ) {
        let len = command.body_len.unwrap_or(0) as usize;
        let body = bytes
            .get(command.line_len..)
            .and_then(|rest| rest.get(..len))
            .unwrap_or_default();
        let request = match Request::new(command, bytes, key, Bytes::copy_from_slice(body)) {
            Ok(request) => request,
            Err(refusal) => {
                turn.busy
                    .replies
                    .fail(seq, format!("{refusal}\r\n").as_bytes());
                turn.busy.replies.part_done(seq, &mut self.stashes);
                return;
            }
        };
        let tag = self.nodes.get(to).map_or(0, |node| node.tag);
        let target_up = self
            .link_for(to, turn.id)
            .and_then(|id| self.links.get(id))
            .is_some_and(|link| link.takes());
        let Some(gate) = &mut self.gate else { return };
        let lease_seconds = gate
            .member
            .record()
            .migration
            .as_ref()
            .map_or(1, |m| m.options.lease_seconds);
        let shared = Shared {
            lease_seconds,
            rules: Rules::WHOLE,
        };
        let key = request.key.clone();
        let mut task = Task::for_client(request, source, tag, shared);
        let todo = task.start(target_up, now());
        gate.serial = gate.serial.wrapping_add(1);
        let at = gate.tasks.insert(Running {
            task,
            serial: gate.serial,
            ticket: gate.member.begin(),
            client: Some((turn.id, turn.generation, seq)),
            key,
            reads_text: matches!(command.kind.expect(), Some(Expect::Values { .. })),
            source: from,
            target: to,
            expect: Expect::MetaGet,
            must_end: false,
            waited_since: None,
            begun: self.now,
        });
        // The client's replies are with the turn: an answer at once waits there until the turn is over.
        self.follow(at, todo, Some(turn));
    }

    /// Does what a task says until it waits for something.
    fn follow(&mut self, at: usize, mut todo: Do, mut turn: Option<&mut Turn<'_>>) {
        loop {
            if let Some(answered) = todo.answer.take() {
                self.tell(at, &answered.bytes, &answered.outcome, turn.as_deref_mut());
            }
            let Some(running) = self.gate.as_mut().and_then(|gate| gate.tasks.get_mut(at)) else {
                return;
            };
            let operation = number(at, running.serial);
            // Between two commands nothing is under way: what would be next is not sent.
            let is_late = self.now.saturating_sub(running.begun) > TASK_ENDS_WITHIN_MS;
            if is_late && !matches!(todo.next, Todo::Over) {
                todo = running.task.deadline(now());
                continue;
            }
            match todo.next {
                Todo::Over => return self.end_task(at),
                Todo::Wait => {
                    running.waited_since.get_or_insert(self.now);
                    let due = self.now + LOOK_AGAIN_MS;
                    if let Some(gate) = &mut self.gate {
                        gate.waits.push((due, operation));
                    }
                    return;
                }
                Todo::Send {
                    to,
                    bytes,
                    expect,
                    only_on,
                    must_end,
                } => {
                    use evenkeel_core::migration::operation::Side;
                    let node = if to == Side::Source {
                        running.source
                    } else {
                        running.target
                    };
                    let client = running.client.map_or(0, |(id, ..)| id);
                    (running.expect, running.must_end) = (expect, must_end);
                    if self
                        .send(node, client, &bytes, expect, operation, only_on)
                        .is_some()
                    {
                        return;
                    }
                    let Some(running) = self.gate.as_mut().and_then(|gate| gate.tasks.get_mut(at))
                    else {
                        return;
                    };
                    todo = running.task.told(Answer::NotSent, now());
                }
            }
        }
    }

    fn tell(
        &mut self,
        at: usize,
        bytes: &[u8],
        outcome: &Ended<crate::migration::Item>,
        turn: Option<&mut Turn<'_>>,
    ) {
        let Some(running) = self.gate.as_mut().and_then(|gate| gate.tasks.get_mut(at)) else {
            return;
        };
        let Some((client, generation, seq)) = running.client.take() else {
            return;
        };
        let fails = running.reads_text && matches!(outcome, Ended::Refused | Ended::Failed(_));
        let owner = super::pending::Owner::Client {
            id: client as u32,
            generation,
            seq,
        };
        let (replies, stashes) = match turn {
            Some(turn) => (&mut turn.busy.replies, &mut self.stashes),
            None => match self.busy_of(owner) {
                Some((busy, stashes)) => (&mut busy.replies, stashes),
                None => return,
            },
        };
        if fails {
            replies.fail(seq, bytes);
        } else {
            replies.write(seq, bytes, stashes);
        }
        replies.part_done(seq, stashes);
        self.client_answered(client);
        self.release(client);
    }

    /// Lets a client go on that waited for its own command.
    fn release(&mut self, client: usize) {
        if let Some(gate) = &mut self.gate
            && gate.held_since.is_none()
            && let Some(place) = gate.held.iter().position(|held| *held == client)
        {
            gate.held.swap_remove(place);
            self.resumable.push(client);
        }
    }

    fn end_task(&mut self, at: usize) {
        if let Some(gate) = &mut self.gate
            && gate.tasks.contains(at)
        {
            let running = gate.tasks.remove(at);
            gate.member.end(running.ticket);
        }
    }

    /// Goes on with tasks whose commands were answered, and with what waited for the end of connections.
    pub fn operate(&mut self) {
        if self.gate.is_none() {
            self.over.clear();
            return;
        }
        loop {
            let heard = self.take_heard();
            self.note_over();
            if heard.is_empty() {
                return;
            }
            heard.into_iter().for_each(|heard| self.hear(heard));
        }
    }

    fn note_over(&mut self) {
        let over = self.take_over();
        let Some(gate) = &mut self.gate else { return };
        for connection in over {
            gate.ending.remove(&connection);
            for ticket in gate.late.remove(&connection).unwrap_or_default() {
                gate.member.end(ticket);
            }
        }
    }

    fn hear(&mut self, heard: Heard) {
        let at = (heard.operation & u64::from(u32::MAX)) as usize;
        let Some(gate) = &mut self.gate else { return };
        let Some(running) = gate
            .tasks
            .get_mut(at)
            .filter(|running| number(at, running.serial) == heard.operation)
        else {
            return;
        };
        let todo = match heard.outcome {
            Outcome::NotSent => running.task.told(Answer::NotSent, now()),
            Outcome::Unknown => {
                if running.must_end && self.lingering.contains(&heard.connection) {
                    let late = gate.member.give_up(running.ticket);
                    gate.late.entry(heard.connection).or_default().extend(late);
                }
                running.task.told(Answer::NoAnswer, now())
            }
            Outcome::Reply(bytes) => match ReplyParser::new().parse(&bytes, running.expect) {
                ReplyStep::Line(reply) => {
                    let told = Told {
                        reply: &reply,
                        bytes: &bytes,
                        connection: heard.connection,
                    };
                    match running.task.heard(told, now()) {
                        Some(todo) => todo,
                        None => return self.distrust(at, heard.connection),
                    }
                }
                _ => return self.distrust(at, heard.connection),
            },
        };
        self.follow(at, todo, None);
    }

    /// A node's answer makes no sense: its connection ends.
    fn distrust(&mut self, at: usize, connection: u64) {
        if let Some(link) = self
            .links
            .iter()
            .position(|link| link.connection == connection)
        {
            self.end_link(link, "its answer makes no sense", End::Ours);
        }
        let Some(running) = self.gate.as_mut().and_then(|gate| gate.tasks.get_mut(at)) else {
            return;
        };
        let todo = running.task.told(Answer::NoAnswer, now());
        self.follow(at, todo, None);
    }

    /// Goes on with tasks that waited, and with clients of a hold that takes too long.
    pub(super) fn look_again(&mut self) {
        let now_ms = self.now;
        let too_long = self.held_too_long();
        let Some(gate) = &mut self.gate else { return };
        if too_long {
            self.resumable.append(&mut gate.held);
        }
        let (due, waits) = std::mem::take(&mut gate.waits)
            .into_iter()
            .partition(|(due, _)| *due <= now_ms);
        gate.waits = waits;
        let lease_wait = gate
            .member
            .record()
            .migration
            .as_ref()
            .map_or(0, |m| m.options.lease_wait_ms);
        let due: Vec<(u64, u64)> = due;
        for (_, operation) in due {
            let at = (operation & u64::from(u32::MAX)) as usize;
            let Some(running) = self.gate.as_mut().and_then(|gate| gate.tasks.get_mut(at)) else {
                continue;
            };
            if number(at, running.serial) != operation {
                continue;
            }
            let waited = now_ms.saturating_sub(running.waited_since.unwrap_or(now_ms));
            let patient = waited < lease_wait;
            if !patient {
                running.waited_since = None;
            }
            let todo = running.task.wait_over(patient, now());
            self.follow(at, todo, None);
        }
    }

    /// Whether keys may be under way between nodes: a `flush_all` would have to empty sources before targets.
    pub(super) fn is_moving(&self) -> bool {
        let phase = self
            .gate
            .as_ref()
            .and_then(|gate| gate.member.record().phase());
        matches!(phase, Some(Phase::Hold | Phase::Copy | Phase::Settle))
    }
}

fn refuse(turn: &mut Turn<'_>, command: &Command) {
    if command.quiet && !command.kind.is_meta() {
        return;
    }
    let answer: &[u8] = match (command.class, command.kind) {
        (Class::Read, Kind::MetaGet | Kind::MetaDebug) if command.quiet => return,
        (Class::Read, Kind::MetaGet | Kind::MetaDebug) => b"EN\r\n",
        (Class::Read, _) => b"END\r\n",
        _ => HELD,
    };
    turn.busy.replies.push_answer(answer);
}

fn number(at: usize, serial: u32) -> u64 {
    u64::from(serial) << 32 | at as u64
}

/// Since 1970, for expiries that must be written as dates.
fn now() -> Duration {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default()
}
