//! Passes over the sources until none has a moved key.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use evenkeel_core::migration::Epoch;
use evenkeel_core::migration::operation::Outcome;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep};

use super::link::Network;
use super::listing::{Listing, ListingError};
use super::map::Map;
use super::member::CopierMember;
use super::mover::{Mover, Route};
use super::pace::Pace;
use super::tally::Tally;
use super::window::Window;
use crate::store::PoolRecord;

/// The most moves of one source that are under way at once.
const MAX_LANES: usize = 128;

/// Lanes to begin with.
const FIRST_LANES: usize = 16;

/// How often the lanes are halved at most, while a node is slow.
const HALVE_EVERY: Duration = Duration::from_millis(20);

/// The pause after a pass that came no further: what is left cannot be moved, or a node is out of reach.
const STUCK_PAUSE: Duration = Duration::from_secs(1);

/// What a node may take for an answer before the copier slows down, unless the operator says otherwise.
pub const DEFAULT_SLOW_ABOVE: Duration = Duration::from_millis(10);

/// The copier of one pool.
pub struct Copier {
    pub(crate) network: Arc<dyn Network>,
    pub(crate) mover: Mover,
    pub(crate) member: CopierMember,
    /// How fast it may go.
    pub pace: Pace,
    pub(crate) tally: Tally,
    /// With answers slower than this fewer moves are under way at once.
    pub(crate) slow_above: Duration,
}

/// One source in one phase of copying.
struct Leg {
    copier: Arc<Copier>,
    record: Arc<PoolRecord>,
    map: Arc<Map>,
    source: String,
    moves: JoinSet<(bool, Duration)>,
    lanes: usize,
    halved: Instant,
    /// Keys that are no longer at the source because of us.
    progress: u64,
}

impl Copier {
    /// Copies until a whole enumeration of every source that is not lost, begun under `record`, has found no moved key,
    /// placeholder or lease. Dropping the future stops it between two keys; moves under way go on to their end.
    pub async fn run(self: &Arc<Self>, record: Arc<PoolRecord>) {
        let Some(map) = Map::of(&record).map(Arc::new) else {
            return;
        };
        let sources: Vec<String> = map
            .sources()
            .into_iter()
            .filter(|source| record.loss(source).is_none())
            .collect();
        let leg = |source: &String| Leg {
            copier: Arc::clone(self),
            record: Arc::clone(&record),
            map: Arc::clone(&map),
            source: source.clone(),
            moves: JoinSet::new(),
            lanes: FIRST_LANES,
            halved: Instant::now(),
            progress: 0,
        };
        loop {
            let mut passes = JoinSet::new();
            for source in &sources {
                passes.spawn(leg(source).pass());
            }
            let progress: u64 = passes.join_all().await.iter().sum();
            if progress > 0 {
                continue;
            }
            let mut found = 0;
            let mut progress = 0;
            // One after another, for each may fill a window.
            for source in &sources {
                let (left, brought) = leg(source).decide().await;
                found += left;
                progress += brought;
            }
            if found == 0 {
                return;
            }
            if progress == 0 {
                sleep(STUCK_PAUSE).await;
            }
        }
    }
}

impl Leg {
    /// A gentle pass: keys are listed as fast as they are moved. Gives how many it brought over.
    async fn pass(mut self) -> u64 {
        if let Err(error) = self.try_pass().await {
            self.trouble(&error);
        }
        self.finish().await
    }

    async fn try_pass(&mut self) -> Result<(), ListingError> {
        let copier = Arc::clone(&self.copier);
        let mut listing = Listing::of(copier.network.as_ref(), &self.source, false).await?;
        loop {
            let mut batch = Vec::new();
            let more = listing
                .read(|listed| {
                    if self.map.target(listed.key, &self.source).is_some() {
                        batch.push((Bytes::copy_from_slice(listed.key), listed.size));
                    }
                })
                .await?;
            self.bring_all(batch).await;
            if !more {
                self.no_trouble();
                return Ok(());
            }
        }
    }

    /// The listing that decides: read at full speed, then what it found is moved. Gives how many moved keys the source
    /// had, and how many of them were brought over.
    async fn decide(mut self) -> (u64, u64) {
        match self.list_all().await {
            Ok(window) => {
                self.no_trouble();
                let found = window.listed();
                self.bring_all(window.into_keys()).await;
                (found, self.finish().await)
            }
            Err(error) => {
                self.trouble(&error);
                // Not listed is not empty.
                (1, 0)
            }
        }
    }

