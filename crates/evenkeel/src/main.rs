//! The `evenkeel` command.

mod cmd;

use clap::Parser;
use std::process::ExitCode;

/// Usage or configuration is wrong.
const EXIT_USAGE: u8 = 2;

/// Consistent hashing for cache clusters.
#[derive(Parser)]
#[command(version, about)]
enum Cli {
    Proxy(cmd::proxy::Args),
}

fn main() -> ExitCode {
    let Cli::Proxy(args) = Cli::parse();
    match cmd::proxy::run(args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("evenkeel: {error:#}");
            ExitCode::from(EXIT_USAGE)
        }
    }
}
