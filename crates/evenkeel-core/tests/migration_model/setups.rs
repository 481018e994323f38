//! Which sets of runs are explored.

use evenkeel_core::migration::{Rule, Rules};

use crate::explore::LookFor;
use crate::monitor::Strictness;
use crate::world::{Budget, Setup};

/// Every kind of step. Each must have been taken.
pub const STEPS: &[&str] = &[
    "abort asked for",
    "client: add",
    "client: append",
    "client: cas",
    "client: delete",
    "client: delete noreply",
    "client: get",
    "client: gets",
    "client: incr",
    "client: set",
    "copier starts",
    "crash",
    "evict",
    "given up",
    "late: executed",
    "late: lost",
    "leader: empty a lost source",
    "leader: list",
    "leader: purge",
    "learn",
    "lease expires",
    "lease gone with its connection",
    "node restarts",
    "node: delete: nothing",
    "node: deleted",
    "node: fill: lease lost",
    "node: filled",
    "node: lease held",
    "node: lease or value: value",
    "node: lease won",
    "node: look: nothing",
    "node: look: placeholder",
    "node: look: value",
    "node: overwritten",
    "node: plain command",
    "node: remove: changed",
    "node: removed what was seen",
    "node: update: changed",
    "node: updated",
    "record: copy",
    "record: hold",
    "record: hold of an abort",
    "record: hold timed out, to copy",
    "record: hold timed out, to purge",
    "record: purge",
    "record: settle",
    "record: stable",
    "restart",
    "source lost: first step",
    "source lost: second step",
    "undelivered",
    "wait: look again",
    "wait: take away",
];

/// A read's miss is free; an update that found nothing must have seen a real absence.
const LOSSY: Strictness = Strictness {
    may_lose: true,
    misses_are_real: false,
};

/// Nothing is ever lost, so every miss must be real: the origin sees no extra read.
const EXACT: Strictness = Strictness {
    may_lose: false,
    misses_are_real: true,
};

/// The runs in which each of these words may happen once, in any order, during one migration.
fn runs(words: &'static str) -> Setup {
    Setup {
        name: words,
        rules: Rules::default(),
        budget: budget(words),
        strictness: LOSSY,
        heard_apart: false,
    }
}

fn budget(words: &str) -> Budget {
    let mut budget = Budget {
        migrations: 1,
        ..Budget::default()
    };
    for word in words.split_whitespace() {
        let field = match word {
            "get" => &mut budget.gets,
            "gets" => &mut budget.tokens,
            "set" => &mut budget.sets,
            "delete" => &mut budget.deletes,
            "delete-noreply" => &mut budget.quiet_deletes,
            "incr" => &mut budget.increments,
            "append" => &mut budget.appends,
            "add" => &mut budget.adds,
            "cas" => &mut budget.compares,
            "migration" => &mut budget.migrations,
            "eviction" => &mut budget.evictions,
            "expiry" => &mut budget.expiries,
            "given-up" => &mut budget.given_up,
            "undelivered" => &mut budget.undelivered,
            "crash" => &mut budget.crashes,
            "node-restart" => &mut budget.node_restarts,
            "abort" => &mut budget.aborts,
            "hold-timeout" => &mut budget.hold_timeouts,
            "loss" => &mut budget.losses,
            "idle-move" => &mut budget.idle_moves,
            _ => panic!("{word} is not a word of this table"),
        };
        *field += 1;
    }
    budget
}

/// The sets that must hold.
pub fn correct(large: bool) -> Vec<(Setup, LookFor)> {
    let (lossy, apart, exact) = if large { LARGE } else { SMALL };
    let apart = apart.iter().map(|words| Setup {
        heard_apart: true,
        ..runs(words)
    });
    let exact = exact.iter().map(|words| Setup {
        strictness: EXACT,
        ..runs(words)
    });
    let setups = lossy
        .iter()
        .map(|words| runs(words))
        .chain(apart)
        .chain(exact);
    setups
        .map(|setup| (setup, LookFor::ViolationsAndStuckStates))
        .collect()
}

/// Runs in which values may be lost; in which what was heard is a step of its own; in which nothing may be lost.
type Sets = (
    &'static [&'static str],
    &'static [&'static str],
    &'static [&'static str],
);

/// What is explored in every test run. The largest come first, so that two threads end together.
const SMALL: Sets = (
    &[
        "get set set given-up",
        "get get set eviction idle-move",
        "get set abort hold-timeout eviction",
        "get add delete",
        "get set crash undelivered",
        "get set loss abort hold-timeout",
        "append incr expiry",
        "get set delete-noreply expiry",
        "get delete given-up",
        "get set given-up migration",
        "get incr loss",
        "get set node-restart idle-move",
        "get set delete",
        "gets set cas",
        "set delete loss eviction",
        "incr crash",
        "set abort crash",
    ],
    &["get set"],
    &["get gets expiry", "get incr expiry"],
);

/// The same with more of each, for minutes and gigabytes.
const LARGE: Sets = (
    &[
        "get set abort abort crash",
        "get get delete given-up",
        "get get set set abort hold-timeout",
        "get set set abort abort hold-timeout",
        "get get set set node-restart idle-move",
        "get get set set undelivered",
        "get append incr expiry",
        "get incr crash",
        "get get set loss abort eviction",
        "gets set cas delete",
        "get add delete-noreply eviction",
        "get get set given-up migration eviction",
    ],
    &["get set given-up"],
    &["get get gets incr expiry"],
);

/// The smallest runs in which leaving out `rule` shows.
pub fn broken(rule: Rule) -> (Setup, LookFor) {
    let words = match rule {
        Rule::SourceBeforeTarget => "get get set eviction",
        Rule::HoldBeforeCopy => "get set set",
        Rule::FillUnderLease => "get get delete-noreply",
        Rule::PurgeTargets => "get",
        Rule::SettleBeforeStable => "get get eviction",
        Rule::AbortReturnsToCopy => "get set set abort hold-timeout",
        Rule::AcknowledgeWhenDrained => "get set set",
        Rule::WaitForEndOfStream => "get get set given-up migration eviction",
        Rule::UpdateWhatWasSeen => "get append eviction",
        Rule::LeaseEndsWithItsConnection => "get get set node-restart idle-move",
        Rule::LossInTwoSteps => "get set eviction loss",
        Rule::CopierDeletesOnHit => "get given-up",
        Rule::LostLeaseStartsAgain => "get expiry",
    };
    let setup = Setup {
        rules: Rules::without(rule),
        ..runs(words)
    };
    match rule {
        Rule::CopierDeletesOnHit => (setup, LookFor::ViolationsAndStuckStates),
        Rule::LostLeaseStartsAgain => (
            Setup {
                strictness: EXACT,
                ..setup
            },
            LookFor::Violations,
        ),
        _ => (setup, LookFor::Violations),
    }
}
