//! Exit codes.

use std::process::ExitCode;

/// How a command ended. The numbers are a promise to scripts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// It did what it was asked.
    Done = 0,
    /// It ran, and the answer is no.
    No = 1,
    /// The command line or a file is wrong.
    Usage = 2,
}

impl Exit {
    /// What an error means for the caller.
    pub fn of(_: &anyhow::Error) -> Self {
        Self::Usage
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}
