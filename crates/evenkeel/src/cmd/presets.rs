//! `evenkeel presets`: the existing clients whose placement can be had bit for bit.

use std::io::{self, Write};

use evenkeel_core::{Preset, presets};
use serde_json::json;

use crate::exit::Exit;

/// List the presets: existing clients reproduced bit for bit
#[derive(clap::Args)]
#[command(after_long_help = "Examples:
  All of them:
    evenkeel presets
  What is known about one, with its quirks:
    evenkeel presets nginx-consistent
  For a script:
    evenkeel presets --json | jq -r '.presets[].name'")]
pub struct Args {
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// Tell all about this one
    #[arg(value_name = "PRESET")]
    name: Option<String>,
}

/// Runs the command.
pub fn run(args: &Args) -> anyhow::Result<Exit> {
    let chosen: Vec<&Preset> = match &args.name {
        Some(name) => vec![presets::find(name).ok_or_else(|| {
            anyhow::anyhow!(
                "there is no preset {name:?}; did you mean {:?}?",
                presets::nearest(name)
            )
        })?],
        None => presets().iter().collect(),
    };
    let mut out = io::stdout().lock();
    if args.json {
        let list: Vec<_> = chosen.iter().map(|preset| to_json(preset)).collect();
        writeln!(out, "{}", json!({ "schema": 1, "presets": list }))?;
    } else if args.name.is_some() {
        for preset in chosen {
            tell(&mut out, preset)?;
        }
    } else {
        let width = chosen
            .iter()
            .map(|preset| preset.name.len())
            .max()
            .unwrap_or(0);
        for preset in chosen {
            writeln!(out, "{:width$}  {}", preset.name, preset.about)?;
        }
    }
    Ok(Exit::Done)
}

fn to_json(preset: &Preset) -> serde_json::Value {
    json!({
        "name": preset.name,
        "about": preset.about,
        "version": preset.version,
        "quirks": preset.quirks,
        "takes_points": preset.takes_points,
        "takes_label": preset.takes_label,
    })
}

fn tell(out: &mut impl Write, preset: &Preset) -> io::Result<()> {
    writeln!(
        out,
        "{}\n  {}\n  reproduces: {}",
        preset.name, preset.about, preset.version
    )?;
    if !preset.quirks.is_empty() {
        writeln!(out, "  note: {}", preset.quirks)?;
    }
    let mut options = Vec::new();
    options.extend(preset.takes_points.then_some("--points"));
    options.extend(preset.takes_label.then_some("--label"));
    if !options.is_empty() {
        writeln!(out, "  options: {}", options.join(", "))?;
    }
    Ok(())
}
