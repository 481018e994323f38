//! What is asked of a leader, and how.

use evenkeel_core::Topology;
use evenkeel_core::migration::leader::Refusal;
use evenkeel_core::migration::{Epoch, Options};
use thiserror::Error;
use tokio::sync::{mpsc, oneshot, watch};

use super::status::Status;
use crate::store::PoolRecord;

/// A migration to be started.
#[derive(Debug, Clone)]
pub struct StartRequest {
    /// The epoch that the operator's plan was made for.
    pub epoch: Epoch,
    /// The topology that is wanted.
    pub to: Topology,
    /// What the operator chose.
    pub options: Options,
    /// Who asks, for `status`.
    pub by: String,
    /// How many keys are expected to move, for the progress.
    pub expected_keys: u64,
}

/// Why a request was not done.
#[derive(Debug, Error)]
pub enum RequestError {
    /// The rules refuse it.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// Somebody else changed the pool since the caller looked.
    #[error(
        "the pool is at epoch {found}, not {expected}: somebody else changed it; look again with `evenkeel status`"
    )]
    Conflict {
        /// What the caller had read.
        expected: Epoch,
        /// What it is.
        found: Epoch,
    },
    /// All CAS tags are in use.
    #[error("all 65535 tags of CAS tokens are in use; restart the pool with fewer servers")]
    NoTags,
    /// The store did not take it.
    #[error("{0}")]
    Store(String),
    /// The proxy is stopping.
    #[error("the proxy is stopping")]
    Stopping,
}

pub(super) enum Request {
    Start(Box<StartRequest>),
    Abort,
    Lose(String),
}

pub(super) type Asked = (Request, oneshot::Sender<Result<Epoch, RequestError>>);

/// A handle to the leader of one pool.
#[derive(Clone)]
pub struct Leader {
    pub(super) requests: mpsc::Sender<Asked>,
    pub(super) status: watch::Receiver<Status>,
    pub(super) record: watch::Receiver<std::sync::Arc<PoolRecord>>,
    pub(super) restarted: bool,
}

impl Leader {
    /// Starts a migration; gives the epoch of its first record.
    ///
    /// # Errors
    /// [`RequestError`].
    pub async fn start(&self, request: StartRequest) -> Result<Epoch, RequestError> {
        self.ask(Request::Start(Box::new(request))).await
    }

    /// Turns the migration round.
    ///
    /// # Errors
    /// [`RequestError`].
    pub async fn abort(&self) -> Result<Epoch, RequestError> {
        self.ask(Request::Abort).await
    }

    /// Declares a source lost.
    ///
    /// # Errors
    /// [`RequestError`].
    pub async fn lose(&self, server: &str) -> Result<Epoch, RequestError> {
        self.ask(Request::Lose(server.to_owned())).await
    }

    /// How things stand, as of a moment ago.
    #[must_use]
    pub fn status(&self) -> Status {
        self.status.borrow().clone()
    }

    /// The record in force.
    #[must_use]
    pub fn record(&self) -> std::sync::Arc<PoolRecord> {
        self.record.borrow().clone()
    }

    /// Whether this pool was served from the state directory before: commands of that life may still be under way, so
    /// its members begin as [`Member::restarted`](evenkeel_core::migration::Member::restarted).
    #[must_use]
    pub fn was_restarted(&self) -> bool {
        self.restarted
    }

    async fn ask(&self, request: Request) -> Result<Epoch, RequestError> {
        let (answer, answered) = oneshot::channel();
        let sent = self.requests.send((request, answer)).await;
        sent.map_err(|_| RequestError::Stopping)?;
        answered.await.map_err(|_| RequestError::Stopping)?
    }
}
