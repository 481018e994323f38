//! The migration as one worker sees it: under which record it serves, what it began, and what it may acknowledge.

use super::engine::Engine;
use crate::gate::Task;
use bytes::Bytes;
use evenkeel_core::Topology;
use evenkeel_core::migration::member::Ticket;
use evenkeel_core::migration::{Epoch, Member, Phase, Rules};
use evenkeel_wire::memcached::Expect;
use slab::Slab;
use std::collections::{HashMap, HashSet};

/// What a worker keeps for a pool that has a record.
#[derive(Debug)]
pub struct Gate {
    pub member: Member<Topology>,
    /// Engine's number of each node of `to`.
    pub owners_to: Vec<usize>,
    pub tasks: Slab<Running>,
    /// Tells a task from an earlier one in the same place.
    pub serial: u32,
    /// When tasks that wait are to look again, in milliseconds of the engine's clock.
    pub waits: Vec<(u64, u64)>,
    /// Clients that are not read while the pool holds.
    pub held: Vec<usize>,
    /// Since when it holds, in milliseconds of the engine's clock.
    pub held_since: Option<u64>,
    /// Tickets of commands that were given up, by the connection whose end they wait for.
    pub late: HashMap<u64, Vec<Ticket>>,
    /// Connections with commands of an earlier record that are not over.
    pub ending: HashSet<u64>,
}

/// A task that runs, and whom it is for.
#[derive(Debug)]
pub struct Running {
    pub task: Task,
    pub serial: u32,
    pub ticket: Ticket,
    /// Whose request it is: client, generation, place among its replies.
    pub client: Option<(usize, u32, u32)>,
    pub key: Bytes,
    /// An error ends a read of the text dialect in place of `END`.
    pub reads_text: bool,
    pub source: usize,
    pub target: usize,
    /// Which reply the command under way awaits.
    pub expect: Expect,
    pub must_end: bool,
    pub waited_since: Option<u64>,
    /// Since when it runs, in milliseconds of the engine's clock.
    pub begun: u64,
}

impl Engine {
    /// Goes over to the record of the snapshot.
    pub(super) fn learn(&mut self, owners_to: Vec<usize>) {
        let Some(record) = self.snapshot.record.clone() else {
            self.gate = None;
            return;
        };
        let Some(gate) = &mut self.gate else {
            self.gate = Some(Box::new(Gate {
                member: Member::new(record, Rules::WHOLE),
                owners_to,
                tasks: Slab::new(),
                serial: 0,
                waits: Vec::new(),
                held: Vec::new(),
                held_since: None,
                late: HashMap::new(),
                ending: HashSet::new(),
            }));
            return;
        };
        gate.owners_to = owners_to;
        if record.epoch <= gate.member.record().epoch {
            return;
        }
        // In stable nothing says which keys would be moved, so all that is under way counts.
        let all = gate.member.record().migration.is_none();
        for link in &mut self.links {
            link.waiting
                .iter_mut()
                .for_each(|pending| pending.moved |= all);
            link.earlier = link.waiting.iter().filter(|pending| pending.moved).count();
        }
        gate.ending.extend(self.lingering.iter());
        gate.held_since = (record.phase() == Some(Phase::Hold)).then_some(self.now);
        gate.member.learn(record, 0);
        if gate.held_since.is_none() {
            self.resumable.append(&mut gate.held);
        }
    }

    /// The epoch that this worker may acknowledge, if its pool has a record.
    pub fn acknowledges(&self) -> Option<Epoch> {
        let gate = self.gate.as_ref()?;
        let drained = gate.ending.is_empty() && self.links.iter().all(|link| link.earlier == 0);
        gate.member.acknowledges().filter(|_| drained)
    }

    /// What keeps it from acknowledging, in numbers: commands under way, and connections that have not ended.
    pub fn draining(&self) -> (usize, usize) {
        let Some(gate) = &self.gate else {
            return (0, 0);
        };
        let sent: usize = self.links.iter().map(|link| link.earlier).sum();
        (sent + gate.member.draining() as usize, gate.ending.len())
    }

    /// A connection ends with commands on moved keys unanswered.
    pub(super) fn note_ending(&mut self, connection: u64, moved: bool) {
        if let Some(gate) = &mut self.gate
            && moved
        {
            gate.ending.insert(connection);
        }
    }
}
