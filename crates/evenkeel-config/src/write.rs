//! Pools as `evenkeel.toml`: what `evenkeel import` prints.

use std::fmt::Write;

use evenkeel_core::{Node, Scheme, Topology};

use crate::{Pool, Protocol, Settings};

/// A file with these pools that [`crate::Config::load`] reads back to the same placement.
///
/// # Errors
/// When a placement's description cannot be written as TOML; the error says why.
pub fn to_toml(pools: &[Pool]) -> Result<String, toml::ser::Error> {
    let mut text = String::new();
    for (index, pool) in pools.iter().enumerate() {
        if index > 0 {
            text.push('\n');
        }
        write_pool(&mut text, pool)?;
    }
    Ok(text)
}

/// A text in quotes.
fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}

fn write_pool(out: &mut String, pool: &Pool) -> Result<(), toml::ser::Error> {
    let protocol = match pool.protocol {
        Protocol::Memcached => "memcached",
        Protocol::Redis => "redis",
    };
    let _ = writeln!(
        out,
        "[[pool]]\nname = {}\nprotocol = \"{protocol}\"",
        quoted(&pool.name)
    );
    if !pool.listen.is_empty() {
        let listen: Vec<String> = pool
            .listen
            .iter()
            .map(|listen| quoted(&listen.to_string()))
            .collect();
        let _ = writeln!(out, "listen = [{}]", listen.join(", "));
    }
    let _ = writeln!(out, "placement = {}", placement(pool.topology.scheme())?);
    write_key_rule(out, &pool.topology);
    write_settings(out, &pool.settings);
    for node in pool.topology.nodes() {
        write_node(out, node);
    }
    Ok(())
}

fn placement(scheme: &Scheme) -> Result<String, toml::ser::Error> {
    match scheme {
        Scheme::Preset {
            name,
            points: None,
            label: None,
        } => Ok(quoted(name)),
        other => Ok(toml::Value::try_from(other)?.to_string()),
    }
}

fn write_key_rule(out: &mut String, topology: &Topology) {
    let rule = topology.key_rule();
    if let Some([open, close]) = rule.hash_tag {
        let tag: String = [char::from(open), char::from(close)].iter().collect();
        let _ = writeln!(out, "hash_tag = {}", quoted(&tag));
    }
    if let Some(prefix) = &rule.strip_prefix {
        let _ = writeln!(
            out,
            "strip_prefix = {}",
            quoted(&String::from_utf8_lossy(prefix))
        );
    }
}

/// Those that differ from the defaults.
fn write_settings(out: &mut String, settings: &Settings) {
    let usual = Settings::default();
    for (key, value, default) in [
        (
            "connect_timeout",
            settings.connect_timeout,
            usual.connect_timeout,
        ),
        (
            "request_timeout",
            settings.request_timeout,
            usual.request_timeout,
        ),
    ] {
        if value != default {
            let _ = writeln!(out, "{key} = \"{}ms\"", value.as_millis());
        }
    }
    for (key, value, default) in [
        ("connections", settings.connections, usual.connections),
        ("max_clients", settings.max_clients, usual.max_clients),
    ] {
        if value != default {
            let _ = writeln!(out, "{key} = {value}");
        }
    }
}

fn write_node(out: &mut String, node: &Node) {
    let address = quoted(&node.address.to_string());
    let _ = writeln!(
        out,
        "\n[[pool.node]]\nname = {}\naddress = {address}",
        quoted(&node.name)
    );
    if node.weight != evenkeel_core::Weight::ONE {
        let _ = writeln!(out, "weight = {}", node.weight);
    }
    if let Some(zone) = &node.zone {
        let _ = writeln!(out, "zone = {}", quoted(zone));
    }
}
