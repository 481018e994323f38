//! Why a command ends without having done what was asked, and with which exit code.

/// A message for standard error and an exit code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// 1 the answer is no, 2 usage or configuration, 3 unreachable, 4 conflict.
    pub code: u8,
    /// What is the matter and what to do.
    pub message: String,
}

impl Failure {
    /// It ran, and the answer is no.
    pub fn no(message: impl Into<String>) -> Self {
        Self::new(1, message)
    }

    /// What was typed or configured cannot be meant.
    pub fn usage(message: impl Into<String>) -> Self {
        Self::new(2, message)
    }

    /// A node, a proxy or a store cannot be reached.
    pub fn unreachable(message: impl Into<String>) -> Self {
        Self::new(3, message)
    }

    /// Somebody else changed the pool, or is changing it.
    pub fn conflict(message: impl Into<String>) -> Self {
        Self::new(4, message)
    }

    fn new(code: u8, message: impl Into<String>) -> Self {
        Failure {
            code,
            message: message.into(),
        }
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Failure {}
