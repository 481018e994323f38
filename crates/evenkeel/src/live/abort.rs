//! `evenkeel abort`: turns a migration round, at any time.

use clap::Args;

use super::failure::Failure;
use super::follow;
use super::target::TargetArgs;

/// Arguments of `abort`.
#[derive(Debug, Clone, Args)]
pub struct AbortArgs {
    #[command(flatten)]
    pub target: TargetArgs,
    /// Come back at once, instead of when the keys are where they were
    #[arg(long)]
    pub no_wait: bool,
}

impl AbortArgs {
    /// Turns it round and follows it back.
    pub fn run(&self) -> Result<(), Failure> {
        let wanted = &self.target.wanted()?;
        let client = self.target.client(&wanted.admin)?;
        client.abort(&wanted.pool)?;
        let status = client.status(&wanted.pool)?;
        if status.phase.is_none() || self.no_wait {
            eprintln!("{}: {}", wanted.pool, super::render::phase(&status));
            return Ok(());
        }
        // Its end is what was asked for here, whichever way it is worded for those who had asked for the change.
        match follow::follow(&client, &wanted.pool, status.epoch, None) {
            Err(failure) if failure.code == 1 => {
                eprintln!("{failure}");
                Ok(())
            }
            other => other,
        }
    }
}
