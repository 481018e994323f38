//! `evenkeel import`: another program's file as evenkeel.toml.

use std::io::{self, Write};
use std::path::PathBuf;

use evenkeel_config::{Config, to_toml};

use crate::exit::Exit;

/// Turn a twemproxy or libketama file into evenkeel.toml, on stdout
///
/// Every key keeps its node.
#[derive(clap::Args)]
#[command(after_long_help = "Examples:
  From twemproxy:
    evenkeel import nutcracker.yml > evenkeel.toml
  From a libketama server file (host:port, tab, weight):
    evenkeel import cache.servers > evenkeel.toml
  And look at one key under both:
    evenkeel lookup --config nutcracker.yml user:42
    evenkeel lookup --config evenkeel.toml user:42")]
pub struct Args {
    /// The file: .yml or .yaml is twemproxy's, .servers or .ketama is libketama's
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

/// Runs the command.
pub fn run(args: &Args) -> anyhow::Result<Exit> {
    let (config, warnings) = Config::load(&args.file).map_err(anyhow::Error::msg)?;
    if !warnings.list.is_empty() {
        anstream::eprintln!("{warnings}");
    }
    io::stdout()
        .lock()
        .write_all(to_toml(&config.pools)?.as_bytes())?;
    Ok(Exit::Done)
}