    async fn list_all(&self) -> Result<Window, ListingError> {
        let mut listing = Listing::of(self.copier.network.as_ref(), &self.source, true).await?;
        let mut window = Window::default();
        let mut more = true;
        while more {
            more = listing
                .read(|listed| {
                    if self.map.target(listed.key, &self.source).is_some() {
                        window.push(listed.key, listed.size);
                    }
                })
                .await?;
        }
        Ok(window)
    }

    async fn bring_all(&mut self, keys: Vec<(Bytes, u64)>) {
        for (key, size) in keys {
            self.copier.pace.take(size).await;
            while self.moves.len() >= self.lanes {
                self.one_ended().await;
            }
            let Some(target) = self.map.target(&key, &self.source) else {
                continue;
            };
            let one = OneMove {
                copier: Arc::clone(&self.copier),
                record: Arc::clone(&self.record),
                source: self.source.clone(),
                target: target.to_owned(),
                key,
                size,
            };
            self.moves.spawn(one.run());
        }
    }

    async fn finish(&mut self) -> u64 {
        while !self.moves.is_empty() {
            self.one_ended().await;
        }
        self.progress
    }

    /// More lanes while the nodes are quick, half as many when one is slow.
    async fn one_ended(&mut self) {
        let Some(Ok((brought, slowest))) = self.moves.join_next().await else {
            return;
        };
        self.progress += u64::from(brought);
        if slowest <= self.copier.slow_above {
            self.lanes = (self.lanes + 1).min(MAX_LANES);
        } else if self.halved.elapsed() >= HALVE_EVERY {
            self.lanes = (self.lanes / 2).max(1);
            self.halved = Instant::now();
        }
    }

    fn trouble(&self, error: &ListingError) {
        tracing::warn!(source = self.source, %error, "a source is not listed");
        self.copier
            .tally
            .count(&self.source, |node| node.trouble = Some(error.to_string()));
    }

    fn no_trouble(&self) {
        self.copier
            .tally
            .count(&self.source, |node| node.trouble = None);
    }
}

impl Drop for Leg {
    fn drop(&mut self) {
        // A move that is cut off in the middle would leave its lease behind.
        self.moves.detach_all();
    }
}

struct OneMove {
    copier: Arc<Copier>,
    record: Arc<PoolRecord>,
    source: String,
    target: String,
    key: Bytes,
    size: u64,
}

impl OneMove {
    /// Whether the key left the source, and the slowest answer.
    async fn run(self) -> (bool, Duration) {
        let epoch: Epoch = self.record.epoch;
        let (Some(migration), Some(pass)) =
            (&self.record.migration, self.copier.member.begin(epoch))
        else {
            return (false, Duration::ZERO);
        };
        let route = Route {
            key: &self.key,
            source: &self.source,
            target: &self.target,
            options: &migration.options,
            pass: &pass,
        };
        let mover = &self.copier.mover;
        let moved = mover.bring(route).await;
        let mut brought = self.count(moved.outcome.as_ref());
        if moved.outcome == Some(Outcome::Refused) && route.options.drop_unmovable {
            let dropped = mover.let_go(route).await;
            brought = matches!(dropped.outcome, Some(Outcome::Done | Outcome::Nothing));
            let tally = &self.copier.tally;
            tally.count(&self.source, |node| node.dropped += u64::from(brought));
        }
        (brought, moved.slowest)
    }

    fn count(&self, outcome: Option<&Outcome<crate::migration::Item>>) -> bool {
        let (tally, source) = (&self.copier.tally, &self.source);
        match outcome {
            Some(Outcome::Done) => tally.count(source, |node| {
                node.moved += 1;
                node.bytes += self.size;
            }),
            Some(Outcome::Already) => tally.count(source, |node| node.already += 1),
            Some(Outcome::Nothing) => tally.count(source, |node| node.vanished += 1),
            Some(Outcome::Refused) => {
                tally.unmovable(source, &self.key);
                return false;
            }
            _ => {
                tally.count(source, |node| node.failed += 1);
                return false;
            }
        }
        // What had vanished is no progress: an expired key may be listed again for a while.
        !matches!(outcome, Some(Outcome::Nothing))
    }
}
