//! The keys of one node, as `lru_crawler metadump` lists them.

use std::time::Duration;

use bytes::BytesMut;
use evenkeel_wire::memcached::{Expect, ReplyParser, ReplyStep, Status, compose, metadump};
use thiserror::Error;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::time::{sleep, timeout};

use super::link::{Network, Stream};

/// How long a node may be silent in the middle of a listing.
const SILENCE: Duration = Duration::from_secs(30);

/// How long to wait while the node makes another listing.
const BUSY_PAUSE: Duration = Duration::from_millis(100);

/// How much is read at once.
const READ: usize = 64 * 1024;

/// Why a node was not listed to the end.
#[derive(Debug, Error)]
pub enum ListingError {
    /// It cannot be reached, or the connection broke.
    #[error("cannot be listed: {0}")]
    Io(#[from] std::io::Error),
    /// It refuses: `-o no_lru_crawler`, or a server that is too old.
    #[error(
        "refuses to list its keys ({0}); memcached 1.5 or later with its LRU crawler on is needed"
    )]
    Refused(String),
    /// It answers what no listing is.
    #[error("answers a listing with what is none")]
    Malformed,
}

/// A key of a listing.
#[derive(Debug, Clone, Copy)]
pub struct Key<'a> {
    /// The key itself.
    pub key: &'a [u8],
    /// Bytes that it takes at the node.
    pub size: u64,
}

/// A listing under way, on a connection of its own: a node refuses one on which anything else was pipelined.
pub struct Listing {
    stream: Box<dyn Stream>,
    complete: bool,
    unread: BytesMut,
    parser: ReplyParser,
    name: Vec<u8>,
}

impl Listing {
    /// Asks for a listing: gentle on the node's other clients (`all`), or `complete` (`hash`), which must be read at
    /// full speed, because the node holds a lock of its own while it waits for us.
    ///
    /// # Errors
    /// [`ListingError::Io`] if the server cannot be reached.
    pub async fn of(
        network: &dyn Network,
        server: &str,
        complete: bool,
    ) -> Result<Self, ListingError> {
        let stream = timeout(Duration::from_secs(2), network.dial(server))
            .await
            .map_err(|_| std::io::Error::from(std::io::ErrorKind::TimedOut))??;
        let mut listing = Listing {
            stream,
            complete,
            unread: BytesMut::with_capacity(READ),
            parser: ReplyParser::new(),
            name: Vec::new(),
        };
        listing.ask().await?;
        Ok(listing)
    }

    async fn ask(&mut self) -> Result<(), ListingError> {
        let mut command = Vec::new();
        compose::metadump(&mut command, self.complete);
        Ok(self.stream.write_all(&command).await?)
    }

    /// Reads once and hands over the keys that came; false at the end of the listing. A node that makes another
    /// listing is waited for.
    ///
    /// # Errors
    /// The listing is then not whole.
    pub async fn read(&mut self, mut each: impl FnMut(Key<'_>)) -> Result<bool, ListingError> {
        loop {
            match self.parser.parse(&self.unread, Expect::Metadump) {
                ReplyStep::Malformed => return Err(ListingError::Malformed),
                ReplyStep::Incomplete => break,
                ReplyStep::Line(reply) => {
                    let line = self.unread.split_to(reply.line_len);
                    match reply.status {
                        Status::Listed => self.hand_over(reply.text.of(&line), &mut each)?,
                        Status::End => return Ok(false),
                        Status::NoListing => {
                            sleep(BUSY_PAUSE).await;
                            self.ask().await?;
                        }
                        _ => {
                            let said = String::from_utf8_lossy(reply.text.of(&line)).into_owned();
                            return Err(ListingError::Refused(said));
                        }
                    }
                }
            }
        }
        self.unread.reserve(READ);
        let read = timeout(SILENCE, self.stream.read_buf(&mut self.unread))
            .await
            .map_err(|_| std::io::Error::from(std::io::ErrorKind::TimedOut))??;
        if read == 0 {
            return Err(std::io::Error::from(std::io::ErrorKind::UnexpectedEof).into());
        }
        Ok(true)
    }

    fn hand_over(
        &mut self,
        line: &[u8],
        each: &mut impl FnMut(Key<'_>),
    ) -> Result<(), ListingError> {
        let listed = metadump::parse(line).ok_or(ListingError::Malformed)?;
        self.name.clear();
        if !metadump::decode_name(listed.name, &mut self.name) {
            return Err(ListingError::Malformed);
        }
        each(Key {
            key: &self.name,
            size: listed.size,
        });
        Ok(())
    }
}
