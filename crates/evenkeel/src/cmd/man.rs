//! `evenkeel man`: the manual pages.

use std::io::{self, Write};

use anyhow::bail;
use clap::CommandFactory;

use crate::args::Arguments;
use crate::exit::Exit;

/// Print a manual page
#[derive(clap::Args)]
#[command(after_long_help = "Examples:
  evenkeel man | man -l -
  evenkeel man lookup > /usr/local/share/man/man1/evenkeel-lookup.1")]
pub struct Args {
    /// The command; without one, the page of evenkeel itself
    #[arg(value_name = "COMMAND")]
    command: Option<String>,
}

/// Runs the command.
pub fn run(args: &Args) -> anyhow::Result<Exit> {
    let mut whole = Arguments::command();
    whole.build();
    let page = match &args.command {
        None => whole,
        Some(name) => match whole.find_subcommand(name) {
            Some(command) => command.clone(),
            None => bail!("there is no command {name:?}; `evenkeel --help` lists them"),
        },
    };
    let mut text = Vec::new();
    clap_mangen::Man::new(page).render(&mut text)?;
    io::stdout().lock().write_all(&text)?;
    Ok(Exit::Done)
}
