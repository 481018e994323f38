//! The migration rules, explored exhaustively: the same `Operation`, `Member` and `leader` that the proxy runs.
//!
//! One key, two servers, two proxies with a client each, a copier and a leader. Every command is two steps, executed at
//! the node at an arbitrary later time and heard by its sender, and may be executed after its sender gave up. Values are
//! evicted, leases expire, proxies and servers crash and restart, holds time out, migrations are aborted, sources are
//! lost. A monitor checks along every run that clients saw a register that may forget but never lies.
//!
//! `EVENKEEL_MODEL=large` explores larger sets, for minutes instead of seconds.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod actions;
mod explore;
mod faults;
mod hash;
mod kinds;
mod labels;
mod lead;
mod monitor;
mod node;
mod setups;
mod steps;
mod world;

use std::sync::Mutex;

use evenkeel_core::migration::{Rule, Rules};
use explore::{Explored, LookFor, explore};
use steps::Counts;
use world::Setup;

/// Explores each of `setups`, two at a time, and returns how often each kind of step was taken.
fn all_hold(setups: Vec<(Setup, LookFor)>) -> Counts {
    let total = Mutex::new(Counts::new());
    let todo = Mutex::new(setups.into_iter());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let next = todo.lock().unwrap().next();
                    let Some((setup, look_for)) = next else {
                        return;
                    };
                    let begun = std::time::Instant::now();
                    let explored = explore(&setup, look_for);
                    println!(
                        "{:<44} {:>9} states {:>10} steps {:>6.1} s",
                        setup.name,
                        explored.states,
                        explored.steps,
                        begun.elapsed().as_secs_f64()
                    );
                    assert!(
                        explored.violation.is_none(),
                        "{}",
                        explored.violation.unwrap()
                    );
                    assert!(
                        explored.stuck.is_none(),
                        "the migration cannot end: {}",
                        explored.stuck.unwrap()
                    );
                    let mut total = total.lock().unwrap();
                    explored
                        .counts
                        .into_iter()
                        .for_each(|(label, count)| *total.entry(label).or_default() += count);
                }
            });
        }
    });
    total.into_inner().unwrap()
}

#[test]
fn no_interleaving_reads_the_past_and_every_migration_can_end() {
    let large = std::env::var("EVENKEEL_MODEL").is_ok_and(|size| size == "large");
    let counts = all_hold(setups::correct(large));
    for label in setups::STEPS {
        println!(
            "{label:<36} {:>12}",
            counts.get(label).copied().unwrap_or(0)
        );
    }
    for (label, count) in &counts {
        assert!(
            setups::STEPS.contains(label),
            "{label} ({count}) is not listed"
        );
    }
    let never: Vec<_> = setups::STEPS
        .iter()
        .filter(|label| !counts.contains_key(*label))
        .collect();
    assert!(large || never.is_empty(), "never taken: {never:?}");
}

/// Explores without one rule, and shows the shortest run in which it is missed; with the rule, the same runs hold.
fn is_missed(rule: Rule) -> Explored {
    let (explored, setup, look_for) = is_noticed(rule);
    let kept = explore(
        &Setup {
            rules: Rules::default(),
            ..setup
        },
        look_for,
    );
    println!("with it: {} states", kept.states);
    assert!(
        kept.violation.is_none() && kept.stuck.is_none(),
        "{:?} {:?}",
        kept.violation,
        kept.stuck
    );
    explored
}

/// Explores without one rule, and shows the shortest run in which it is missed.
fn is_noticed(rule: Rule) -> (Explored, Setup, LookFor) {
    let (setup, look_for) = setups::broken(rule);
    let explored = explore(&setup, look_for);
    let story = explored.violation.as_ref().or(explored.stuck.as_ref());
    println!(
        "without {rule:?}, after {} states: {}",
        explored.states,
        story.expect("nothing was noticed")
    );
    (explored, setup, look_for)
}

#[test]
fn writing_the_target_before_the_source_reads_the_past() {
    assert!(is_missed(Rule::SourceBeforeTarget).violation.is_some());
}

#[test]
fn going_to_copy_without_hold_reads_the_past() {
    assert!(is_missed(Rule::HoldBeforeCopy).violation.is_some());
}

#[test]
fn filling_by_add_instead_of_under_a_lease_raises_deleted_keys() {
    assert!(is_missed(Rule::FillUnderLease).violation.is_some());
}

#[test]
fn leftovers_at_a_target_that_was_not_purged_are_read() {
    assert!(is_missed(Rule::PurgeTargets).violation.is_some());
}

#[test]
fn going_to_stable_without_settle_shows_a_placeholder_as_an_empty_value() {
    assert!(is_missed(Rule::SettleBeforeStable).violation.is_some());
}

#[test]
fn an_abort_that_falls_back_to_stable_reads_the_past() {
    assert!(is_missed(Rule::AbortReturnsToCopy).violation.is_some());
}

#[test]
fn acknowledging_with_work_under_way_reads_the_past() {
    assert!(is_missed(Rule::AcknowledgeWhenDrained).violation.is_some());
}

#[test]
fn a_hold_that_only_closes_connections_reads_the_past() {
    // With the rule these runs are twenty million states; `EVENKEEL_MODEL=large` has their like.
    assert!(is_noticed(Rule::WaitForEndOfStream).0.violation.is_some());
}

#[test]
fn an_unconditional_update_lands_on_a_placeholder() {
    assert!(is_missed(Rule::UpdateWhatWasSeen).violation.is_some());
}

#[test]
fn a_lease_used_after_its_server_restarted_reads_the_past() {
    assert!(
        is_missed(Rule::LeaseEndsWithItsConnection)
            .violation
            .is_some()
    );
}

#[test]
fn a_source_lost_in_one_step_reads_the_past() {
    assert!(is_missed(Rule::LossInTwoSteps).violation.is_some());
}

#[test]
fn a_copier_that_leaves_the_source_alone_on_a_hit_never_ends() {
    let explored = is_missed(Rule::CopierDeletesOnHit);
    assert!(explored.violation.is_none() && explored.stuck.is_some());
}

#[test]
fn a_reader_that_answers_a_miss_when_its_lease_was_lost_asks_the_origin_for_nothing() {
    assert!(is_missed(Rule::LostLeaseStartsAgain).violation.is_some());
}
