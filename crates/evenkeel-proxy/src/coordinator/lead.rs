//! The loop that leads one pool.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use evenkeel_core::Topology;
use evenkeel_core::migration::leader::{self, Decision, Refusal, Seen};
use evenkeel_core::migration::{Back, Epoch, Phase, Rules};
use tokio::sync::{mpsc, oneshot, watch};
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep};

use super::members::Members;
use super::purge;
use super::request::{Asked, Leader, Request, RequestError, StartRequest};
use super::status::{Ended, Status};
use crate::copier::{Copier, CopierMember, Links, Mover, Network, Pace, Rates, Tally, server_of};
use crate::store::{PoolRecord, PoolStore, StoreError};

/// How often acknowledgements are looked at while clients wait.
const HOLD_TICK: Duration = Duration::from_millis(1);

/// How often everything is looked at otherwise.
const TICK: Duration = Duration::from_millis(20);

/// How long a migration that was asked for waits for the epoch before to be acknowledged: a proxy that has just
/// started acknowledges nothing until its former life is over.
const START_PATIENCE: Duration = Duration::from_secs(15);

/// What a leader is made of.
pub struct Setup {
    /// The pool's name.
    pub pool: String,
    /// Its store.
    pub store: PoolStore,
    /// The topology of the configuration, for a pool that has no record yet.
    pub wanted: Topology,
    /// The workers.
    pub members: Arc<dyn Members>,
    /// How servers are reached.
    pub network: Arc<dyn Network>,
    /// How fast the copier may go to begin with.
    pub rates: Rates,
    /// What a node may take for an answer before the copier slows down.
    pub slow_above: Duration,
}

/// Leads one pool.
pub struct Coordinator {
    pool: String,
    store: PoolStore,
    record: Arc<PoolRecord>,
    members: Arc<dyn Members>,
    copier: Arc<Copier>,
    requests: mpsc::Receiver<Asked>,
    status: watch::Sender<Status>,
    published: watch::Sender<Arc<PoolRecord>>,
    /// Of this epoch.
    seen: Seen,
    since: Instant,
    acknowledged_at: Option<Instant>,
    /// What is done in this epoch beside waiting; finished when it has seen what it looked for.
    work: Option<Work>,
    pending: Option<(Asked, Instant)>,
    expected_keys: u64,
    trouble: Option<String>,
    ended: Option<Ended>,
    /// The topology before the migration, to tell an abort from a success.
    before: Option<Topology>,
}

/// Something that runs beside the loop and is cut off when this value goes.
struct Work {
    task: JoinHandle<()>,
    /// Set at the very end: a task that died is finished, too, but has not done its work.
    done: Arc<AtomicBool>,
}

impl Work {
    fn begin(work: impl Future<Output = ()> + Send + 'static) -> Self {
        let done = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&done);
        let task = tokio::spawn(async move {
            work.await;
            flag.store(true, Ordering::Release);
        });
        Work { task, done }
    }

    fn is_done(&self) -> bool {
        self.done.load(Ordering::Acquire)
    }
}

impl Drop for Work {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Coordinator {
    /// Reads the record, or writes the first one, and publishes it. Serve after that, not before.
    ///
    /// # Errors
    /// [`StoreError`]: a damaged record is never guessed.
    pub fn open(setup: Setup) -> Result<(Self, Leader, Arc<Copier>), StoreError> {
        let (record, restarted) = first_record(&setup)?;
        let record = Arc::new(record);
        let member = CopierMember::new(Arc::clone(&record), restarted);
        let copier = Arc::new(Copier {
            mover: Mover::new(Links::new(Arc::clone(&setup.network))),
            network: setup.network,
            member,
            pace: Pace::new(setup.rates),
            tally: Tally::default(),
            slow_above: setup.slow_above,
        });
        setup.members.publish(Arc::clone(&record));
        let (sender, requests) = mpsc::channel(16);
        let (published, record_of_leader) = watch::channel(Arc::clone(&record));
        let blank = blank_status(&setup.pool, &record);
        let (status, status_of_leader) = watch::channel(blank);
        let coordinator = Coordinator {
            pool: setup.pool,
            store: setup.store,
            record,
            members: setup.members,
            copier: Arc::clone(&copier),
            requests,
            status,
            published,
            seen: Seen::default(),
            since: Instant::now(),
            acknowledged_at: None,
            work: None,
            pending: None,
            expected_keys: 0,
            trouble: None,
            ended: None,
            before: None,
        };
        let leader = Leader {
            requests: sender,
            status: status_of_leader,
            record: record_of_leader,
            restarted,
        };
        Ok((coordinator, leader, copier))
    }

