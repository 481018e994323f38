//! Why the proxy does not start.

use std::io;

/// Each variant's text says what to do about it.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// Another process listens there.
    #[error(
        "{address} is in use, perhaps by another evenkeel proxy, a nutcracker or a memcached; stop it, or listen elsewhere with --listen ADDRESS"
    )]
    InUse {
        /// The address that was asked for.
        address: String,
    },
    /// The address cannot be listened on for another reason.
    #[error("cannot listen on {address}: {error}")]
    Listen {
        /// The address that was asked for.
        address: String,
        /// What the system says.
        error: io::Error,
    },
    /// Nothing to do.
    #[error("no pool of the configuration listens anywhere; add listen = [\"127.0.0.1:22121\"]")]
    NothingToServe,
    /// The pool speaks a protocol that is not served.
    #[error("pool {pool:?} speaks Redis, which this version does not serve")]
    Protocol {
        /// The pool's name.
        pool: String,
    },
    /// Data of embedded nodes would be reachable from outside this machine.
    #[error(
        "pool {pool:?} has embedded nodes and listens on {address}, outside the loopback; set allow_embedded = true if that is meant"
    )]
    EmbeddedOutside {
        /// The pool's name.
        pool: String,
        /// The address.
        address: String,
    },
    /// The admin listener is reachable from outside and would take changes from anybody.
    #[error("the admin listener is on {address}, outside the loopback: give it a token_file")]
    AdminWithoutToken {
        /// The address.
        address: String,
    },
    /// The token cannot be read.
    #[error("cannot read the admin token file: {0}")]
    Token(io::Error),
    /// The record of a pool cannot be read or written.
    #[error(transparent)]
    State(#[from] crate::store::StoreError),
    /// Keys would be lost without a word.
    #[error(
        "--move-now is for a proxy without a state_dir; with one, `evenkeel apply` moves the keys"
    )]
    MoveNow,
    /// The system refuses threads, sockets or signals.
    #[error("cannot run: {0}")]
    System(#[from] io::Error),
}
