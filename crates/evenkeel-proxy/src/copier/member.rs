//! The copier as a member that acknowledges epochs.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use evenkeel_core::Topology;
use evenkeel_core::migration::member::Ticket;
use evenkeel_core::migration::{Epoch, Member, Rules};

use crate::store::PoolRecord;

/// The member that everything of the control plane begins its node commands under: the copier's moves and the leader's
/// deletions.
#[derive(Debug, Clone)]
pub struct CopierMember {
    member: Arc<Mutex<Member<Topology>>>,
}

/// Proof that something was begun. What was begun is over when the last copy of the pass is gone: whoever asked has
/// one, and every command under way has one until it is answered or its connection has ended.
#[derive(Debug, Clone)]
pub struct Pass {
    _ticket: Arc<Held>,
}

#[derive(Debug)]
struct Held {
    ticket: Ticket,
    of: CopierMember,
}

impl Drop for Held {
    fn drop(&mut self) {
        self.of.lock().end(self.ticket);
    }
}

impl CopierMember {
    /// `restarted`: commands of a former life may still be under way.
    #[must_use]
    pub fn new(record: Arc<PoolRecord>, restarted: bool) -> Self {
        let member = if restarted {
            Member::restarted(record, Rules::default())
        } else {
            Member::new(record, Rules::default())
        };
        CopierMember {
            member: Arc::new(Mutex::new(member)),
        }
    }

    /// Goes over to a newer record.
    pub fn learn(&self, record: Arc<PoolRecord>) {
        self.lock().learn(record, 0);
    }

    /// `late_grace` has passed since the restart.
    pub fn former_life_is_over(&self) {
        self.lock().former_life_is_over();
    }

    /// Begins something under `epoch`; `None` if the record has moved on.
    #[must_use]
    pub fn begin(&self, epoch: Epoch) -> Option<Pass> {
        let mut member = self.lock();
        if member.record().epoch != epoch {
            return None;
        }
        let ticket = member.begin();
        drop(member);
        let of = self.clone();
        Some(Pass {
            _ticket: Arc::new(Held { ticket, of }),
        })
    }

    /// The epoch that may be acknowledged; 0 while something of an earlier one may still reach a node.
    #[must_use]
    pub fn acknowledged(&self) -> Epoch {
        self.lock().acknowledges().unwrap_or(0)
    }

    /// What was begun earlier and is not over.
    #[must_use]
    pub fn draining(&self) -> u32 {
        self.lock().draining()
    }

    fn lock(&self) -> MutexGuard<'_, Member<Topology>> {
        // Nothing that holds the lock can leave a member half changed.
        self.member.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