    /// Leads until every [`Leader`] is gone.
    pub async fn run(mut self) {
        self.end_former_life();
        self.begin_work();
        loop {
            let tick = if self.record.phase() == Some(Phase::Hold) {
                HOLD_TICK
            } else {
                TICK
            };
            tokio::select! {
                asked = self.requests.recv() => match asked {
                    Some(asked) => self.answer(asked, Instant::now()),
                    None => break,
                },
                () = sleep(tick) => {}
            }
            self.turn().await;
        }
        self.work = None;
        self.copier.mover.links().close();
    }

    fn end_former_life(&self) {
        let grace = self.record.migration.as_ref().map_or_else(
            || evenkeel_core::migration::Options::default().late_grace_ms,
            |migration| migration.options.late_grace_ms,
        );
        let member = self.copier.member.clone();
        tokio::spawn(async move {
            sleep(Duration::from_millis(grace)).await;
            member.former_life_is_over();
        });
    }

    async fn turn(&mut self) {
        self.look();
        if let Some((asked, since)) = self.pending.take() {
            self.answer(asked, since);
        }
        match leader::decide(Rules::default(), &self.record, &self.seen) {
            Decision::Wait => {}
            Decision::Replace(next) => {
                if self.replace(next).is_err() {
                    // The store may come back; in `hold` the workers have their own patience.
                    sleep(TICK).await;
                }
            }
        }
        self.tell();
    }

    /// What is seen of this epoch now.
    fn look(&mut self) {
        let epoch = self.record.epoch;
        let all =
            self.members.acknowledged() >= epoch && self.copier.member.acknowledged() >= epoch;
        if all && self.acknowledged_at.is_none() {
            self.acknowledged_at = Some(Instant::now());
            self.begin_work();
        }
        self.seen.acknowledged = self.acknowledged_at.is_some();
        self.seen.age = self.since.elapsed();
        self.seen.since_acknowledged = self
            .acknowledged_at
            .map_or(Duration::ZERO, |at| at.elapsed());
        let done = self.work.as_ref().is_some_and(Work::is_done);
        let Some(migration) = &self.record.migration else {
            return;
        };
        let turning = migration.turn_back;
        self.seen.purged = done && migration.phase == Phase::Purge;
        self.seen.sources_empty = done && migration.phase == Phase::Copy && !turning;
        self.seen.lost_sources_emptied = migration.lost_sources.is_empty()
            || (done && migration.phase == Phase::Copy && turning);
    }

    /// Begins what this epoch needs, once everybody has acknowledged it.
    fn begin_work(&mut self) {
        let Some(migration) = self
            .record
            .migration
            .as_ref()
            .filter(|_| self.acknowledged_at.is_some())
        else {
            return;
        };
        let (copier, record) = (Arc::clone(&self.copier), Arc::clone(&self.record));
        self.work = match migration.phase {
            Phase::Purge => Some(Work::begin(purge::purge(copier, record))),
            Phase::Copy if migration.turn_back => {
                Some(Work::begin(purge::empty_lost_sources(copier, record)))
            }
            Phase::Copy => Some(Work::begin(async move { copier.run(record).await })),
            Phase::Hold | Phase::Settle => None,
        };
    }

    /// Puts the next record on disk, then before everybody.
    fn replace(&mut self, next: PoolRecord) -> Result<(), StoreError> {
        if let Err(error) = self.store.swap(self.record.epoch, &next) {
            tracing::error!(pool = self.pool, %error, "the record is not replaced");
            self.trouble = Some(error.to_string());
            return Err(error);
        }
        self.trouble = None;
        self.work = None;
        let next = Arc::new(next);
        self.note_ending(&next);
        let before = std::mem::replace(&mut self.record, next);
        self.seen = Seen::default();
        self.since = Instant::now();
        self.acknowledged_at = None;
        self.copier.member.learn(Arc::clone(&self.record));
        self.members.publish(Arc::clone(&self.record));
        self.published.send_replace(Arc::clone(&self.record));
        tracing::info!(
            pool = self.pool,
            epoch = self.record.epoch,
            from = ?before.phase(),
            phase = ?self.record.phase(),
            "the record was replaced"
        );
        Ok(())
    }

    fn note_ending(&mut self, next: &PoolRecord) {
        match (&self.record.migration, &next.migration) {
            (None, Some(_)) => {
                self.before = Some(self.record.current.clone());
                self.ended = None;
                self.copier.tally.clear();
            }
            (Some(migration), None) => {
                let other = if next.current == migration.to {
                    &self.record.current
                } else {
                    &migration.to
                };
                let aborted = match &self.before {
                    Some(before) => *before == next.current,
                    // Killed in between: what is known is whether the topologies were exchanged.
                    None => migration.back == Back::Copy,
                };
                self.ended = Some(Ended {
                    epoch: next.epoch,
                    aborted,
                    switch_off: left_over(other, &next.current),
                    took_ms: now_ms().saturating_sub(migration.started_at),
                });
            }
            _ => {}
        }
    }

