//! What can be typed.

use clap::{Parser, Subcommand, ValueEnum};

use crate::{cmd, live};

/// Consistent hashing for cache clusters: every key knows its server, and the cluster can change without a miss avalanche and without
/// one stale read.
#[derive(Parser)]
#[command(
    name = "evenkeel",
    version,
    disable_help_subcommand = true,
    after_help = "Exit codes: 0 done, 1 the answer is no, 2 usage or configuration, 3 cannot reach a node, proxy or store, 4 conflict."
)]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Command,
    /// When to colour: by default on a terminal, unless NO_COLOR is set
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub color: Color,
}

#[derive(Subcommand)]
pub enum Command {
    Lookup(cmd::lookup::Args),
    Presets(cmd::presets::Args),
    Check(cmd::check::Args),
    Import(cmd::import::Args),
    Completions(cmd::completions::Args),
    Man(cmd::man::Args),
    Proxy(cmd::proxy::Args),
    /// Make a running proxy's pool what the configuration says, moving its keys while it serves
    Apply(live::ApplyArgs),
    /// Turn a migration round, at any time
    Abort(live::AbortArgs),
    /// How the pools of a running proxy stand
    Status(live::StatusArgs),
    /// How fast keys are moved, from now on
    Rate(live::RateArgs),
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Color {
    Auto,
    Always,
    Never,
}

impl Color {
    /// What everything that is printed from now on follows.
    pub fn write_global(self) {
        let choice = match self {
            Self::Auto => anstream::ColorChoice::Auto,
            Self::Always => anstream::ColorChoice::Always,
            Self::Never => anstream::ColorChoice::Never,
        };
        choice.write_global();
    }
}
