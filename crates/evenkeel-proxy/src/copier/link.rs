//! A pipelined connection to one node, for the control plane.

use std::collections::{HashMap, VecDeque};
use std::io;
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use bytes::{Buf, Bytes, BytesMut};
use evenkeel_wire::memcached::{Expect, Reply, ReplyParser, ReplyStep};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, ReadHalf, WriteHalf};
use tokio::sync::{Notify, mpsc, oneshot};
use tokio::time::{Instant, sleep_until, timeout};

use super::member::Pass;

/// How long a node may take to accept a connection.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(2);

/// How long a node may take to answer; then the connection is given up.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(5);

/// What stands in for the end of a connection that the node does not end.
const LATE_GRACE: Duration = Duration::from_secs(5);

/// How long a node that did not accept a connection is left alone.
const RETRY_AFTER: Duration = Duration::from_millis(500);

/// Commands that wait to be written, above which the asker waits.
const QUEUE: usize = 256;

/// The largest reply that is waited for: memcached's largest item and some room.
const MAX_REPLY: usize = 1024 * 1024 * 1024 + 4096;

/// A byte stream to a node.
pub trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}
impl<T: AsyncRead + AsyncWrite + Send + Unpin> Stream for T {}

/// A connection that is being made.
pub type Dialling = Pin<Box<dyn Future<Output = io::Result<Box<dyn Stream>>> + Send>>;

/// How the control plane reaches a server by its name (see [`server_of`](super::server_of)).
pub trait Network: Send + Sync + 'static {
    /// Connects.
    fn dial(&self, server: &str) -> Dialling;
}

/// Why there is no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Failure {
    /// The node cannot have received the command.
    NotSent,
    /// No answer came, and none will.
    NoAnswer,
}

/// A whole reply.
#[derive(Debug, Clone)]
pub struct Answer {
    /// Its line, taken apart.
    pub reply: Reply,
    /// The bytes that it refers to, and its data behind them.
    pub bytes: Bytes,
    /// How long it took.
    pub took: Duration,
}

struct Ask {
    bytes: Vec<u8>,
    expect: Expect,
    answer: oneshot::Sender<Answer>,
    pass: Pass,
}

/// A connection. When its last handle goes, it is ended in order.
#[derive(Clone)]
pub struct Link {
    number: u64,
    asks: mpsc::Sender<Ask>,
    closed: Arc<Notify>,
}

impl Link {
    async fn connect(network: &dyn Network, server: &str) -> io::Result<Self> {
        static NUMBERS: AtomicU64 = AtomicU64::new(1);
        let stream = timeout(CONNECT_TIMEOUT, network.dial(server))
            .await
            .map_err(|_| io::Error::from(io::ErrorKind::TimedOut))??;
        let (asks, queue) = mpsc::channel(QUEUE);
        let closed = Arc::new(Notify::new());
        tokio::spawn(Driver::new(stream, queue, Arc::clone(&closed)).run());
        Ok(Link {
            // 63 bits of connections do not run out.
            number: NUMBERS.fetch_add(1, Ordering::Relaxed),
            asks,
            closed,
        })
    }

    /// Gives the connection up: the node broke the protocol.
    pub fn close(&self) {
        self.closed.notify_one();
    }

    /// The number of this connection, never used for another one.
    #[must_use]
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Sends a command that has exactly one reply, and waits for that.
    ///
    /// # Errors
    /// Whether the node may have received it.
    pub async fn ask(
        &self,
        bytes: Vec<u8>,
        expect: Expect,
        pass: &Pass,
    ) -> Result<Answer, Failure> {
        let (answer, answered) = oneshot::channel();
        let ask = Ask {
            bytes,
            expect,
            answer,
            pass: pass.clone(),
        };
        self.asks.send(ask).await.map_err(|_| Failure::NotSent)?;
        answered.await.map_err(|_| Failure::NoAnswer)
    }

    fn is_open(&self) -> bool {
        !self.asks.is_closed()
    }
}

struct Waiting {
    expect: Expect,
    answer: Option<oneshot::Sender<Answer>>,
    since: Instant,
    /// Held until the answer came or the connection has ended.
    _pass: Pass,
}

/// Writes what is asked and reads what is answered.
struct Driver {
    reader: ReadHalf<Box<dyn Stream>>,
    writer: WriteHalf<Box<dyn Stream>>,
    queue: mpsc::Receiver<Ask>,
    closed: Arc<Notify>,
    waiting: VecDeque<Waiting>,
    out: BytesMut,
    unread: BytesMut,
    parser: ReplyParser,
    /// A line whose data is not all there yet; its bytes are still unread.
    begun: Option<Reply>,
}

impl Driver {
    fn new(stream: Box<dyn Stream>, queue: mpsc::Receiver<Ask>, closed: Arc<Notify>) -> Self {
        let (reader, writer) = tokio::io::split(stream);
        Driver {
            reader,
            writer,
            queue,
            closed,
            waiting: VecDeque::new(),
            out: BytesMut::new(),
            unread: BytesMut::with_capacity(16 * 1024),
            parser: ReplyParser::new(),
            begun: None,
        }
    }

