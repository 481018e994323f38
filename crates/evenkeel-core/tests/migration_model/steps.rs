//! One step of everything, and what it does to clients' operations.

use std::collections::BTreeMap;

use evenkeel_core::migration::member::Serve;
use evenkeel_core::migration::operation::{
    Answer, Command, Event, Kind, Lease, Next, Operation, Outcome, Side, Source, Step,
};
use evenkeel_core::migration::{Member, Rule};

use crate::kinds::{kind_of, over, told_of};
use crate::labels::{label, label_of};
use crate::monitor::{Told, Value, What};
use crate::node::{Reply, Wire};
use crate::world::{CLIENT, COPIER, Late, Pending, SERVERS, Setup, Task, World};

/// How often each kind of step was taken.
pub type Counts = BTreeMap<&'static str, u64>;

/// What every step needs: the rules in force, and where it is counted.
pub struct Run<'a> {
    pub setup: &'a Setup,
    pub counts: Counts,
}

impl Run<'_> {
    pub fn count(&mut self, label: &'static str) {
        *self.counts.entry(label).or_default() += 1;
    }
}

/// One step. A proxy or a node is named by its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    Invoke {
        proxy: usize,
        what: What,
    },
    Move {
        proxy: usize,
    },
    /// The node executes a command under way; a token that it creates is this one.
    Execute {
        proxy: usize,
        task: usize,
        token: u64,
    },
    Hear {
        proxy: usize,
        task: usize,
    },
    WaitOver {
        proxy: usize,
        task: usize,
        patient: bool,
    },
    GiveUp {
        proxy: usize,
        task: usize,
    },
    Undelivered {
        proxy: usize,
        task: usize,
    },
    ExecuteLate {
        late: usize,
        token: u64,
    },
    DropLate {
        late: usize,
    },
    Learn {
        proxy: usize,
    },
    Crash {
        proxy: usize,
    },
    Restart {
        proxy: usize,
    },
    RestartNode {
        node: usize,
    },
    Evict {
        node: usize,
    },
    Expire {
        node: usize,
    },
    Start,
    Abort,
    Lose,
    Decide,
    HoldTimeout,
    LeaderSend,
    LeaderExecute,
    LeaderHear,
}

/// An answer that nothing explains.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Violation;

pub type Done = Result<(), Violation>;

impl World {
    /// Takes one step.
    pub fn apply(&mut self, action: Action, run: &mut Run<'_>) -> Done {
        match action {
            Action::Invoke { proxy, what } => self.invoke(proxy, what, run)?,
            Action::Move { proxy } => self.start_move(proxy, run)?,
            Action::Execute { proxy, task, token } => {
                self.execute(proxy, task, token, run);
                if !run.setup.heard_apart {
                    self.hear(proxy, task, run)?;
                }
            }
            Action::Hear { proxy, task } => self.hear(proxy, task, run)?,
            Action::WaitOver {
                proxy,
                task,
                patient,
            } => {
                let mut state = self.take(proxy, task);
                run.count(if patient {
                    "wait: look again"
                } else {
                    "wait: take away"
                });
                let step = state
                    .machine
                    .as_mut()
                    .map(|machine| machine.step(Event::WaitOver { patient }));
                self.follow(proxy, task, state, step.unwrap_or_else(over), 0, run)?;
            }
            Action::GiveUp { proxy, task } => self.give_up(proxy, task, run)?,
            Action::Undelivered { proxy, task } => {
                run.count("undelivered");
                self.budget.undelivered -= 1;
                let state = self.take(proxy, task);
                self.told(proxy, task, state, Answer::NotSent, run)?;
            }
            Action::ExecuteLate { late, token } => self.execute_late(late, token, run),
            Action::DropLate { late } => {
                let late = self.late.remove(late);
                run.count("late: lost");
                self.end_late(&late);
            }
            Action::Learn { proxy } => {
                run.count("learn");
                self.proxies[proxy].member.learn(self.record.clone(), 0);
            }
            Action::Crash { proxy } => self.crash(proxy, run)?,
            Action::Restart { proxy } => {
                run.count("restart");
                let state = &mut self.proxies[proxy];
                state.up = true;
                state.member = Member::restarted(self.record.clone(), run.setup.rules);
            }
            Action::RestartNode { node } => self.restart_node(node, run),
            Action::Evict { node } => {
                run.count("evict");
                self.budget.evictions -= 1;
                self.nodes[node].item = None;
            }
            Action::Expire { node } => {
                run.count("lease expires");
                self.budget.expiries -= 1;
                self.nodes[node].item = None;
            }
            _ => self.lead(action, run),
        }
        self.acknowledge();
        self.normalize();
        Ok(())
    }

