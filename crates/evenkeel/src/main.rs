//! The `evenkeel` command: placement, plans and the proxy from a terminal.
//!
//! `args` is what can be typed, one file of `cmd` carries out one command, and `exit` says what its exit code means.

mod args;
mod cmd;
mod exit;
mod keys;
mod live;
mod pool;

use std::io;
use std::process::ExitCode;

use clap::Parser;

use args::{Arguments, Command};
use exit::Exit;

fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            // Help and version go to stdout and are no errors.
            let _ = error.print();
            return if error.use_stderr() {
                Exit::Usage
            } else {
                Exit::Done
            }
            .into();
        }
    };
    arguments.color.write_global();
    match run(arguments.command) {
        Ok(exit) => exit.into(),
        Err(error) => report(&error),
    }
}

fn run(command: Command) -> anyhow::Result<Exit> {
    match command {
        Command::Lookup(args) => cmd::lookup::run(&args),
        Command::Presets(args) => cmd::presets::run(&args),
        Command::Check(args) => cmd::check::run(&args),
        Command::Import(args) => cmd::import::run(&args),
        Command::Completions(args) => cmd::completions::run(&args),
        Command::Man(args) => cmd::man::run(&args),
        Command::Proxy(args) => cmd::proxy::run(args).map(|()| Exit::Done),
        Command::Apply(args) => done(args.run()),
        Command::Abort(args) => done(args.run()),
        Command::Status(args) => done(args.run()),
        Command::Rate(args) => done(args.run()),
    }
}

fn done(result: Result<(), live::Failure>) -> anyhow::Result<Exit> {
    Ok(result.map(|()| Exit::Done)?)
}

/// Says what went wrong on stderr. A reader that went away is no error: `evenkeel lookup ... | head` ends quietly.
fn report(error: &anyhow::Error) -> ExitCode {
    let closed = error
        .downcast_ref::<io::Error>()
        .is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe);
    if closed {
        return Exit::Done.into();
    }
    anstream::eprintln!("evenkeel: {error:#}");
    Exit::of(error).into()
}