    async fn run(mut self) {
        while self.turn().await {}
        self.queue.close();
        for waiting in &mut self.waiting {
            waiting.answer = None;
        }
        // What lies in the queue was not sent; but its asker is told the worse, which is always safe.
        while self.queue.try_recv().is_ok() {}
        if self.waiting.is_empty() {
            return;
        }
        // Closing alone proves nothing: a slow node executes what it had received. Its end of stream proves it.
        let ended = async {
            let _ = self.writer.shutdown().await;
            let mut rest = [0; 4096];
            while self.reader.read(&mut rest).await.is_ok_and(|read| read > 0) {}
        };
        let clean = timeout(LATE_GRACE, ended).await.is_ok();
        tracing::debug!(
            clean,
            given_up = self.waiting.len(),
            "a node connection ended"
        );
    }

    /// False when the connection is over.
    async fn turn(&mut self) -> bool {
        let deadline = self
            .waiting
            .front()
            .map(|first| first.since + ANSWER_TIMEOUT);
        tokio::select! {
            ask = self.queue.recv(), if self.out.len() < 64 * 1024 => match ask {
                Some(ask) => {
                    self.take(ask);
                    while self.out.len() < 64 * 1024 && let Ok(ask) = self.queue.try_recv() {
                        self.take(ask);
                    }
                    true
                }
                None => self.finish().await,
            },
            written = self.writer.write(&self.out), if !self.out.is_empty() => match written {
                Ok(count) if count > 0 => { self.out.advance(count); true }
                _ => false,
            },
            read = self.reader.read_buf(&mut self.unread) => match read {
                Ok(count) if count > 0 => self.answer_all(),
                _ => false,
            },
            () = self.closed.notified() => false,
            () = sleep_until(deadline.unwrap_or_else(Instant::now)), if deadline.is_some() => false,
        }
    }

    /// Nobody can ask any more: what is under way is still answered.
    async fn finish(&mut self) -> bool {
        if self.waiting.is_empty() {
            let _ = self.writer.shutdown().await;
            return false;
        }
        if !self.out.is_empty() && self.writer.write_all(&self.out).await.is_err() {
            return false;
        }
        self.out.clear();
        let read = timeout(ANSWER_TIMEOUT, self.reader.read_buf(&mut self.unread)).await;
        matches!(read, Ok(Ok(count)) if count > 0) && self.answer_all()
    }

    fn take(&mut self, ask: Ask) {
        self.out.extend_from_slice(&ask.bytes);
        self.waiting.push_back(Waiting {
            expect: ask.expect,
            answer: Some(ask.answer),
            since: Instant::now(),
            _pass: ask.pass,
        });
    }

    /// False if what came belongs to no command.
    fn answer_all(&mut self) -> bool {
        loop {
            let reply = match self.begun.take() {
                Some(begun) => begun,
                None => {
                    let Some(first) = self.waiting.front() else {
                        return self.unread.is_empty();
                    };
                    match self.parser.parse(&self.unread, first.expect) {
                        ReplyStep::Incomplete => return true,
                        ReplyStep::Malformed => return false,
                        ReplyStep::Line(reply) => reply,
                    }
                }
            };
            let whole = reply.whole_len();
            if whole > MAX_REPLY {
                return false;
            }
            if self.unread.len() < whole {
                self.unread.reserve(whole - self.unread.len());
                self.begun = Some(reply);
                return true;
            }
            let bytes = self.unread.split_to(whole).freeze();
            if !bytes.ends_with(b"\r\n") {
                return false;
            }
            // Every command here has one line as its reply.
            if let Some(first) = self.waiting.pop_front()
                && let Some(asker) = first.answer
            {
                let took = first.since.elapsed();
                let _ = asker.send(Answer { reply, bytes, took });
            }
        }
    }
}

/// One connection per server, made when it is needed.
pub struct Links {
    network: Arc<dyn Network>,
    servers: Mutex<HashMap<String, Arc<tokio::sync::Mutex<Place>>>>,
}

#[derive(Default)]
struct Place {
    link: Option<Link>,
    refused_at: Option<Instant>,
}

impl Links {
    /// No connection yet.
    #[must_use]
    pub fn new(network: Arc<dyn Network>) -> Self {
        Links {
            network,
            servers: Mutex::default(),
        }
    }

    /// The connection to a server; `None` if it cannot be reached now.
    pub async fn to(&self, server: &str) -> Option<Link> {
        let place = {
            let mut servers = self.servers.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(servers.entry(server.to_owned()).or_default())
        };
        let mut place = place.lock().await;
        if let Some(link) = place.link.as_ref().filter(|link| link.is_open()) {
            return Some(link.clone());
        }
        place.link = None;
        if place
            .refused_at
            .is_some_and(|at| at.elapsed() < RETRY_AFTER)
        {
            return None;
        }
        match Link::connect(self.network.as_ref(), server).await {
            Ok(link) => {
                place.link = Some(link.clone());
                place.refused_at = None;
                Some(link)
            }
            Err(error) => {
                tracing::debug!(server, %error, "cannot connect");
                place.refused_at = Some(Instant::now());
                None
            }
        }
    }

    /// Ends all connections when what is under way is answered.
    pub fn close(&self) {
        let mut servers = self.servers.lock().unwrap_or_else(PoisonError::into_inner);
        servers.clear();
    }
}
