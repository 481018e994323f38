//! `evenkeel status`: how the pools of a running proxy stand.

use std::io::{IsTerminal, Write, stdout};
use std::time::Duration;

use clap::Args;
use evenkeel_proxy::coordinator::Status;

use super::client::Client;
use super::failure::Failure;
use super::render;
use super::target::TargetArgs;

/// How often `--watch` looks.
const WATCH: Duration = Duration::from_secs(1);

/// Arguments of `status`.
#[derive(Debug, Clone, Args)]
pub struct StatusArgs {
    #[command(flatten)]
    pub target: TargetArgs,
    /// Look again every second
    #[arg(long, short)]
    pub watch: bool,
    /// One JSON object a pool and a look
    #[arg(long)]
    pub json: bool,
}

impl StatusArgs {
    /// Prints how all pools stand, or the one that was named.
    pub fn run(&self) -> Result<(), Failure> {
        let client = self.target.client(&self.target.admin()?)?;
        let mut lines = 0;
        loop {
            let text = self.text(&self.look(&client)?)?;
            let mut out = stdout();
            if self.watch && lines > 0 && out.is_terminal() && !self.json {
                // Over what was printed before.
                let _ = write!(out, "\x1b[{lines}A\x1b[J");
            }
            lines = text.lines().count();
            if out
                .write_all(text.as_bytes())
                .and_then(|()| out.flush())
                .is_err()
                || !self.watch
            {
                return Ok(());
            }
            std::thread::sleep(WATCH);
        }
    }

    fn look(&self, client: &Client) -> Result<Vec<Status>, Failure> {
        match &self.target.pool {
            Some(pool) => Ok(vec![client.status(pool)?]),
            None => client.statuses(),
        }
    }

    fn text(&self, statuses: &[Status]) -> Result<String, Failure> {
        if !self.json {
            return Ok(statuses.iter().map(render::status).collect());
        }
        let mut text = String::new();
        for status in statuses {
            text +=
                &serde_json::to_string(status).map_err(|error| Failure::no(error.to_string()))?;
            text.push('\n');
        }
        Ok(text)
    }
}
