//! The story that `evenkeel demo` tells, and that it is true.

#![allow(clippy::unwrap_used)]

use evenkeel_proxy::demo::{Settings, Story, Strategy, Tick};

const SMALL: Settings = Settings {
    nodes_before: 16,
    nodes_after: 20,
    keys: 10_000,
    skew: 0.99,
    reads: 300,
    tick: std::time::Duration::from_millis(100),
    change_at: 5,
    copied: 200,
    seed: 1,
};

/// Enough for the copier, and for the longest lease to end.
const TICKS: u32 = 80;

fn lost_at_once(strategy: Strategy) -> f64 {
    let mut story = Story::new(strategy, Settings { reads: 0, ..SMALL }).unwrap();
    for _ in 0..=SMALL.change_at {
        story.tick();
    }
    f64::from(story.lost()) / f64::from(SMALL.keys)
}

// 16 nodes to 20: modulo keeps a key where both remainders agree, a fifth of them; a ring gives away a fifth.
#[test]
fn modulo_loses_four_fifths_and_a_ring_one() {
    assert!((lost_at_once(Strategy::Modulo) - 0.8).abs() < 0.02);
    assert!((lost_at_once(Strategy::Ring) - 0.2).abs() < 0.06);
}

#[test]
fn a_migration_sends_not_one_read_to_the_origin_and_ends() {
    let mut story = Story::new(Strategy::Evenkeel, SMALL).unwrap();
    let ticks: Vec<Tick> = (0..TICKS).map(|_| story.tick()).collect();
    assert!(
        ticks.iter().all(|tick| tick.origin_reads == 0),
        "{ticks:#?}"
    );
    let mut phases: Vec<_> = ticks.iter().map(|tick| tick.phase).collect();
    phases.dedup();
    assert_eq!(phases, ["stable", "copy", "settle", "stable"]);
    assert_eq!(story.lost(), 0, "every key is where it is looked for");
}

#[test]
fn the_copier_keeps_to_its_rate() {
    let mut story = Story::new(Strategy::Evenkeel, SMALL).unwrap();
    let mut before = 0;
    for _ in 0..TICKS {
        let moved = story.tick().moved;
        assert!(moved - before <= u64::from(SMALL.copied));
        before = moved;
    }
    assert!(
        (1_500..2_500).contains(&before),
        "about a fifth of the keys: {before}"
    );
}

#[test]
fn an_immediate_switch_is_felt_at_the_origin() {
    for strategy in [Strategy::Modulo, Strategy::Ring] {
        let mut story = Story::new(strategy, SMALL).unwrap();
        let ticks: Vec<Tick> = (0..TICKS).map(|_| story.tick()).collect();
        let (before, after) = ticks.split_at(SMALL.change_at as usize);
        assert!(before.iter().all(|tick| tick.origin_reads == 0));
        assert!(after[0].origin_reads > 10, "{strategy:?}");
    }
}

#[test]
fn one_seed_tells_one_story() {
    let tell = || {
        let mut story = Story::new(Strategy::Modulo, SMALL).unwrap();
        (0..20).map(|_| story.tick()).collect::<Vec<_>>()
    };
    assert_eq!(tell(), tell());
}
