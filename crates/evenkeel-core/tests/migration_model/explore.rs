//! Visits every state that can be reached, breadth first, so that a counterexample is a shortest one.

use std::collections::HashMap;
use std::fmt::Write;
use std::hash::{BuildHasherDefault, Hasher};

use crate::steps::{Action, Counts, Run};
use crate::world::{Setup, World};

/// More states than this are not one test's business.
const MAX_STATES: usize = 40_000_000;

/// What was found.
pub struct Explored {
    pub states: usize,
    pub steps: usize,
    pub counts: Counts,
    /// How to a violation, if there is one.
    pub violation: Option<String>,
    /// How to a state from which the migration cannot end without an eviction, if there is one. Looked for only where
    /// it was asked for.
    pub stuck: Option<String>,
}

/// What to look for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LookFor {
    /// Answers that nothing explains.
    Violations,
    /// Those, and states from which the migration cannot end.
    ViolationsAndStuckStates,
}

#[derive(Default)]
struct AsIs(u64);

impl Hasher for AsIs {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, _: &[u8]) {
        unreachable!("only fingerprints are hashed")
    }
    fn write_u64(&mut self, value: u64) {
        self.0 = value;
    }
}

struct Search<'a> {
    run: Run<'a>,
    known: HashMap<u64, u32, BuildHasherDefault<AsIs>>,
    /// How each state was reached first.
    from: Vec<(u32, Action)>,
    /// Steps that are not evictions, as pairs of states.
    edges: Vec<(u32, u32)>,
    ended: Vec<u32>,
    steps: usize,
}

/// Explores everything that `setup` allows, until the first violation.
pub fn explore(setup: &Setup, look_for: LookFor) -> Explored {
    let mut start = World::new(setup);
    start.normalize();
    let mut search = Search {
        run: Run {
            setup,
            counts: Counts::new(),
        },
        known: HashMap::default(),
        from: vec![(0, Action::Decide)],
        edges: Vec::new(),
        ended: Vec::new(),
        steps: 0,
    };
    search.known.insert(start.fingerprint(), 0);
    let violation = search.visit(start, look_for == LookFor::ViolationsAndStuckStates);
    let stuck = match (&violation, look_for) {
        (None, LookFor::ViolationsAndStuckStates) => {
            search.stuck().map(|state| search.story(state, None))
        }
        _ => None,
    };
    Explored {
        states: search.from.len(),
        steps: search.steps,
        counts: search.run.counts,
        violation,
        stuck,
    }
}

impl Search<'_> {
    fn visit(&mut self, start: World, keep_edges: bool) -> Option<String> {
        let mut level = vec![(0, start)];
        while !level.is_empty() {
            let mut next_level = Vec::new();
            for (state, world) in level {
                if world.is_done() && keep_edges {
                    self.ended.push(state);
                }
                for action in world.actions(self.run.setup) {
                    let mut next = world.clone();
                    self.steps += 1;
                    if next.apply(action, &mut self.run).is_err() {
                        return Some(self.story(state, Some(action)));
                    }
                    let number = self.from.len() as u32;
                    let known = *self.known.entry(next.fingerprint()).or_insert(number);
                    if known == number {
                        self.from.push((state, action));
                        next_level.push((number, next));
                    }
                    if keep_edges && !matches!(action, Action::Evict { .. }) {
                        self.edges.push((state, known));
                    }
                }
            }
            assert!(
                self.from.len() < MAX_STATES,
                "{}: too many states",
                self.run.setup.name
            );
            level = next_level;
        }
        None
    }

    /// The first state from which no way without an eviction leads to the end of the migration.
    fn stuck(&mut self) -> Option<u32> {
        let mut can_end = vec![false; self.from.len()];
        self.edges.sort_unstable_by_key(|(_, to)| *to);
        let mut todo = self.ended.clone();
        todo.iter()
            .for_each(|state| can_end[*state as usize] = true);
        while let Some(state) = todo.pop() {
            let first = self.edges.partition_point(|(_, to)| *to < state);
            for (from, _) in self.edges[first..]
                .iter()
                .take_while(|(_, to)| *to == state)
            {
                if !std::mem::replace(&mut can_end[*from as usize], true) {
                    todo.push(*from);
                }
            }
        }
        can_end
            .iter()
            .position(|can| !can)
            .map(|state| state as u32)
    }

    /// The steps to a state, and one more.
    fn story(&self, state: u32, last: Option<Action>) -> String {
        let mut actions: Vec<Action> = last.into_iter().collect();
        let mut at = state;
        while at != 0 {
            actions.push(self.from[at as usize].1);
            at = self.from[at as usize].0;
        }
        let mut story = format!("{}:\n", self.run.setup.name);
        let mut world = World::new(self.run.setup);
        world.normalize();
        for action in actions.iter().rev() {
            let mut taken = Run {
                setup: self.run.setup,
                counts: Counts::new(),
            };
            let done = world.apply(*action, &mut taken);
            let labels: Vec<&str> = taken.counts.into_keys().collect();
            let _ = writeln!(
                story,
                "  {action:?} [{}] {:?} {:?} {:?}{}",
                labels.join(", "),
                world.phase(),
                world.nodes[0].item,
                world.nodes[1].item,
                if done.is_err() {
                    " <- nothing explains this answer"
                } else {
                    ""
                },
            );
        }
        story
    }
}
