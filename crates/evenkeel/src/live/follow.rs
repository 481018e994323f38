//! Watching a migration until it ends, or gets as far as was asked.

use std::io::{IsTerminal, stderr};
use std::time::Duration;

use clap::ValueEnum;
use evenkeel_core::migration::Phase;
use evenkeel_proxy::coordinator::Status;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::client::Client;
use super::failure::Failure;
use super::render;

/// How often the proxy is asked.
const POLL: Duration = Duration::from_millis(200);

/// How many polls in a row may fail before we give up: a proxy that restarts is away for a moment.
const MISSED: u32 = 50;

/// A phase to wait for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Until {
    /// New operations are served by the rules of a migration.
    Copy,
    /// Every moved key is at its target.
    Settle,
}

impl Until {
    fn is_reached(self, status: &Status) -> bool {
        match self {
            Until::Copy => matches!(status.phase, Some(Phase::Copy | Phase::Settle)),
            Until::Settle => status.phase == Some(Phase::Settle),
        }
    }
}

/// Follows the migration that began with `epoch`.
pub fn follow(
    client: &Client,
    pool: &str,
    epoch: u64,
    until: Option<Until>,
) -> Result<(), Failure> {
    let again =
        format!("It goes on without us; look again with `evenkeel status --watch --pool {pool}`.");
    // Whoever presses Ctrl-C wants to go, not to stop the migration.
    let farewell = again.clone();
    let _ = ctrlc::set_handler(move || {
        eprintln!("\n{farewell}");
        std::process::exit(130);
    });
    let mut shown = Shown::new();
    let mut missed = 0;
    loop {
        match client.status(pool) {
            Ok(status) => {
                missed = 0;
                shown.show(&status);
                if status.phase.is_none() && status.epoch > epoch {
                    shown.clear();
                    return end(&status, epoch);
                }
                if until.is_some_and(|until| until.is_reached(&status)) {
                    shown.clear();
                    eprintln!("{}. {again}", render::phase(&status));
                    return Ok(());
                }
            }
            Err(failure) => {
                missed += 1;
                if missed >= MISSED {
                    shown.clear();
                    return Err(failure);
                }
            }
        }
        std::thread::sleep(POLL);
    }
}

fn end(status: &Status, epoch: u64) -> Result<(), Failure> {
    let Some(ended) = status.ended.as_ref().filter(|ended| ended.epoch > epoch) else {
        // The proxy was restarted meanwhile and remembers no more than the record.
        eprintln!("{} is stable at epoch {}", status.pool, status.epoch);
        return Ok(());
    };
    let line = render::ended(status).unwrap_or_default();
    if ended.aborted {
        return Err(Failure::no(line));
    }
    eprintln!("{line}");
    Ok(())
}

/// What stands on the terminal, or in a log.
struct Shown {
    bar: Option<ProgressBar>,
    phase: String,
}

impl Shown {
    fn new() -> Self {
        let bar = stderr().is_terminal().then(|| {
            let bar = ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::stderr());
            bar.enable_steady_tick(POLL);
            bar
        });
        Shown {
            bar,
            phase: String::new(),
        }
    }

    fn show(&mut self, status: &Status) {
        let phase = render::phase(status);
        match &self.bar {
            Some(bar) => draw(bar, status, &phase),
            None if self.phase != phase => eprintln!("{phase}: {}", render::progress(status)),
            None => {}
        }
        self.phase = phase;
    }

    fn clear(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

fn draw(bar: &ProgressBar, status: &Status, phase: &str) {
    let template = if status.expected_keys > 0 {
        "{prefix:8} {bar:30} {human_pos}/{human_len} keys  {per_sec}  {msg}  {eta} left"
    } else {
        "{prefix:8} {spinner} {human_pos} keys  {per_sec}  {msg}"
    };
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    let done = status.keys_done();
    bar.set_length(status.expected_keys.max(done));
    bar.set_position(done);
    bar.set_prefix(phase.to_owned());
    let mut message = render::bytes(status.bytes_done());
    if status.rates.keys == Some(0) || status.rates.bytes == Some(0) {
        message.push_str(", paused");
    }
    if let Some(waiting) = status.waiting_for.first() {
        message.push_str(&format!(", waiting for {waiting}"));
    }
    bar.set_message(message);
}
