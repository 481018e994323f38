//! libketama's server file: `host:port`, a tab, and the memory or weight, a line each; `#` begins a comment.

use std::sync::Arc;

use evenkeel_core::{KeyRule, Node, Scheme, Topology, Weight};

use crate::config::Config;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::{MigrationSettings, Pool, Protocol, Settings};

/// Reads the source of `diagnostics` into one pool named `default`.
pub fn read(diagnostics: &mut Diagnostics) -> Option<Config> {
    let source = Arc::clone(&diagnostics.source);
    let mut nodes = Vec::new();
    let mut start = 0;
    for line in source.text()?.split_inclusive('\n') {
        let span = start..start + line.trim_end().len();
        start += line.len();
        match node(line) {
            Ok(Some(node)) => nodes.push(node),
            Ok(None) => {}
            Err(message) => diagnostics.push(
                Diagnostic::error(span, message)
                    .remedy("write host:port, a tab and the weight: 10.0.1.1:11211\t600"),
            ),
        }
    }
    if diagnostics.has_errors() {
        return None;
    }
    match Topology::new(nodes, Scheme::preset("libketama"), KeyRule::default()) {
        Ok(topology) => Some(Config {
            pools: vec![Pool {
                name: "default".to_owned(),
                protocol: Protocol::Memcached,
                listen: Vec::new(),
                topology,
                memory: Default::default(),
                settings: Settings::default(),
                migration: MigrationSettings::default(),
            }],
            ..Config::default()
        }),
        Err(error) => {
            diagnostics.push(Diagnostic::error(0..0, error.to_string()));
            None
        }
    }
}

/// The node of a line; `None` for a blank line or a comment. Its name is the address as written: that is what libketama hashes.
fn node(line: &str) -> Result<Option<Node>, String> {
    let line = line.trim();
    if line.is_empty() || line.starts_with('#') {
        return Ok(None);
    }
    let mut words = line.split_whitespace();
    let (Some(address), Some(weight), None) = (words.next(), words.next(), words.next()) else {
        return Err(format!("{line:?} is not an address and a weight"));
    };
    let weight: Weight = weight
        .parse()
        .map_err(|error| format!("the weight: {error}"))?;
    let parsed = address
        .parse()
        .map_err(|error| format!("the address: {error}"))?;
    Ok(Some(Node::new(address, parsed).weighing(weight)))
}
