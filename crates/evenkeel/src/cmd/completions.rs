//! `evenkeel completions`: for shells.

use std::io::{self, Write};

use clap::CommandFactory;
use clap_complete::Shell;

use crate::args::Arguments;
use crate::exit::Exit;

/// Print a shell's completions
#[derive(clap::Args)]
#[command(after_long_help = "Examples:
  evenkeel completions bash > /etc/bash_completion.d/evenkeel
  evenkeel completions zsh > ~/.zfunc/_evenkeel
  evenkeel completions fish > ~/.config/fish/completions/evenkeel.fish")]
pub struct Args {
    /// The shell
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

/// Runs the command.
pub fn run(args: &Args) -> anyhow::Result<Exit> {
    // The generator panics when its output goes away, so it writes into memory first.
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut Arguments::command(), "evenkeel", &mut text);
    io::stdout().lock().write_all(&text)?;
    Ok(Exit::Done)
}
