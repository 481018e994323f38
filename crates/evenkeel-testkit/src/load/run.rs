//! The loop: read who is ready, count what was answered, ask again.

use std::io;
use std::time::{Duration, Instant};

use mio::{Events, Interest, Poll, Token};

use super::choose::Chooser;
use super::connection::{Asked, Connection, Heard};
use super::plan::{Pace, Plan};
use super::report::Report;
use super::value;

/// Bytes that one read takes at most.
const READ_BYTES: usize = 64 * 1024;

/// Carries out a plan.
///
/// # Errors
/// When an address refuses, a connection ends, or an answer takes longer than the plan's patience.
pub fn run(plan: &Plan) -> io::Result<Report> {
    let mut run = Run::open(plan)?;
    run.carry_out()?;
    run.report.time = run.begun.elapsed();
    Ok(run.report)
}

struct Run<'a> {
    plan: &'a Plan,
    poll: Poll,
    connections: Vec<Connection>,
    chooser: Chooser,
    report: Report,
    begun: Instant,
    /// Requests asked so far, those that fill after a miss not counted.
    asked: u64,
    under_way: usize,
}

impl<'a> Run<'a> {
    fn open(plan: &'a Plan) -> io::Result<Self> {
        let poll = Poll::new()?;
        let mut connections = Vec::with_capacity(plan.connections);
        for (index, &address) in plan
            .addresses
            .iter()
            .cycle()
            .take(plan.connections)
            .enumerate()
        {
            let mut connection = Connection::open(address)?;
            let interest = Interest::READABLE | Interest::WRITABLE;
            poll.registry()
                .register(&mut connection.stream, Token(index), interest)?;
            connections.push(connection);
        }
        Ok(Self {
            plan,
            poll,
            connections,
            chooser: Chooser::new(plan.keys, plan.key_count, plan.seed),
            report: Report::default(),
            begun: Instant::now(),
            asked: 0,
            under_way: 0,
        })
    }

    fn carry_out(&mut self) -> io::Result<()> {
        let mut events = Events::with_capacity(1024);
        let mut buffer = vec![0; READ_BYTES];
        let mut heard_at = Instant::now();
        self.start()?;
        while self.under_way > 0 || !self.is_over() {
            self.poll.poll(&mut events, Some(self.pause()))?;
            for event in &events {
                let Token(index) = event.token();
                if event.is_readable() {
                    heard_at = Instant::now();
                    self.read(index, &mut buffer)?;
                }
                self.connections[index].flush()?;
            }
            self.ask_what_is_due()?;
            if self.under_way > 0 && heard_at.elapsed() > self.plan.patience {
                return Err(io::ErrorKind::TimedOut.into());
            }
        }
        Ok(())
    }

    fn is_over(&self) -> bool {
        self.asked >= self.plan.requests || self.begun.elapsed() >= self.plan.time
    }

    /// In a closed loop every connection begins with a full pipeline.
    fn start(&mut self) -> io::Result<()> {
        if self.plan.pace != Pace::Closed {
            return Ok(());
        }
        for index in 0..self.connections.len() {
            for _ in 0..self.plan.pipeline {
                self.ask(index, Instant::now());
            }
            self.connections[index].flush()?;
        }
        Ok(())
    }

    fn pause(&self) -> Duration {
        match self.plan.pace {
            Pace::Closed => Duration::from_millis(100),
            Pace::Open(_) => Duration::from_micros(500),
        }
    }

    /// In an open loop, asks all that the clock says should have been asked by now.
    fn ask_what_is_due(&mut self) -> io::Result<()> {
        let Pace::Open(rate) = self.plan.pace else {
            return Ok(());
        };
        while !self.is_over() {
            let due = self.begun + Duration::from_secs_f64(self.asked as f64 / rate);
            if due > Instant::now() {
                break;
            }
            let index = self.asked as usize % self.connections.len();
            self.ask(index, due);
            self.connections[index].flush()?;
        }
        Ok(())
    }

    fn ask(&mut self, index: usize, since: Instant) {
        if self.is_over() {
            return;
        }
        self.asked += 1;
        let key = self.chooser.next_key();
        if self.chooser.happens(self.plan.writes) {
            self.set(index, key, since);
        } else {
            self.under_way += 1;
            self.connections[index].get(&self.plan.key_prefix, key, since);
        }
    }

    fn set(&mut self, index: usize, key: u64, since: Instant) {
        self.under_way += 1;
        let size = value::size(key, &self.plan.value_size);
        self.connections[index].set(&self.plan.key_prefix, key, size, since);
    }

    fn read(&mut self, index: usize, buffer: &mut [u8]) -> io::Result<()> {
        self.connections[index].fill(buffer)?;
        while let Some((asked, heard)) = self.connections[index].hear() {
            self.under_way -= 1;
            let is_fill = self.count(index, &asked, heard);
            if self.plan.pace == Pace::Closed && !is_fill {
                self.ask(index, Instant::now());
            }
        }
        Ok(())
    }

    /// Counts an answer; true if the origin was read and a `set` of its value follows instead of the next request.
    fn count(&mut self, index: usize, asked: &Asked, heard: Heard) -> bool {
        let fills = self.plan.cache_aside && matches!(heard, Heard::Miss) && asked.is_read;
        let second = self.report.second(self.begun.elapsed());
        second.record(asked.since.elapsed());
        match heard {
            Heard::Hit { right } => {
                second.hits += 1;
                self.report.wrong_values += u64::from(!right);
            }
            Heard::Miss => {
                second.misses += 1;
                second.origin_reads += u64::from(fills);
            }
            Heard::Stored => {}
            Heard::Error(line) => {
                second.errors += 1;
                self.report.first_error.get_or_insert(line);
            }
        }
        if fills {
            self.set(index, asked.key, Instant::now());
        }
        fills
    }
}
