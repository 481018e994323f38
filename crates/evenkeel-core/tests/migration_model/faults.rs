//! What goes wrong: late commands, crashes, restarts.

use evenkeel_core::migration::operation::{Answer, Operation};

use crate::monitor::Told;
use crate::node::Reply;
use crate::steps::{Done, Run};
use crate::world::{Late, Leader, Pending, World};

impl World {
    pub fn execute_late(&mut self, late: usize, token: u64, run: &mut Run<'_>) {
        let late = self.late.remove(late);
        run.count("late: executed");
        let _unheard =
            self.nodes[late.node].execute(&late.wire, late.client, token, run.setup.rules);
        self.end_late(&late);
    }

    /// The connection of a late command has ended.
    pub fn end_late(&mut self, late: &Late) {
        if let Some(ticket) = late.ticket {
            self.proxies[late.proxy].member.end(ticket);
        }
    }

    /// A proxy crashes, and the leader with it.
    pub fn crash(&mut self, proxy: usize, run: &mut Run<'_>) -> Done {
        run.count("crash");
        self.budget.crashes -= 1;
        self.leader = Leader::default();
        self.proxies[proxy].up = false;
        self.proxies[proxy].token = None;
        for late in self.late.iter_mut().filter(|late| late.proxy == proxy) {
            late.former = true;
            late.ticket = None;
        }
        for task in 0..2 {
            let Some(state) = self.proxies[proxy].tasks[task].take() else {
                continue;
            };
            if !state.machine.as_ref().is_some_and(Operation::is_answered) {
                self.tell(&state, Told::Error)?;
            }
            if let Pending::Sent(node, wire) = state.pending {
                self.late.push(Late {
                    node,
                    wire,
                    client: state.client,
                    proxy,
                    ticket: None,
                    former: true,
                });
            }
        }
        Ok(())
    }

    /// A server restarts empty. What was on its way to it is gone with its connections.
    pub fn restart_node(&mut self, node: usize, run: &mut Run<'_>) {
        run.count("node restarts");
        self.budget.node_restarts -= 1;
        self.nodes[node].item = None;
        self.nodes[node].life += 1;
        let (gone, left): (Vec<Late>, Vec<Late>) = std::mem::take(&mut self.late)
            .into_iter()
            .partition(|late| late.node == node);
        self.late = left;
        gone.iter().for_each(|late| self.end_late(late));
        for task in self
            .proxies
            .iter_mut()
            .flat_map(|proxy| proxy.tasks.iter_mut().flatten())
        {
            if matches!(&task.pending, Pending::Sent(to, _) if *to == node) {
                let reply = match task.machine {
                    Some(_) => Reply::Meta(Answer::NoAnswer, 0),
                    None => Reply::Plain(Told::Error, None),
                };
                task.pending = Pending::Executed(node, reply);
            }
        }
    }
}