    pub fn invoke(&mut self, proxy: usize, what: What, run: &mut Run<'_>) -> Done {
        run.count(label_of(what));
        let left = self.budget_of(what);
        *left -= 1;
        let operation = self.monitor.invoke(what);
        let state = &mut self.proxies[proxy];
        let record = state.member.record().clone();
        let source = usize::from(record.current);
        let serve = state.member.serve(SERVERS[source]);
        let ticket = state.member.begin();
        let token = state.token;
        let mut task = Task {
            client: Some((what, operation)),
            source,
            target: source,
            machine: None,
            ticket,
            pending: Pending::Waiting,
            heard: None,
        };
        match (serve, &record.migration) {
            (Serve::Operate(source), Some(migration)) => {
                task.target = usize::from(migration.to);
                let known = token
                    .filter(|(_, of, _)| *of == task.target)
                    .map(|(_, _, lease)| lease.token);
                let mut machine = Operation::new(kind_of(what, known), source, run.setup.rules);
                let step = machine.step(Event::Start { target_up: true });
                task.machine = Some(machine);
                self.follow(proxy, CLIENT, task, step, 0, run)
            }
            _ => {
                let token = token
                    .filter(|(_, of, _)| *of == source && matches!(what, What::CompareAndSet(_)));
                let wire = Wire::Plain(token.map(|(_, _, lease)| lease.token));
                task.pending = Pending::Sent(source, wire);
                self.proxies[proxy].tasks[CLIENT] = Some(task);
                Ok(())
            }
        }
    }

    pub fn start_move(&mut self, proxy: usize, run: &mut Run<'_>) -> Done {
        run.count("copier starts");
        let state = &mut self.proxies[proxy];
        let record = state.member.record().clone();
        let source = usize::from(record.current);
        if self.nodes[source].item.is_none() {
            self.budget.idle_moves -= 1;
        }
        let target = record
            .migration
            .as_ref()
            .map_or(source, |migration| usize::from(migration.to));
        let ticket = state.member.begin();
        let mut machine = Operation::new(Kind::Move, Source::Live, run.setup.rules);
        let step = machine.step(Event::Start { target_up: true });
        let task = Task {
            client: None,
            source,
            target,
            machine: Some(machine),
            ticket,
            pending: Pending::Waiting,
            heard: None,
        };
        self.follow(proxy, COPIER, task, step, 0, run)
    }

    pub fn execute(&mut self, proxy: usize, task: usize, token: u64, run: &mut Run<'_>) {
        let mut state = self.take(proxy, task);
        if let Pending::Sent(node, wire) = &state.pending {
            let reply = self.nodes[*node].execute(wire, state.client, token, run.setup.rules);
            run.count(label(wire, &reply));
            state.pending = Pending::Executed(*node, reply);
        }
        self.proxies[proxy].tasks[task] = Some(state);
    }

    pub fn hear(&mut self, proxy: usize, task: usize, run: &mut Run<'_>) -> Done {
        let mut state = self.take(proxy, task);
        let Pending::Executed(node, reply) =
            std::mem::replace(&mut state.pending, Pending::Waiting)
        else {
            unreachable!("only what was executed is heard")
        };
        match reply {
            Reply::Plain(told, lease) => {
                if let (Told::Value(value), Some(lease), Some((What::Gets, _))) =
                    (told, lease, state.client)
                {
                    self.proxies[proxy].token = Some((value, node, lease));
                }
                self.proxies[proxy].member.end(state.ticket);
                self.tell(&state, told)
            }
            Reply::Meta(answer, stored) => {
                if let (Answer::Value(_, lease) | Answer::Won(lease) | Answer::Held(lease), true) =
                    (&answer, node == state.target)
                {
                    state.heard = Some(*lease);
                }
                let step = state
                    .machine
                    .as_mut()
                    .map(|machine| machine.step(Event::Answer(answer)));
                self.follow(proxy, task, state, step.unwrap_or_else(over), stored, run)
            }
        }
    }