    fn answer(&mut self, asked: Asked, since: Instant) {
        self.look();
        let acknowledged = self.seen.acknowledged;
        let next = match &asked.0 {
            Request::Start(request) => self.start(request),
            Request::Abort => leader::abort(&self.record).map_err(RequestError::from),
            Request::Lose(server) => {
                leader::lose(Rules::default(), &self.record, acknowledged, server)
                    .map_err(RequestError::from)
            }
        };
        if matches!(next, Err(RequestError::Refused(Refusal::Unacknowledged)))
            && since.elapsed() < START_PATIENCE
            && self.pending.is_none()
        {
            self.pending = Some((asked, since));
            return;
        }
        let (request, answer) = asked;
        let done = next.and_then(|next| {
            let epoch = next.epoch;
            let replaced = self.replace(next);
            replaced.map_err(|error| RequestError::Store(error.to_string()))?;
            Ok(epoch)
        });
        if let (Ok(_), Request::Start(request)) = (&done, &request) {
            self.expected_keys = request.expected_keys;
        }
        self.tell();
        reply(answer, done);
    }

    fn start(&self, request: &StartRequest) -> Result<PoolRecord, RequestError> {
        if request.epoch != self.record.epoch {
            return Err(RequestError::Conflict {
                expected: request.epoch,
                found: self.record.epoch,
            });
        }
        let mut tags = self.record.tags.clone();
        for node in request.to.nodes() {
            tags.enter(&server_of(node)).ok_or(RequestError::NoTags)?;
        }
        let (to, options) = (request.to.clone(), request.options.clone());
        let acknowledged = self.seen.acknowledged;
        let next = leader::start(
            &self.record,
            acknowledged,
            to,
            tags,
            options,
            &request.by,
            now_ms(),
        )?;
        Ok(next)
    }

    fn tell(&self) {
        let mut status = blank_status(&self.pool, &self.record);
        status.acknowledged = self.seen.acknowledged;
        if !self.seen.acknowledged {
            status.waiting_for = self.members.waiting_for();
            match self.copier.member.draining() {
                0 => {}
                under_way => status
                    .waiting_for
                    .push(format!("{under_way} commands of the copier")),
            }
        }
        status.going_back = match (&self.before, &self.record.migration) {
            (Some(before), Some(migration)) => migration.to == *before,
            _ => false,
        };
        status.rates = self.copier.pace.rates();
        status.nodes = self.copier.tally.nodes();
        status.expected_keys = self.expected_keys;
        status.trouble = self.trouble.clone();
        status.ended = self.ended.clone();
        self.status.send_replace(status);
    }
}

/// The record of the store, or the first one; and whether there was one.
fn first_record(setup: &Setup) -> Result<(PoolRecord, bool), StoreError> {
    if let Some(record) = setup.store.read()? {
        return Ok((record, true));
    }
    let mut record = PoolRecord::first(setup.wanted.clone());
    for node in setup.wanted.nodes() {
        record.tags.enter(&server_of(node));
    }
    setup.store.swap(0, &record)?;
    Ok((record, false))
}

fn reply(answer: oneshot::Sender<Result<Epoch, RequestError>>, done: Result<Epoch, RequestError>) {
    // Whoever asked may have gone; what was asked is done all the same.
    let _ = answer.send(done);
}

/// Names of the nodes of `other` whose server `current` does not use.
fn left_over(other: &Topology, current: &Topology) -> Vec<String> {
    let used: Vec<String> = current.nodes().iter().map(server_of).collect();
    let unused = other
        .nodes()
        .iter()
        .filter(|node| !used.contains(&server_of(node)));
    unused.map(|node| node.name.clone()).collect()
}

fn blank_status(pool: &str, record: &PoolRecord) -> Status {
    let migration = record.migration.as_ref();
    Status {
        schema: 1,
        pool: pool.to_owned(),
        epoch: record.epoch,
        phase: record.phase(),
        current: record.current.clone(),
        to: migration.map(|migration| migration.to.clone()),
        turning_back: migration.is_some_and(|migration| migration.turn_back),
        going_back: false,
        failed_holds: migration.map_or(0, |migration| migration.failed_holds),
        lost_sources: migration
            .map(|migration| migration.lost_sources.clone())
            .unwrap_or_default(),
        started_by: migration.map(|migration| migration.started_by.clone()),
        started_at: migration.map(|migration| migration.started_at),
        acknowledged: false,
        waiting_for: Vec::new(),
        rates: Rates::default(),
        expected_keys: 0,
        nodes: Default::default(),
        trouble: None,
        ended: None,
    }
}

fn now_ms() -> u64 {
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    since.as_millis().try_into().unwrap_or(u64::MAX)
}
