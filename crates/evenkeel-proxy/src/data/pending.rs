//! What waits for an answer on a node connection.

use evenkeel_wire::memcached::{Expect, Kind, Status};

/// Who asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// A client's request. The generation tells a client from a later one in the same place.
    Client { id: u32, generation: u32, seq: u32 },
    /// An operation of our own; its reply is collected whole.
    Operation(u64),
    /// We ourselves, to see that the node answers, or for an effect alone.
    Nobody,
}

/// What of the reply the client gets to see.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// All of it.
    Whole,
    /// The items of a read; its end belongs to the whole request.
    Items,
    /// Errors only: one part of a command to every node.
    Errors,
    /// All but what the meta flag `q` hides.
    Quiet(Kind),
}

impl Form {
    /// True if a line with this status is passed on.
    pub fn shows(self, status: Status) -> bool {
        match (self, status) {
            (_, status) if status.is_error() => true,
            (Self::Whole, _) => true,
            (Self::Items, status) => status == Status::Value,
            (Self::Errors, _) => false,
            (Self::Quiet(Kind::MetaGet), status) => status != Status::MetaMiss,
            (Self::Quiet(_), status) => !matches!(status, Status::MetaHeader | Status::MetaValue),
        }
    }
}

/// One command that was given to a node connection and is not answered yet.
#[derive(Clone, Copy, Debug)]
pub struct Pending {
    /// Who asked.
    pub owner: Owner,
    /// Which reply is awaited.
    pub expect: Expect,
    /// What the client sees of it.
    pub form: Form,
    /// It changes nothing, so that a miss may stand for it while the node is down.
    pub reads: bool,
    /// How many fingerprints of keys lie in the connection's queue for it.
    pub keys: u32,
    /// It is on a key that is moved, or may be: an epoch is not acknowledged before it is over.
    pub moved: bool,
    /// When it is given up, in milliseconds of the engine's clock.
    pub deadline: u64,
}

/// A fingerprint of a key, to tell whether a `VALUE` is one that was asked for.
pub fn fingerprint(key: &[u8]) -> u64 {
    xxhash_rust::xxh3::xxh3_64(key)
}
