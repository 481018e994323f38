//! Exit codes.

use std::process::ExitCode;

use crate::live::Failure;

/// How a command ended. The numbers are a promise to scripts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// It did what it was asked.
    Done = 0,
    /// It ran, and the answer is no.
    No = 1,
    /// The command line or a file is wrong.
    Usage = 2,
    /// A node, a proxy or a store cannot be reached.
    Unreachable = 3,
    /// Somebody else changed the pool.
    Conflict = 4,
}

impl Exit {
    /// What an error means for the caller.
    pub fn of(error: &anyhow::Error) -> Self {
        match error.downcast_ref::<Failure>().map(|failure| failure.code) {
            Some(1) => Self::No,
            Some(3) => Self::Unreachable,
            Some(4) => Self::Conflict,
            _ => Self::Usage,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}
