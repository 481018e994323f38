//! `evenkeel lookup`: which node has a key.

use std::io::{self, BufWriter, Write};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use evenkeel_core::{NodeIndex, Placement};
use serde_json::json;

use crate::exit::Exit;
use crate::keys::Keys;
use crate::pool::PoolArgs;

/// Print the node of each key
///
/// A line for each key: the key, a tab, the node's name, a tab, its address. A key may hold tabs: split from the right.
#[derive(clap::Args)]
#[command(after_long_help = "Examples:
  Where libmemcached, and PHP with LIBKETAMA_COMPATIBLE, look for user:42:
    evenkeel lookup --placement libmemcached-ketama-weighted/md5 \\
      --node 10.0.1.1:11211 --node 10.0.1.2:11211 --node 10.0.1.3:11211@2 user:42

  Every key of a list under a twemproxy file:
    evenkeel lookup --config nutcracker.yml --pool sessions < keys.txt

  Three nodes for each key, as JSON:
    evenkeel lookup --config evenkeel.toml --replicas 3 --json user:42")]
pub struct Args {
    #[command(flatten)]
    pool: PoolArgs,
    /// Print this many distinct nodes for each key, in the order of preference
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    replicas: u16,
    /// Print a JSON object a line
    #[arg(long)]
    json: bool,
    /// Keys on stdin are separated by NUL bytes, not by lines
    #[arg(short = '0', long = "null")]
    nul_separated: bool,
    /// Keys; without any, or with `-`, they are read from stdin, a line each
    #[arg(value_name = "KEY")]
    keys: Vec<String>,
}

/// Runs the command.
pub fn run(args: &Args) -> anyhow::Result<Exit> {
    let placement = Placement::build(&args.pool.topology()?);
    let mut out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    let mut nodes = Vec::new();
    Keys::new(&args.keys, args.nul_separated).for_each(|key| {
        nodes.clear();
        if args.replicas == 1 {
            nodes.push(placement.node_of(key));
        } else {
            nodes.extend(placement.walk(key).take(usize::from(args.replicas)));
        }
        if args.json {
            print_json(&mut out, &placement, key, &nodes)
        } else {
            print_text(&mut out, &placement, key, &nodes)
        }
    })?;
    out.flush()?;
    Ok(Exit::Done)
}

fn print_text(
    out: &mut impl Write,
    placement: &Placement,
    key: &[u8],
    nodes: &[NodeIndex],
) -> io::Result<()> {
    out.write_all(key)?;
    for &index in nodes {
        let node = placement.topology().node(index);
        write!(out, "\t{}\t{}", node.name, node.address)?;
    }
    out.write_all(b"\n")
}

fn print_json(
    out: &mut impl Write,
    placement: &Placement,
    key: &[u8],
    nodes: &[NodeIndex],
) -> io::Result<()> {
    let mut line = json!({ "schema": 1 });
    match std::str::from_utf8(key) {
        Ok(text) => line["key"] = json!(text),
        Err(_) => line["key_base64"] = json!(STANDARD.encode(key)),
    }
    let described = |index: &NodeIndex| {
        let node = placement.topology().node(*index);
        (node.name.clone(), node.address.to_string())
    };
    if let Some((name, address)) = nodes.first().map(described) {
        line["node"] = json!(name);
        line["address"] = json!(address);
    }
    line["hash"] = json!(format!("{:x}", placement.hash_of(key)));
    if nodes.len() > 1 {
        let list = nodes.iter().map(described);
        let list = list.map(|(name, address)| json!({ "node": name, "address": address }));
        line["replicas"] = list.collect();
    }
    serde_json::to_writer(&mut *out, &line)?;
    out.write_all(b"\n")
}
