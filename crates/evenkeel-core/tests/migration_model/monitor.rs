//! A linearizability monitor that runs along: every history must be that of a register that may lose its value at any
//! moment but never returns an older one.
//!
//! It keeps every configuration that could explain the history so far: what the register holds, and which of the
//! operations under way have taken effect, with what answer. When an operation answers, the configurations in which it
//! cannot have had that answer are dropped; when none is left, the history is not linearizable.

/// A value: the digits, in base 8, of the writes that made it. No two histories of writes make the same one.
pub type Value = u32;

/// How many client operations a run may have.
pub const MAX_OPERATIONS: usize = 6;

/// What a client asks for. The number of the operation tells its value from every other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum What {
    Get,
    Gets,
    Set,
    Delete,
    DeleteQuietly,
    Increment,
    Append,
    Add,
    /// Stores if the value is still the one that a `gets` returned.
    CompareAndSet(Value),
}

/// What a client is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Told {
    Value(Value),
    Nothing,
    Done,
    Exists,
    /// An error that says that nothing was changed.
    NotDone,
    /// An error or a time-out: it may have happened or not, once, at any later time.
    Error,
}

/// What the monitor lets pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Strictness {
    /// Whether the register may lose its value.
    pub may_lose: bool,
    /// Whether a miss of a read must be a real absence.
    pub misses_are_real: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Configuration {
    /// 0 where there is nothing.
    register: Value,
    /// The answer of each operation that has taken effect and has not been told to its client yet.
    taken: [Option<Told>; MAX_OPERATIONS],
}

/// The configurations, and the operations under way.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Monitor {
    configurations: Vec<Configuration>,
    under_way: [Option<What>; MAX_OPERATIONS],
    invoked: u8,
    strictness: Strictness,
}

/// What an operation writes: alone, or behind what was there.
pub fn digit(operation: u8) -> Value {
    Value::from(operation) + 1
}

/// What `register` becomes, and what the client is told. 0 is nothing.
fn apply(what: What, operation: u8, register: Value) -> (Value, Told) {
    let written = digit(operation);
    let there = register != 0;
    match what {
        What::Get | What::Gets if there => (register, Told::Value(register)),
        What::Set | What::DeleteQuietly => {
            (if what == What::Set { written } else { 0 }, Told::Done)
        }
        What::Delete if there => (0, Told::Done),
        What::Increment if there => (register * 8 + written, Told::Value(register * 8 + written)),
        What::Append if there => (register * 8 + written, Told::Done),
        What::Add if there => (register, Told::Exists),
        What::Add => (written, Told::Done),
        What::CompareAndSet(seen) if seen == register => (written, Told::Done),
        What::CompareAndSet(_) if there => (register, Told::Exists),
        _ => (0, Told::Nothing),
    }
}

impl Monitor {
    pub fn new(register: Value, strictness: Strictness) -> Self {
        let configurations = vec![Configuration {
            register,
            taken: [None; MAX_OPERATIONS],
        }];
        Monitor {
            configurations,
            under_way: [None; MAX_OPERATIONS],
            invoked: 0,
            strictness,
        }
    }

    /// A client invokes an operation, which gets the next number.
    pub fn invoke(&mut self, what: What) -> u8 {
        let operation = self.invoked;
        self.under_way[usize::from(operation)] = Some(what);
        self.invoked += 1;
        operation
    }

    /// An operation answers. False if no configuration explains it.
    #[must_use]
    pub fn answer(&mut self, operation: u8, told: Told) -> bool {
        let at = usize::from(operation);
        let what = self.under_way[at].expect("an operation answers once");
        let read = matches!(what, What::Get | What::Gets);
        let unexplained = match told {
            Told::Error if !read => return true,
            Told::Error | Told::NotDone => true,
            Told::Nothing => read && !self.strictness.misses_are_real,
            _ => false,
        };
        let spurious = told == Told::Exists && matches!(what, What::CompareAndSet(_));
        let mut left = Vec::new();
        for configuration in &self.configurations {
            if told == Told::NotDone && !read && configuration.taken[at].is_some() {
                continue;
            }
            if unexplained
                || (spurious && configuration.taken[at].is_none_or(|taken| taken == told))
            {
                left.push(*configuration);
            } else if !spurious {
                self.explain(*configuration, at, told, &mut left);
            }
        }
        self.under_way[at] = None;
        self.configurations = left
            .into_iter()
            .map(|mut configuration| {
                configuration.taken[at] = None;
                configuration
            })
            .collect();
        self.configurations.sort_unstable();
        self.configurations.dedup();
        !self.configurations.is_empty()
    }

    /// Every way on from `from` that ends with the operation at `at` taking effect with the answer `told`.
    fn explain(&self, from: Configuration, at: usize, told: Told, left: &mut Vec<Configuration>) {
        let mut todo = vec![from];
        // A handful: a set would cost more than it saves.
        let mut seen = vec![from];
        while let Some(configuration) = todo.pop() {
            if let Some(taken) = configuration.taken[at] {
                if taken == told {
                    left.push(configuration);
                }
                continue;
            }
            let mut ways = Vec::new();
            if self.strictness.may_lose {
                ways.push(Configuration {
                    register: 0,
                    ..configuration
                });
            }
            for (other, what) in self.under_way.iter().enumerate() {
                let Some(what) = what.filter(|_| configuration.taken[other].is_none()) else {
                    continue;
                };
                let (register, answer) = apply(what, other as u8, configuration.register);
                let mut next = Configuration {
                    register,
                    ..configuration
                };
                next.taken[other] = Some(answer);
                ways.push(next);
            }
            for way in ways {
                if !seen.contains(&way) {
                    seen.push(way);
                    todo.push(way);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOSSY: Strictness = Strictness {
        may_lose: true,
        misses_are_real: false,
    };

    #[test]
    fn an_older_value_after_a_newer_one_is_not_explained() {
        let mut monitor = Monitor::new(7, LOSSY);
        let set = monitor.invoke(What::Set);
        let first = monitor.invoke(What::Get);
        assert!(
            monitor.answer(first, Told::Value(7)),
            "the set is still under way"
        );
        assert!(monitor.answer(set, Told::Done));
        let second = monitor.invoke(What::Get);
        assert!(monitor.answer(second, Told::Nothing), "a cache may forget");
        let third = monitor.invoke(What::Get);
        assert!(!monitor.answer(third, Told::Value(7)), "it may not lie");
    }

    #[test]
    fn a_failed_write_may_happen_at_any_later_time_but_once() {
        let mut monitor = Monitor::new(7, LOSSY);
        let failed = monitor.invoke(What::Set);
        assert!(monitor.answer(failed, Told::Error));
        for (value, explained) in [(7, true), (1, true), (7, false)] {
            let read = monitor.invoke(What::Get);
            assert_eq!(
                monitor.answer(read, Told::Value(value)),
                explained,
                "{value}"
            );
        }
    }

    #[test]
    fn an_update_that_found_nothing_saw_a_real_absence() {
        let mut monitor = Monitor::new(7, LOSSY);
        let increment = monitor.invoke(What::Increment);
        assert!(monitor.answer(increment, Told::Nothing));
        let read = monitor.invoke(What::Get);
        assert!(!monitor.answer(read, Told::Value(7)));
    }
}
