//! `evenkeel check`: is a file right, and what becomes of each setting of a twemproxy file.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use evenkeel_config::twemproxy::{self, Fate};
use evenkeel_config::{Config, Source};
use serde_json::json;

use crate::exit::Exit;

/// Check a configuration file
///
/// Prints what is wrong with it and what to write instead. For a twemproxy file also a line for each setting: same, different (how), or
/// refused (why).
#[derive(clap::Args)]
#[command(after_long_help = "Examples:
  Before a deployment, with warnings as errors:
    evenkeel check --strict --config evenkeel.toml
  What would change when this file moves from nutcracker to evenkeel:
    evenkeel check --config nutcracker.yml
  In a script:
    evenkeel check --json --config evenkeel.toml | jq .pools")]
pub struct Args {
    /// The file: evenkeel.toml, a twemproxy .yml, a libketama .servers
    #[arg(long, value_name = "FILE", default_value = "evenkeel.toml")]
    config: PathBuf,
    /// Warnings are errors
    #[arg(long)]
    strict: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &Args) -> anyhow::Result<Exit> {
    let verdicts = verdicts(&args.config);
    let (config, diagnostics) = match Config::load(&args.config) {
        Ok((config, warnings)) if args.strict => (Some(config), warnings.strict()),
        Ok((config, warnings)) => (Some(config), warnings),
        Err(errors) => (None, errors),
    };
    if !diagnostics.list.is_empty() {
        anstream::eprintln!("{diagnostics}");
    }
    let mut out = io::stdout().lock();
    if args.json {
        writeln!(
            out,
            "{}",
            to_json(config.as_ref(), &verdicts, diagnostics.has_errors())
        )?;
    } else {
        for verdict in &verdicts {
            writeln!(
                out,
                "{}.{}: {}",
                verdict.pool, verdict.setting, verdict.fate
            )?;
        }
        for pool in config.iter().flat_map(|config| &config.pools) {
            let nodes = pool.topology.nodes().len();
            let scheme = pool.topology.scheme().name();
            writeln!(
                out,
                "pool {}: {nodes} nodes, {scheme}, digest {}",
                pool.name,
                pool.topology.digest()
            )?;
        }
    }
    Ok(if diagnostics.has_errors() {
        Exit::Usage
    } else {
        Exit::Done
    })
}

fn verdicts(path: &Path) -> Vec<twemproxy::Verdict> {
    let is_yaml = path
        .extension()
        .is_some_and(|ending| ending == "yml" || ending == "yaml");
    match std::fs::read_to_string(path) {
        Ok(text) if is_yaml => twemproxy::verdicts(Source::new(path.display().to_string(), text)),
        // What is wrong with reading it is told by loading it.
        _ => Vec::new(),
    }
}

fn to_json(
    config: Option<&Config>,
    verdicts: &[twemproxy::Verdict],
    has_errors: bool,
) -> serde_json::Value {
    let settings: Vec<_> = verdicts
        .iter()
        .map(|verdict| {
            let (fate, why) = match &verdict.fate {
                Fate::Same => ("same", None),
                Fate::Different(how) => ("different", Some(how)),
                Fate::Refused(why) => ("refused", Some(why)),
            };
            json!({ "pool": verdict.pool, "setting": verdict.setting, "fate": fate, "why": why })
        })
        .collect();
    let pools: Vec<_> = config
        .iter()
        .flat_map(|config| &config.pools)
        .map(|pool| {
            json!({
                "name": pool.name,
                "nodes": pool.topology.nodes().len(),
                "placement": pool.topology.scheme().name(),
                "digest": pool.topology.digest(),
            })
        })
        .collect();
    json!({ "schema": 1, "ok": !has_errors, "settings": settings, "pools": pools })
}
