//! The leader's rules: from a record and what has been seen under it to the next record.
//!
//! Every function is pure and gives a record to be swapped in by compare-and-swap on the epoch. When the leader dies,
//! another one goes on from the record; what it had seen is seen again.

use std::time::Duration;

use super::record::{Back, Loss, Migration, Options, Phase, Record};
use super::rules::{Rule, Rules};
use super::tags::Tags;

/// The pauses before a `hold` that timed out is tried again; the last one repeats.
const RETRY_PAUSES: [Duration; 3] = [
    Duration::from_secs(5),
    Duration::from_secs(10),
    Duration::from_secs(20),
];

/// What is added to the longest lease before `stable`, for clocks that run apart and nodes that tick once a second.
const LEASE_MARGIN: Duration = Duration::from_secs(2);

/// What the leader has seen since the record with this epoch was swapped in.
///
/// Whatever was seen under an earlier epoch is forgotten: it may have begun before the phase did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Seen {
    /// Every registered proxy has acknowledged the record's epoch.
    pub acknowledged: bool,
    /// In `purge`: every target was emptied of keys that it does not own under `current`.
    pub purged: bool,
    /// In `copy`: a whole enumeration of every source that is not lost, begun under this epoch, found no moved key,
    /// placeholder or lease.
    pub sources_empty: bool,
    /// In `copy` with an abort asked for: every lost source was emptied of moved keys. True if none is lost.
    pub lost_sources_emptied: bool,
    /// Since the record was swapped in, as far as this leader knows.
    pub age: Duration,
    /// Since everybody had acknowledged it.
    pub since_acknowledged: Duration,
}

/// What the leader does about a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decision<T> {
    /// Nothing yet.
    Wait,
    /// Swap this record in.
    Replace(Record<T>),
}

/// Why a request was refused. Each one names the remedy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// One migration per pool at a time.
    #[error("a migration is under way; wait for it to end, or `evenkeel abort` it")]
    UnderWay,
    /// There is nothing to abort.
    #[error("no migration is under way")]
    Stable,
    /// Every moved key is at its target already, so there is nothing to turn back.
    #[error(
        "the migration is settling: every moved key is at its target; wait until it ends, then apply the change back"
    )]
    Settling,
    /// Sources are declared lost in `copy`, where they are read.
    #[error("a source can be declared lost only in the phase `copy`")]
    NotCopying,
    /// The epoch before has not been acknowledged by everybody.
    #[error(
        "not every proxy has acknowledged the present epoch; `evenkeel status` names those that have not"
    )]
    Unacknowledged,
}

/// Starts a migration: `stable` to `purge`.
///
/// `tags` are the record's, with those of the servers that enter.
pub fn start<T: Clone>(
    record: &Record<T>,
    acknowledged: bool,
    to: T,
    tags: Tags,
    options: Options,
    by: &str,
    at: u64,
) -> Result<Record<T>, Refusal> {
    if record.migration.is_some() {
        return Err(Refusal::UnderWay);
    }
    if !acknowledged {
        return Err(Refusal::Unacknowledged);
    }
    let migration = Migration {
        to,
        phase: Phase::Purge,
        back: Back::Purge,
        turn_back: false,
        failed_holds: 0,
        lost_sources: Default::default(),
        options,
        started_by: by.to_owned(),
        started_at: at,
    };
    Ok(Record {
        epoch: record.epoch + 1,
        current: record.current.clone(),
        migration: Some(migration),
        tags,
    })
}

/// Asks for an abort. Before anything was copied it takes effect at once; in `copy` the leader turns the migration
/// round when it can. Asked for again, it turns it round again.
pub fn abort<T: Clone>(record: &Record<T>) -> Result<Record<T>, Refusal> {
    let migration = record.migration.as_ref().ok_or(Refusal::Stable)?;
    match (migration.phase, migration.back) {
        (Phase::Purge, _) | (Phase::Hold, Back::Purge) => {
            Ok(stable(record, record.current.clone()))
        }
        (Phase::Copy, _) => Ok(changed(record, |next| {
            next.turn_back = !next.turn_back;
            next.failed_holds = 0;
        })),
        // The hold of an abort: turning it round is to leave the topologies as they were.
        (Phase::Hold, Back::Copy) => {
            let mut next = exchanged(record, Phase::Copy);
            if let Some(migration) = &mut next.migration {
                migration.turn_back = false;
            }
            Ok(next)
        }
        (Phase::Settle, _) => Err(Refusal::Settling),
    }
}

/// Declares a source lost: the first of two acknowledged steps. [`decide`] makes the second.
pub fn lose<T: Clone>(
    rules: Rules,
    record: &Record<T>,
    acknowledged: bool,
    source: &str,
) -> Result<Record<T>, Refusal> {
    if record.phase() != Some(Phase::Copy) {
        return Err(Refusal::NotCopying);
    }
    if !acknowledged {
        return Err(Refusal::Unacknowledged);
    }
    let first = if rules.keeps(Rule::LossInTwoSteps) {
        Loss::NotRead
    } else {
        Loss::NotDeleted
    };
    Ok(changed(record, |next| {
        next.lost_sources.entry(source.to_owned()).or_insert(first);
    }))
}

