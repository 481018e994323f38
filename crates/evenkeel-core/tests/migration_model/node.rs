//! A memcached server with one key: a value or a placeholder, under a token of its counter.

use evenkeel_core::migration::operation::{Answer, Command, Lease, Seen};
use evenkeel_core::migration::{Rule, Rules};

use crate::monitor::{Told, Value, What, digit};

/// What a server holds. Lives are numbered, since a restarted server counts its tokens from 1 again.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Node {
    pub item: Option<Item>,
    pub life: u8,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Item {
    pub token: u64,
    /// `None` is a placeholder.
    pub value: Option<Value>,
}

/// A command on its way to a server.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Wire {
    /// The client's command as it came, as in stable. The token of a `cas`.
    Plain(Option<u64>),
    /// An operation's command.
    Meta(Command<Value>),
}

/// What a server made of a command.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Reply {
    Plain(Told, Option<Lease>),
    /// With the value that was stored by an update.
    Meta(Answer<Value>, Value),
}

/// Whose command it is: what the client asked for, and the number of its operation. The copier has none.
pub type Client = Option<(What, u8)>;

impl Node {
    /// Executes a command; `fresh` is the token that the counter gives next.
    pub fn execute(&mut self, wire: &Wire, client: Client, fresh: u64, rules: Rules) -> Reply {
        match (wire, client) {
            (Wire::Plain(token), Some((what, operation))) => {
                self.plain(what, operation, *token, fresh)
            }
            (Wire::Meta(command), client) => {
                let mut stored = 0;
                let answer = self.meta(command, client, fresh, rules, &mut stored);
                Reply::Meta(answer, stored)
            }
            (Wire::Plain(_), None) => unreachable!("only clients send plain commands"),
        }
    }

    /// As memcached 1.6.18 does, on placeholders too.
    fn plain(&mut self, what: What, operation: u8, token: Option<u64>, fresh: u64) -> Reply {
        let lease = self.lease();
        let written = digit(operation);
        // A placeholder reads as an empty value.
        let there = self.item.as_ref().map(|item| item.value.unwrap_or(0));
        let told = match (what, there) {
            (What::Get | What::Gets, Some(value)) => {
                return Reply::Plain(Told::Value(value), lease);
            }
            (What::Set, _) => self.store(written, fresh, Told::Done),
            (What::Delete, Some(_)) | (What::DeleteQuietly, _) => {
                self.item = None;
                Told::Done
            }
            (What::Increment, Some(0)) => Told::Error,
            (What::Increment, Some(value)) => {
                self.store(value * 8 + written, fresh, Told::Value(value * 8 + written))
            }
            (What::Append, Some(value)) => self.store(value * 8 + written, fresh, Told::Done),
            (What::Add, None) => self.store(written, fresh, Told::Done),
            (What::CompareAndSet(_), Some(_)) if lease.map(|lease| lease.token) == token => {
                self.store(written, fresh, Told::Done)
            }
            (What::Add | What::CompareAndSet(_), Some(_)) => Told::Exists,
            _ => Told::Nothing,
        };
        Reply::Plain(told, None)
    }

    fn meta(
        &mut self,
        command: &Command<Value>,
        client: Client,
        fresh: u64,
        rules: Rules,
        stored: &mut Value,
    ) -> Answer<Value> {
        let leases = rules.keeps(Rule::FillUnderLease);
        match command {
            Command::LookOrLease if self.item.is_none() && leases => {
                self.item = Some(Item {
                    token: fresh,
                    value: None,
                });
                Answer::Won(Lease {
                    token: fresh,
                    connection: self.life.into(),
                })
            }
            // Without leases, whoever finds nothing may fill.
            Command::LookOrLease if self.item.is_none() => Answer::Won(Lease {
                token: 0,
                connection: self.life.into(),
            }),
            Command::LookOrLease | Command::Look => self.look(),
            Command::Fill(value, _) if !leases => match self.item {
                None => self.store(*value, fresh, Answer::Done),
                Some(_) => Answer::Changed,
            },
            Command::Fill(value, lease) if self.holds(*lease) => {
                self.store(*value, fresh, Answer::Done)
            }
            Command::Remove(_) if !leases => Answer::Done,
            Command::Remove(lease) if self.holds(*lease) => {
                self.item = None;
                Answer::Done
            }
            Command::Fill(..) | Command::Remove(_) => Answer::Changed,
            Command::Delete => match self.item.take() {
                Some(_) => Answer::Done,
                None => Answer::Miss,
            },
            Command::Overwrite => {
                let (_, operation) = client.expect("a client overwrites");
                self.store(digit(operation), fresh, Answer::Done)
            }
            Command::Act(seen) => {
                let unconditional = !rules.keeps(Rule::UpdateWhatWasSeen);
                self.act(seen, client, fresh, unconditional, stored)
            }
        }
    }

    fn act(
        &mut self,
        seen: &Seen<Value>,
        client: Client,
        fresh: u64,
        unconditional: bool,
        stored: &mut Value,
    ) -> Answer<Value> {
        let (what, operation) = client.expect("a client updates");
        let matches = match seen {
            Seen::Nothing => self.item.is_none(),
            Seen::Value(_, lease) | Seen::Placeholder(lease) => self.holds(*lease),
        };
        if !matches && (!unconditional || self.item.is_none()) {
            return Answer::Changed;
        }
        let there = self.item.as_ref().and_then(|item| item.value).unwrap_or(0);
        *stored = match what {
            What::Increment | What::Append => there * 8 + digit(operation),
            _ => digit(operation),
        };
        self.store(*stored, fresh, Answer::Done)
    }

    fn look(&self) -> Answer<Value> {
        match (&self.item, self.lease()) {
            (
                Some(Item {
                    value: Some(value), ..
                }),
                Some(lease),
            ) => Answer::Value(*value, lease),
            (Some(_), Some(lease)) => Answer::Held(lease),
            _ => Answer::Miss,
        }
    }

    fn lease(&self) -> Option<Lease> {
        self.item.as_ref().map(|item| Lease {
            token: item.token,
            connection: self.life.into(),
        })
    }

    /// A server compares numbers. It does not know in which of its lives it gave one out.
    fn holds(&self, lease: Lease) -> bool {
        self.item
            .as_ref()
            .is_some_and(|item| item.token == lease.token)
    }

    fn store<A>(&mut self, value: Value, token: u64, answer: A) -> A {
        self.item = Some(Item {
            token,
            value: Some(value),
        });
        answer
    }
}
