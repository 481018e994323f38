//! A connection for a few questions, one after another.

use std::collections::HashMap;
use std::io;
use std::time::Duration;

use bytes::BytesMut;
use evenkeel_wire::memcached::{Expect, Reply, ReplyParser, ReplyStep, Status};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::time::timeout;

use crate::copier::{Network, Stream};

/// How long a node may take for anything that is asked here.
const PATIENCE: Duration = Duration::from_secs(3);

/// The most lines of an answer that are kept.
const MAX_LINES: usize = 100_000;

/// A connection to one server.
pub(super) struct Probe {
    stream: Box<dyn Stream>,
    unread: BytesMut,
    parser: ReplyParser,
}

/// A line of an answer, its data behind it.
pub(super) struct Line {
    pub reply: Reply,
    pub bytes: BytesMut,
}

impl Line {
    /// The line without its end.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(self.reply.text.of(&self.bytes)).into_owned()
    }

    /// The token of a meta flag.
    pub fn flag(&self, letter: u8) -> Option<String> {
        let flag = self.reply.flags(&self.bytes).find(letter)?;
        Some(String::from_utf8_lossy(flag.token).into_owned())
    }
}

impl Probe {
    /// Connects.
    pub async fn to(network: &dyn Network, server: &str) -> io::Result<Self> {
        let stream = timeout(PATIENCE, network.dial(server))
            .await
            .map_err(|_| late())??;
        Ok(Probe {
            stream,
            unread: BytesMut::new(),
            parser: ReplyParser::new(),
        })
    }

    /// Asks for something that has one line as its answer.
    pub async fn one(&mut self, command: &[u8], expect: Expect) -> io::Result<Line> {
        let mut lines = self.all(command, expect).await?;
        lines.pop().ok_or_else(odd)
    }

    /// Asks, and gives every line of the answer.
    pub async fn all(&mut self, command: &[u8], expect: Expect) -> io::Result<Vec<Line>> {
        timeout(PATIENCE, self.exchange(command, expect))
            .await
            .map_err(|_| late())?
    }

    async fn exchange(&mut self, command: &[u8], expect: Expect) -> io::Result<Vec<Line>> {
        self.stream.write_all(command).await?;
        let mut lines = Vec::new();
        loop {
            match self.parser.parse(&self.unread, expect) {
                ReplyStep::Malformed => return Err(odd()),
                ReplyStep::Incomplete => self.read().await?,
                ReplyStep::Line(reply) => {
                    while self.unread.len() < reply.whole_len() {
                        self.read().await?;
                    }
                    let bytes = self.unread.split_to(reply.whole_len());
                    let last = reply.last;
                    if lines.len() < MAX_LINES {
                        lines.push(Line { reply, bytes });
                    }
                    if last {
                        return Ok(lines);
                    }
                }
            }
        }
    }

    async fn read(&mut self) -> io::Result<()> {
        match self.stream.read_buf(&mut self.unread).await? {
            0 => Err(io::ErrorKind::UnexpectedEof.into()),
            _ => Ok(()),
        }
    }

    /// `stats` or `stats settings` as a table.
    pub async fn stats(&mut self, command: &[u8]) -> io::Result<HashMap<String, String>> {
        let lines = self.all(command, Expect::Stats).await?;
        let stats = lines
            .iter()
            .filter(|line| line.reply.status == Status::Stat);
        let pair = |line: &Line| {
            let text = line.text();
            let mut words = text.splitn(3, ' ').skip(1);
            Some((words.next()?.to_owned(), words.next()?.to_owned()))
        };
        Ok(stats.filter_map(pair).collect())
    }
}

fn late() -> io::Error {
    io::ErrorKind::TimedOut.into()
}

fn odd() -> io::Error {
    io::Error::new(
        io::ErrorKind::InvalidData,
        "it does not speak memcached's text protocol",
    )
}