/// The next record, if its time has come.
pub fn decide<T: Clone>(rules: Rules, record: &Record<T>, seen: &Seen) -> Decision<T> {
    let Some(migration) = &record.migration else {
        return Decision::Wait;
    };
    // A hold ends by itself whether or not anybody acknowledged it; everything else needs every acknowledgement.
    if migration.phase == Phase::Hold && !seen.acknowledged {
        let timeout = Duration::from_millis(migration.options.hold_timeout_ms);
        return if seen.age >= timeout {
            Decision::Replace(hold_over(rules, record, migration))
        } else {
            Decision::Wait
        };
    }
    if !seen.acknowledged {
        return Decision::Wait;
    }
    match migration.phase {
        Phase::Purge => after_purge(rules, record, migration, seen),
        Phase::Hold => Decision::Replace(held(record, migration)),
        Phase::Copy => after_copy(rules, record, migration, seen),
        Phase::Settle => {
            let longest =
                Duration::from_secs(migration.options.lease_seconds.into()) + LEASE_MARGIN;
            if seen.since_acknowledged < longest {
                return Decision::Wait;
            }
            Decision::Replace(stable(record, migration.to.clone()))
        }
    }
}

/// How long to wait before the next `hold`, after so many that timed out.
pub fn retry_pause(failed_holds: u32) -> Duration {
    match failed_holds {
        0 => Duration::ZERO,
        n => RETRY_PAUSES[(n as usize).min(RETRY_PAUSES.len()) - 1],
    }
}

fn after_purge<T: Clone>(
    rules: Rules,
    record: &Record<T>,
    migration: &Migration<T>,
    seen: &Seen,
) -> Decision<T> {
    let purged = seen.purged || !rules.keeps(Rule::PurgeTargets);
    if !purged || seen.age < retry_pause(migration.failed_holds) {
        return Decision::Wait;
    }
    let next = if rules.keeps(Rule::HoldBeforeCopy) {
        Phase::Hold
    } else {
        Phase::Copy
    };
    Decision::Replace(changed(record, |migration| {
        migration.phase = next;
        migration.back = Back::Purge;
    }))
}

fn after_copy<T: Clone>(
    rules: Rules,
    record: &Record<T>,
    migration: &Migration<T>,
    seen: &Seen,
) -> Decision<T> {
    if migration
        .lost_sources
        .values()
        .any(|loss| *loss == Loss::NotRead)
    {
        return Decision::Replace(changed(record, |next| {
            for loss in next.lost_sources.values_mut() {
                *loss = Loss::NotDeleted;
            }
        }));
    }
    if migration.turn_back {
        // A lost source would be a target, and what it kept a stale read in waiting.
        if !seen.lost_sources_emptied || seen.age < retry_pause(migration.failed_holds) {
            return Decision::Wait;
        }
        let next = if rules.keeps(Rule::HoldBeforeCopy) {
            Phase::Hold
        } else {
            Phase::Copy
        };
        return Decision::Replace(exchanged(record, next));
    }
    if !seen.sources_empty {
        return Decision::Wait;
    }
    if !rules.keeps(Rule::SettleBeforeStable) {
        return Decision::Replace(stable(record, migration.to.clone()));
    }
    Decision::Replace(changed(record, |next| next.phase = Phase::Settle))
}

/// Everybody holds: on to `copy`.
fn held<T: Clone>(record: &Record<T>, migration: &Migration<T>) -> Record<T> {
    let turned = migration.back == Back::Copy;
    changed(record, |next| {
        next.phase = Phase::Copy;
        next.failed_holds = 0;
        if turned {
            next.turn_back = false;
            next.lost_sources.clear();
        }
    })
}

/// Somebody did not hold in time: back to what was before.
fn hold_over<T: Clone>(rules: Rules, record: &Record<T>, migration: &Migration<T>) -> Record<T> {
    let failed = migration.failed_holds + 1;
    let mut next = match migration.back {
        Back::Purge => changed(record, |next| next.phase = Phase::Purge),
        Back::Copy if rules.keeps(Rule::AbortReturnsToCopy) => exchanged(record, Phase::Copy),
        // What the first version of the protocol did: the topology from before the migration, at once.
        Back::Copy => return stable(record, record.current.clone()),
    };
    if let Some(migration) = &mut next.migration {
        migration.failed_holds = failed;
    }
    next
}

fn changed<T: Clone>(record: &Record<T>, change: impl FnOnce(&mut Migration<T>)) -> Record<T> {
    let mut next = record.clone();
    next.epoch += 1;
    if let Some(migration) = &mut next.migration {
        change(migration);
    }
    next
}

/// The same migration the other way round, in `phase`. From `copy` into the hold of an abort, and back.
fn exchanged<T: Clone>(record: &Record<T>, phase: Phase) -> Record<T> {
    let mut next = record.clone();
    next.epoch += 1;
    if let Some(migration) = &mut next.migration {
        std::mem::swap(&mut next.current, &mut migration.to);
        migration.phase = phase;
        migration.back = Back::Copy;
    }
    next
}

