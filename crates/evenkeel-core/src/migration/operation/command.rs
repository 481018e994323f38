//! What an operation asks of the nodes, what they answer, and what the client is told.

/// Which server of a moved key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    /// The server of `current`.
    Source,
    /// The server of `to`.
    Target,
}

/// A token of what a server held when it was looked at, and the connection on which it was seen.
///
/// A restarted server counts from 1 again, so a token means something only on the connection that brought it. The
/// driver answers a command that carries one with [`Answer::NotSent`] if that connection is gone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lease {
    /// The server's CAS token.
    pub token: u64,
    /// The driver's number for the connection, never used for another one.
    pub connection: u64,
}

/// What an update saw at the target and acts on.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Seen<V> {
    /// A value, under its token.
    Value(V, Lease),
    /// Nothing but a placeholder, ours or one that is left.
    Placeholder(Lease),
    /// Nothing at all.
    Nothing,
}

/// A command for a node. For memcached, by the final meta protocol.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Command<V> {
    /// The value, or the lease if there is none: `mg k v f t c s N<lease seconds>`. Only at D.
    LookOrLease,
    /// The value, and no lease: `mg k v f t c s`.
    Look,
    /// Store what S had, if the lease still holds: `ms k <len> C<token> F<flags> T<seconds>`. Only at D.
    Fill(V, Lease),
    /// Remove exactly what was seen, a value or a placeholder: `md k C<token>`. Only at D. It releases a lease and
    /// takes one away.
    Remove(Lease),
    /// Remove whatever there is: `md k`. At S; at D only as a client's delete that need not tell.
    Delete,
    /// The client's overwrite, as it is. Only at D.
    Overwrite,
    /// The client's update, on exactly what was seen (`C<token>`), or, on [`Seen::Nothing`], as an `add`. Only at D.
    Act(Seen<V>),
}

/// What became of a command.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Answer<V> {
    /// A value, with its token.
    Value(V, Lease),
    /// Something that is not to be copied: marked stale, or with no time left to live (`t0` is less than a second,
    /// and a fill with 0 would be for ever). Only told of S; at D it is a value like any other.
    Spent,
    /// Nothing was there, and this lease was given (`W`).
    Won(Lease),
    /// A placeholder of somebody else's lease (`Z`).
    Held(Lease),
    /// Nothing is there, or nothing was there to be deleted (`EN`, `NF` of an unconditional command).
    Miss,
    /// It was done (`HD`).
    Done,
    /// What was seen is no longer there (`EX`, `NS`, or `NF` of a conditional command). Nothing was done.
    Changed,
    /// The node refused, and would refuse again: too large, out of memory, not a number. Nothing was done.
    Refused,
    /// The node cannot have received it: it is known to be down, or the connection of the token is gone.
    NotSent,
    /// No answer came, and none will: it may have been executed, or may be yet. It must not be sent again.
    NoAnswer,
}

/// What an operation is told.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Event<V> {
    /// Begin. `target_up`: as far as is known, the target can be reached; if not, a write changes nothing anywhere.
    Start { target_up: bool },
    /// What became of the command of the last step.
    Answer(Answer<V>),
    /// The wait of the last step is over. `patient`: less than `lease_wait` has passed since the first wait, or since
    /// the last lease was taken away.
    WaitOver { patient: bool },
    /// The operation took too long. It asks for nothing more; a command under way counts as given up.
    Deadline,
}

/// What to do next.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Step<V> {
    /// The client's answer, once in an operation.
    pub answer: Option<Outcome<V>>,
    /// What goes on.
    pub next: Next<V>,
}

/// What goes on after a step.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Next<V> {
    /// Send this and tell what became of it.
    Send { to: Side, command: Command<V> },
    /// Wait a moment, then say so.
    Wait,
    /// Nothing: the operation is over.
    Over,
}

/// What the client is told.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Outcome<V> {
    /// The value, with the target's token where one was asked for and the target has it.
    Value(V, Option<u64>),
    /// There is none: a miss of a read, "not found" or "not stored" of an update or a delete.
    Nothing,
    /// There is a value that keeps the update from acting: "not stored" of an `add`, "exists" of a `cas`.
    Exists,
    /// Done, and the node's last answer says the rest. Of a delete: found. Of the copier: moved.
    Done,
    /// The copier's: the target had it already.
    Already,
    /// The node refused for good, and its last answer says why. Of the copier: the key stays at the source.
    Refused,
    /// An error.
    Failed(Failure),
}

/// Why an operation failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Failure {
    /// The server could not be reached; nothing was changed, though a key may be lost.
    Refused(Side),
    /// The client's write was sent to the target and not answered: it may have happened, or may yet.
    Unknown,
    /// It took too long; a write may have happened.
    Late,
}

impl<V> Command<V> {
    /// Whether the command, given up, must be known to have ended before an epoch is acknowledged. Late fetches and
    /// deletions at the source can only lose a value.
    pub fn must_end(&self, to: Side) -> bool {
        !matches!((to, self), (Side::Source, Command::Look | Command::Delete))
    }

    /// The token that the command stands on, if any: it may be sent only on the connection that brought it.
    pub fn lease(&self) -> Option<Lease> {
        match self {
            Command::Fill(_, lease) | Command::Remove(lease) => Some(*lease),
            Command::Act(Seen::Value(_, lease) | Seen::Placeholder(lease)) => Some(*lease),
            Command::Act(Seen::Nothing)
            | Command::LookOrLease
            | Command::Look
            | Command::Delete
            | Command::Overwrite => None,
        }
    }
}

impl<V> Step<V> {
    pub(super) fn over() -> Self {
        Step {
            answer: None,
            next: Next::Over,
        }
    }

    pub(super) fn wait() -> Self {
        Step {
            answer: None,
            next: Next::Wait,
        }
    }
}
