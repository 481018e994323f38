//! Requests without a key: answered here, refused, or sent to every node.

use super::engine::Engine;
use super::link::State;
use super::pending::{Form, Owner, Pending};
use super::replies::Ending;
use super::work::{Flow, Turn};
use crate::VERSION;
use crate::embedded::DIALECT_VERSION;
use evenkeel_wire::memcached::{Command, Expect, Kind, answers};

impl Engine {
    pub(super) fn local(
        &mut self,
        turn: &mut Turn<'_>,
        kind: Kind,
        command: &Command,
        bytes: &[u8],
    ) -> Flow {
        let replies = &mut turn.busy.replies;
        match kind {
            // Clients read the dialect's version from it and decide on features, so it comes first.
            Kind::Version => replies.push_answer(
                format!("VERSION {DIALECT_VERSION}-evenkeel-{VERSION}\r\n").as_bytes(),
            ),
            Kind::Quit => return Flow::Close,
            Kind::MetaNoop => replies.push_answer(b"MN\r\n"),
            Kind::Verbosity if command.quiet => {}
            Kind::Verbosity => replies.push_answer(b"OK\r\n"),
            Kind::Stats => {
                let text = self.stats(command.args.of(bytes).trim_ascii());
                replies.push_answer(&text);
            }
            Kind::FlushAll => self.flush_all(turn, command, bytes),
            Kind::Admin => replies.push_answer(
                b"CLIENT_ERROR this command is for a single server: send it to the node itself\r\n",
            ),
            _ => replies.push_answer(answers::ERROR),
        }
        Flow::Done
    }

    /// `flush_all` goes to every node of the pool, if it is allowed at all.
    fn flush_all(&mut self, turn: &mut Turn<'_>, command: &Command, bytes: &[u8]) {
        if !self.snapshot.settings.allow_flush {
            let text = format!(
                "SERVER_ERROR flush_all would empty all {} nodes of the pool; set allow_flush = true to allow it\r\n",
                self.owners.len()
            );
            if !command.quiet {
                turn.busy.replies.push_answer(text.as_bytes());
            }
            return;
        }
        if self.is_moving() {
            if !command.quiet {
                let text = b"SERVER_ERROR flush_all is not served while keys are being moved\r\n";
                turn.busy.replies.push_answer(text);
            }
            return;
        }
        let ending = if command.quiet {
            Ending::Silent
        } else {
            Ending::Ok
        };
        let owners = self.owners.clone();
        let seq = turn.busy.replies.push(owners.len() as u32, ending);
        for node in owners {
            self.flush_node(turn, node, seq, command, bytes);
        }
    }

    fn flush_node(
        &mut self,
        turn: &mut Turn<'_>,
        node: usize,
        seq: u32,
        command: &Command,
        bytes: &[u8],
    ) {
        let deadline = self.deadline();
        let id = self.link_for(node, turn.id);
        let down = self.down(node);
        let link = id
            .and_then(|id| self.links.get_mut(id))
            .filter(|link| link.takes());
        let (Some(id), Some(link)) = (id, link) else {
            turn.busy.replies.fail(seq, &down);
            turn.busy.replies.part_done(seq, &mut self.stashes);
            return;
        };
        link.out.push(b"flush_all");
        if !command.exptime.is_empty() {
            link.out.push(b" ");
            link.out.push(command.exptime.of(bytes));
        }
        link.out.push(b"\r\n");
        link.wait_for(Pending {
            owner: Owner::Client {
                id: turn.id as u32,
                generation: turn.generation,
                seq,
            },
            expect: Expect::Ok,
            form: Form::Errors,
            reads: false,
            keys: 0,
            moved: false,
            deadline,
        });
        self.touch_link(id);
    }

    fn stats(&self, words: &[u8]) -> Vec<u8> {
        let mut out = Vec::new();
        match words {
            b"" => self.own_stats(&mut out),
            b"nodes" => self.node_stats(&mut out),
            b"reset" => return b"RESET\r\n".to_vec(),
            // These are about one server's memory; there is nothing to list here.
            b"items" | b"slabs" | b"sizes" | b"conns" | b"settings" | b"extstore" | b"proxy" => {}
            _ => return answers::ERROR.to_vec(),
        }
        out.extend_from_slice(b"END\r\n");
        out
    }

    fn own_stats(&self, out: &mut Vec<u8>) {
        let mut stat = |name: &str, value: &dyn std::fmt::Display| {
            out.extend_from_slice(format!("STAT {name} {value}\r\n").as_bytes());
        };
        stat("pid", &std::process::id());
        stat("uptime", &(self.now / 1000));
        stat("version", &format!("{DIALECT_VERSION}-evenkeel-{VERSION}"));
        stat("pool", &self.snapshot.pool);
        stat("nodes", &self.owners.len());
        stat("workers", &self.snapshot.settings.workers);
        for (name, value) in self.counters.list() {
            stat(name, &value);
        }
    }

    fn node_stats(&self, out: &mut Vec<u8>) {
        for node in self.nodes.iter().filter(|node| !node.retired) {
            let links = || node.links.iter().filter_map(|id| self.links.get(*id));
            let up = links().filter(|link| link.state == State::Up).count();
            let waiting: usize = links().map(|link| link.waiting.len()).sum();
            let name = &node.name;
            let text = format!(
                "STAT {name}:address {}\r\nSTAT {name}:state {}\r\nSTAT {name}:in_flight {waiting}\r\n",
                node.address,
                if up > 0 { "up" } else { "down" },
            );
            out.extend_from_slice(text.as_bytes());
            if up == 0 && !node.trouble.is_empty() {
                let trouble = &node.trouble;
                out.extend_from_slice(format!("STAT {name}:trouble {trouble}\r\n").as_bytes());
            }
        }
    }
}