fn stable<T: Clone>(record: &Record<T>, current: T) -> Record<T> {
    Record {
        epoch: record.epoch + 1,
        current,
        migration: None,
        tags: record.tags.clone(),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic)]
mod tests {
    use super::*;

    fn started() -> Record<u8> {
        start(
            &Record::first(0),
            true,
            1,
            Tags::default(),
            Options::default(),
            "test",
            0,
        )
        .unwrap()
    }

    fn next(record: &Record<u8>, seen: Seen) -> Record<u8> {
        match decide(Rules::default(), record, &seen) {
            Decision::Replace(next) => next,
            Decision::Wait => panic!("nothing to do about {record:?} having seen {seen:?}"),
        }
    }

    fn all() -> Seen {
        Seen {
            acknowledged: true,
            purged: true,
            sources_empty: true,
            lost_sources_emptied: true,
            age: Duration::from_secs(3600),
            since_acknowledged: Duration::from_secs(3600),
        }
    }

    fn phases(mut record: Record<u8>) -> Vec<(Option<Phase>, u8)> {
        let mut seen = vec![(record.phase(), record.current)];
        while record.migration.is_some() {
            record = next(&record, all());
            seen.push((record.phase(), record.current));
        }
        seen
    }

    #[test]
    fn a_migration_goes_through_its_phases_one_at_a_time() {
        let expected = [
            (Some(Phase::Purge), 0),
            (Some(Phase::Hold), 0),
            (Some(Phase::Copy), 0),
            (Some(Phase::Settle), 0),
            (None, 1),
        ];
        assert_eq!(phases(started()), expected);
    }

    #[test]
    fn nothing_advances_before_everybody_has_acknowledged() {
        let mut record = started();
        while record.migration.is_some() {
            let unacknowledged = Seen {
                acknowledged: false,
                age: Duration::ZERO,
                ..all()
            };
            assert_eq!(
                decide(Rules::default(), &record, &unacknowledged),
                Decision::Wait,
                "{record:?}"
            );
            record = next(&record, all());
        }
    }

    #[test]
    fn a_hold_that_times_out_returns_to_where_it_came_from() {
        let purge = started();
        let hold = next(&purge, all());
        let back = next(
            &hold,
            Seen {
                acknowledged: false,
                ..all()
            },
        );
        assert_eq!((back.phase(), back.current), (Some(Phase::Purge), 0));
        assert_eq!(back.migration.unwrap().failed_holds, 1);

        let copy = next(&hold, all());
        let turning = next(&abort(&copy).unwrap(), all());
        assert_eq!((turning.phase(), turning.current), (Some(Phase::Hold), 1));
        let back = next(
            &turning,
            Seen {
                acknowledged: false,
                ..all()
            },
        );
        assert_eq!((back.phase(), back.current), (Some(Phase::Copy), 0));
        assert!(back.migration.unwrap().turn_back, "it is tried again");
    }

    #[test]
    fn an_abort_in_copy_ends_where_the_migration_began() {
        let copy = next(&next(&started(), all()), all());
        let turned = next(&next(&abort(&copy).unwrap(), all()), all());
        assert_eq!((turned.phase(), turned.current), (Some(Phase::Copy), 1));
        assert_eq!(phases(turned).last(), Some(&(None, 0)));
    }

    #[test]
    fn an_abort_before_anything_was_copied_takes_effect_at_once() {
        let purge = started();
        assert_eq!(abort(&purge).unwrap().phase(), None);
        assert_eq!(abort(&next(&purge, all())).unwrap().phase(), None);
    }

    #[test]
    fn a_source_is_lost_in_two_steps_and_must_be_emptied_before_an_abort() {
        let copy = next(&next(&started(), all()), all());
        let lost = lose(Rules::default(), &copy, true, "s").unwrap();
        assert_eq!(lost.loss("s"), Some(Loss::NotRead));
        let lost = next(
            &lost,
            Seen {
                sources_empty: false,
                ..all()
            },
        );
        assert_eq!(lost.loss("s"), Some(Loss::NotDeleted));
        let turning = abort(&lost).unwrap();
        let unemptied = Seen {
            lost_sources_emptied: false,
            ..all()
        };
        assert_eq!(
            decide(Rules::default(), &turning, &unemptied),
            Decision::Wait
        );
        assert_eq!(next(&turning, all()).phase(), Some(Phase::Hold));
    }

    #[test]
    fn a_hold_is_tried_again_after_5_10_20_seconds() {
        let pauses: Vec<u64> = (0..6).map(|failed| retry_pause(failed).as_secs()).collect();
        assert_eq!(pauses, [0, 5, 10, 20, 20, 20]);
    }

    #[test]
    fn only_a_stable_pool_starts_a_migration() {
        let again = start(
            &started(),
            true,
            2,
            Tags::default(),
            Options::default(),
            "test",
            0,
        );
        assert_eq!(again, Err(Refusal::UnderWay));
    }
}