    /// The sender is told that its command was not answered, or not even sent.
    pub fn told(
        &mut self,
        proxy: usize,
        task: usize,
        mut state: Task,
        answer: Answer<Value>,
        run: &mut Run<'_>,
    ) -> Done {
        match state
            .machine
            .as_mut()
            .map(|machine| machine.step(Event::Answer(answer.clone())))
        {
            Some(step) => self.follow(proxy, task, state, step, 0, run),
            None => {
                self.proxies[proxy].member.end(state.ticket);
                self.tell(
                    &state,
                    if answer == Answer::NotSent {
                        Told::NotDone
                    } else {
                        Told::Error
                    },
                )
            }
        }
    }

    pub fn give_up(&mut self, proxy: usize, task: usize, run: &mut Run<'_>) -> Done {
        run.count("given up");
        self.budget.given_up -= 1;
        let state = self.take(proxy, task);
        if let Pending::Sent(node, wire) = &state.pending {
            let mut late = Late {
                node: *node,
                wire: wire.clone(),
                client: state.client,
                proxy,
                ticket: None,
                former: false,
            };
            if late.must_end() {
                late.ticket = self.proxies[proxy].member.give_up(state.ticket);
            }
            self.late.push(late);
        }
        self.told(proxy, task, state, Answer::NoAnswer, run)
    }

    /// Does what an operation's step says.
    pub fn follow(
        &mut self,
        proxy: usize,
        at: usize,
        mut task: Task,
        mut step: Step<Value>,
        stored: Value,
        run: &mut Run<'_>,
    ) -> Done {
        loop {
            if let (Some(outcome), Some((what, _))) = (step.answer, task.client) {
                if let (What::Gets, Outcome::Value(value, Some(_)), Some(lease)) =
                    (what, &outcome, task.heard)
                {
                    self.proxies[proxy].token = Some((*value, task.target, lease));
                }
                self.tell(&task, told_of(what, outcome, stored))?;
            }
            match step.next {
                Next::Over => {
                    self.proxies[proxy].member.end(task.ticket);
                    return Ok(());
                }
                Next::Wait => task.pending = Pending::Waiting,
                Next::Send { to, command } => {
                    let node = if to == Side::Source {
                        task.source
                    } else {
                        task.target
                    };
                    let life = u64::from(self.nodes[node].life);
                    let bound = run.setup.rules.keeps(Rule::LeaseEndsWithItsConnection);
                    if bound
                        && command
                            .lease()
                            .is_some_and(|lease: Lease| lease.connection != life)
                    {
                        run.count("lease gone with its connection");
                        let machine = task.machine.as_mut();
                        step = machine
                            .map(|machine| machine.step(Event::Answer(Answer::NotSent)))
                            .unwrap_or_else(over);
                        continue;
                    }
                    if to == Side::Target && matches!(command, Command::LookOrLease | Command::Look)
                    {
                        task.heard = None;
                    }
                    task.pending = Pending::Sent(node, Wire::Meta(command));
                }
            }
            self.proxies[proxy].tasks[at] = Some(task);
            return Ok(());
        }
    }

    pub fn tell(&mut self, task: &Task, told: Told) -> Done {
        let Some((_, operation)) = task.client else {
            return Ok(());
        };
        if self.monitor.answer(operation, told) {
            Ok(())
        } else {
            Err(Violation)
        }
    }

    pub fn take(&mut self, proxy: usize, task: usize) -> Task {
        self.proxies[proxy].tasks[task]
            .take()
            .expect("the task is under way")
    }

    pub fn budget_of(&mut self, what: What) -> &mut u8 {
        let budget = &mut self.budget;
        match what {
            What::Get => &mut budget.gets,
            What::Gets => &mut budget.tokens,
            What::Set => &mut budget.sets,
            What::Delete => &mut budget.deletes,
            What::DeleteQuietly => &mut budget.quiet_deletes,
            What::Increment => &mut budget.increments,
            What::Append => &mut budget.appends,
            What::Add => &mut budget.adds,
            What::CompareAndSet(_) => &mut budget.compares,
        }
    }
}
