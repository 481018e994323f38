//! `evenkeel proxy`: one port in front of a cluster.

use std::path::PathBuf;

use evenkeel_config::{Config, Listen, Source};
use evenkeel_proxy::serve::{self, Options};

/// What is served without a configuration: four nodes in this process, for trying things out.
const FOR_TRYING_OUT: &str = r#"
[[pool]]
name   = "demo"
listen = ["127.0.0.1:22121"]

[[pool.node]]
name    = "node-1"
address = "embedded"

[[pool.node]]
name    = "node-2"
address = "embedded"

[[pool.node]]
name    = "node-3"
address = "embedded"

[[pool.node]]
name    = "node-4"
address = "embedded"
"#;

/// Serve memcached clients from a cluster of nodes.
///
/// Without a configuration it serves four nodes inside this process on 127.0.0.1:22121, for trying things out.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Configuration: evenkeel.toml, a twemproxy YAML file, or a libketama server file.
    #[arg(long, short, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Listen here instead of where the configuration says (only with a single pool).
    #[arg(long, value_name = "ADDRESS")]
    listen: Vec<Listen>,
    /// Admin listener, or "off".
    #[arg(long, value_name = "ADDRESS")]
    admin: Option<String>,
    /// On SIGHUP take over changes of nodes and placement at once; moved keys miss.
    #[arg(long)]
    move_now: bool,
}

/// Serves until SIGTERM.
///
/// # Errors
/// When the configuration is wrong or it cannot start.
pub fn run(args: Args) -> anyhow::Result<()> {
    let loaded = match &args.config {
        Some(path) => Config::load(path),
        None => Config::parse(Source::new("(built in)", FOR_TRYING_OUT)),
    };
    let (mut config, warnings) = loaded.map_err(|errors| anyhow::anyhow!("{errors}"))?;
    eprint!("{warnings}");
    if !args.listen.is_empty() {
        match config.pools.as_mut_slice() {
            [pool] => pool.listen = args.listen,
            pools => anyhow::bail!(
                "--listen is for a configuration with a single pool; this one has {}",
                pools.len()
            ),
        }
    }
    if let Some(admin) = &args.admin {
        config.admin.listen = match admin.as_str() {
            "off" => None,
            address => Some(address.parse().map_err(anyhow::Error::msg)?),
        };
    }
    let options = Options {
        path: args.config,
        move_now: args.move_now,
    };
    Ok(serve::run(&config, &options)?)
}
