//! Histories of one key, and whether a register that may forget, but never lies, explains them.

use std::collections::BTreeSet;
use std::rc::Rc;

/// More explanations than this, and a key is left undecided.
const MAX_CONFIGURATIONS: usize = 20_000;

/// What a client asked for. Values are unique; a counter's begin at unique numbers.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Asked {
    Get,
    Touch,
    Set(String),
    Add(String),
    Replace(String),
    Append(String),
    /// Stores if the first is still the value.
    CompareAndSet(String, String),
    Increment,
    Delete,
}

/// What it was told.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Told {
    Value(String),
    Done,
    Nothing,
    Exists,
    /// An error: it may have happened or not, once, at any later time.
    Error,
}

/// One operation. Times are places in one order of all invocations and answers.
#[derive(Debug, Clone)]
pub struct Operation {
    pub key: usize,
    pub asked: Asked,
    pub told: Told,
    pub invoked: u64,
    pub answered: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Configuration {
    register: Option<Rc<str>>,
    /// Operations that have taken effect and are still under way, with their answers.
    taken: BTreeSet<(usize, Told)>,
}

/// What a check found.
#[derive(Debug, PartialEq, Eq)]
pub enum Verdict {
    Explained,
    /// Nothing explains the answer of the operation at this place.
    Violated(usize),
    /// There were too many possible explanations to follow.
    Undecided,
}

/// A value that nobody was ever told.
const UNSEEN: &str = "?";

/// The write by which a failed operation would show, if anybody was told of it.
fn mark(asked: &Asked) -> Option<&str> {
    match asked {
        Asked::Set(value) | Asked::Add(value) | Asked::Replace(value) | Asked::Append(value) => {
            Some(value)
        }
        Asked::CompareAndSet(_, value) => Some(value),
        Asked::Get | Asked::Touch | Asked::Increment | Asked::Delete => None,
    }
}

/// Failed writes of which nobody was told any more: from the first of them on, the register may hold something unseen.
/// To follow each of them apart would double the configurations each time.
fn unseen_since(operations: &[Operation]) -> (u64, BTreeSet<usize>) {
    let told: Vec<&str> = operations
        .iter()
        .filter_map(|operation| match &operation.told {
            Told::Value(value) => Some(value.as_str()),
            _ => None,
        })
        .collect();
    let failed = |operation: &Operation| operation.told == Told::Error;
    let unseen: BTreeSet<usize> = (0..operations.len())
        .filter(|at| failed(&operations[*at]))
        .filter(|at| {
            let counts = |value: &str| value.parse::<u64>().map(|number| number / 100_000);
            mark(&operations[*at].asked).is_some_and(|mark| match counts(mark) {
                Ok(counter) => !told.iter().any(|value| counts(value) == Ok(counter)),
                Err(_) => !told.iter().any(|value| value.contains(mark)),
            })
        })
        .collect();
    let since = unseen
        .iter()
        .map(|at| operations[*at].invoked)
        .min()
        .unwrap_or(u64::MAX);
    (since, unseen)
}

/// Checks the operations of one key, which held nothing before.
pub fn check(operations: &[Operation]) -> Verdict {
    let mut events: Vec<(u64, usize, bool)> = Vec::new();
    let (unseen_since, unseen) = unseen_since(operations);
    for (at, operation) in operations.iter().enumerate() {
        if unseen.contains(&at) {
            continue;
        }
        // A miss of a read is always explained, and an operation without an effect that failed is no constraint.
        let reads = operation.asked == Asked::Get;
        if reads && matches!(operation.told, Told::Nothing | Told::Error) {
            continue;
        }
        // A deletion that may have happened is a loss, and losses need no deletion.
        if operation.told == Told::Error && matches!(operation.asked, Asked::Delete | Asked::Touch)
        {
            continue;
        }
        events.push((operation.invoked, at, true));
        if operation.told != Told::Error {
            events.push((operation.answered, at, false));
        }
    }
    events.sort_unstable();
    let mut under_way: Vec<usize> = Vec::new();
    let mut configurations = BTreeSet::from([Configuration {
        register: None,
        taken: BTreeSet::new(),
    }]);
    for (_, at, invoked) in events {
        if invoked {
            under_way.push(at);
            continue;
        }
        let unseen = operations[at].answered > unseen_since;
        configurations = answer(operations, &under_way, at, &configurations, unseen);
        under_way.retain(|other| *other != at);
        match configurations.len() {
            0 => return Verdict::Violated(at),
            1..=MAX_CONFIGURATIONS => {}
            _ => return Verdict::Undecided,
        }
    }
    Verdict::Explained
}

/// The configurations in which the operation at `at` has the answer that it was given.
fn answer(
    operations: &[Operation],
    under_way: &[usize],
    at: usize,
    configurations: &BTreeSet<Configuration>,
    unseen: bool,
) -> BTreeSet<Configuration> {
    let told = &operations[at].told;
    // A failed `cas` may be spurious: a key that was moved has another token.
    let spurious =
        *told == Told::Exists && matches!(operations[at].asked, Asked::CompareAndSet(..));
    let mut left = BTreeSet::new();
    let mut seen: BTreeSet<Configuration> = configurations.clone();
    let mut todo: Vec<Configuration> = configurations.iter().cloned().collect();
    while let Some(configuration) = todo.pop() {
        if seen.len() > MAX_CONFIGURATIONS * 4 {
            return seen;
        }
        if let Some((_, taken)) = configuration.taken.iter().find(|(other, _)| *other == at) {
            if taken == told {
                let mut explained = configuration.clone();
                explained.taken.retain(|(other, _)| *other != at);
                left.insert(explained);
            }
            continue;
        }
        if spurious {
            left.insert(configuration.clone());
            continue;
        }
        let mut ways = vec![Configuration {
            register: None,
            ..configuration.clone()
        }];
        if unseen {
            ways.push(Configuration {
                register: Some(Rc::from(UNSEEN)),
                ..configuration.clone()
            });
        }
        for other in under_way {
            if configuration.taken.iter().any(|(taken, _)| taken == other) {
                continue;
            }
            let (register, told) =
                apply(&operations[*other].asked, configuration.register.as_deref());
            // What does not fit its own answer will never be told.
            let fits = operations[*other].told == Told::Error || operations[*other].told == told;
            if fits {
                let mut next = Configuration {
                    register,
                    taken: configuration.taken.clone(),
                };
                let failed = operations[*other].told == Told::Error;
                next.taken
                    .insert((*other, if failed { Told::Error } else { told }));
                ways.push(next);
            }
        }
        todo.extend(ways.into_iter().filter(|way| seen.insert(way.clone())));
    }
    left
}

fn apply(asked: &Asked, register: Option<&str>) -> (Option<Rc<str>>, Told) {
    let same = || register.map(Rc::from);
    match (asked, register) {
        (Asked::Get | Asked::Touch, Some(value)) => (same(), Told::Value(value.to_owned())),
        (Asked::Set(value) | Asked::Replace(value), Some(_)) => {
            (Some(Rc::from(value.as_str())), Told::Done)
        }
        (Asked::Set(value) | Asked::Add(value), None) => {
            (Some(Rc::from(value.as_str())), Told::Done)
        }
        (Asked::Add(_), Some(_)) => (same(), Told::Exists),
        (Asked::Append(_), Some(UNSEEN)) => (same(), Told::Done),
        (Asked::Append(more), Some(value)) => {
            (Some(Rc::from(format!("{value}{more}"))), Told::Done)
        }
        (Asked::CompareAndSet(seen, value), Some(there)) if there == seen => {
            (Some(Rc::from(value.as_str())), Told::Done)
        }
        (Asked::CompareAndSet(..), Some(_)) => (same(), Told::Exists),
        (Asked::Increment, Some(value)) => match value.parse::<u64>() {
            Ok(number) => {
                let next = (number + 1).to_string();
                (Some(Rc::from(next.as_str())), Told::Value(next))
            }
            Err(_) => (same(), Told::Error),
        },
        (Asked::Delete, Some(_)) => (None, Told::Done),
        (_, None) => (None, Told::Nothing),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn history(operations: &[(Asked, Told, u64, u64)]) -> Vec<Operation> {
        let operation = |(asked, told, invoked, answered): &(Asked, Told, u64, u64)| Operation {
            key: 0,
            asked: asked.clone(),
            told: told.clone(),
            invoked: *invoked,
            answered: *answered,
        };
        operations.iter().map(operation).collect()
    }

    fn set(value: &str) -> Asked {
        Asked::Set(value.to_owned())
    }

    fn read(value: &str) -> Told {
        Told::Value(value.to_owned())
    }

    #[test]
    fn an_older_value_after_a_newer_one_is_a_violation() {
        let stale = [
            (set("a"), Told::Done, 1, 2),
            (set("b"), Told::Done, 3, 4),
            (Asked::Get, Told::Nothing, 5, 6),
            (Asked::Get, read("a"), 7, 8),
        ];
        assert_eq!(check(&history(&stale)), Verdict::Violated(3));
        assert_eq!(check(&history(&stale[..3])), Verdict::Explained);
    }

    #[test]
    fn a_write_without_an_answer_happens_once_at_any_later_time() {
        let late = [
            (set("a"), Told::Error, 1, 2),
            (set("b"), Told::Done, 3, 4),
            (Asked::Get, read("b"), 5, 6),
            (Asked::Get, read("a"), 7, 8),
        ];
        assert_eq!(check(&history(&late)), Verdict::Explained);
        let twice = [
            late.as_slice(),
            &[
                (set("c"), Told::Done, 9, 10),
                (Asked::Get, read("a"), 11, 12),
            ],
        ]
        .concat();
        assert_eq!(check(&history(&twice)), Verdict::Violated(5));
    }

    #[test]
    fn a_lost_increment_is_a_violation() {
        let lost = [
            (set("10"), Told::Done, 1, 2),
            (Asked::Increment, read("11"), 3, 4),
            (Asked::Increment, read("11"), 5, 6),
        ];
        assert_eq!(check(&history(&lost)), Verdict::Violated(2));
    }
}
