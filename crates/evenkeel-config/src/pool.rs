//! A pool: nodes that share one keyspace, and how clients reach it.

use std::collections::HashMap;
use std::fmt;
use std::ops::Range;
use std::path::PathBuf;
use std::str::FromStr;

use evenkeel_core::{Topology, TopologyError};
use toml::Spanned;
use toml::de::DeTable;

use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::node::{self, NodeEntry};
use crate::reader::Reader;
use crate::{MigrationSettings, Settings, placement, settings};

/// What clients and nodes of a pool speak.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Protocol {
    /// The text and meta protocols of memcached.
    #[default]
    Memcached,
    /// RESP2 and RESP3.
    Redis,
}

/// Where a pool listens.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Listen {
    /// `host:port`, as text: names are resolved when the socket is opened.
    Tcp(String),
    /// `unix:/path`.
    Unix(PathBuf),
}

impl FromStr for Listen {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if let Some(path) = text
            .strip_prefix("unix:")
            .or(text.starts_with('/').then_some(text))
        {
            return Ok(Self::Unix(path.into()));
        }
        let port = text
            .rsplit_once(':')
            .map(|(host, port)| (host, port.parse::<u16>()));
        match port {
            Some((host, Ok(_))) if !host.is_empty() => Ok(Self::Tcp(text.to_owned())),
            _ => Err(format!("{text:?} is no address to listen on")),
        }
    }
}

impl fmt::Display for Listen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tcp(text) => f.write_str(text),
            Self::Unix(path) => write!(f, "unix:{}", path.display()),
        }
    }
}

/// One pool of the file.
#[derive(Clone, Debug)]
pub struct Pool {
    /// Its name, unique in the file.
    pub name: String,
    /// What is spoken.
    pub protocol: Protocol,
    /// Where it listens; a pool that is only looked up may listen nowhere.
    pub listen: Vec<Listen>,
    /// Nodes, placement and key rule.
    pub topology: Topology,
    /// Memory in bytes of each embedded node that has a limit of its own, by the node's name.
    pub memory: HashMap<String, u64>,
    /// What may change without moving a key.
    pub settings: Settings,
    /// How keys are moved.
    pub migration: MigrationSettings,
}

/// Reads one pool; `None` if it has errors, which are told.
pub(crate) fn read(
    table: Spanned<DeTable<'_>>,
    diagnostics: &mut Diagnostics,
) -> Option<(Pool, Range<usize>)> {
    let mut reader = Reader::new(table, diagnostics);
    let span = reader.span.clone();
    let (name, name_span) = reader
        .text("name")
        .unwrap_or(("default".to_owned(), span.clone()));
    let protocol = read_protocol(&mut reader);
    let listen = read_listen(&mut reader);
    let (scheme, scheme_span) = placement::read_scheme(&mut reader);
    let key_rule = placement::read_key_rule(&mut reader, protocol);
    let settings = settings::read(&mut reader);
    let migration = match reader.table("migration") {
        Some(table) => MigrationSettings::read(Reader::new(table, reader.diagnostics)),
        None => MigrationSettings::default(),
    };
    let tables = reader.tables("node");
    let listed = tables.len();
    reader.finish();
    let entries: Vec<NodeEntry> = tables
        .into_iter()
        .filter_map(|table| node::read(table, diagnostics))
        .collect();
    if entries.len() < listed {
        return None;
    }
    let nodes = entries.iter().map(|entry| entry.node.clone()).collect();
    let memory = entries
        .iter()
        .filter_map(|entry| Some((entry.node.name.clone(), entry.memory?)))
        .collect();
    match Topology::new(nodes, scheme?, key_rule) {
        Ok(topology) => {
            warn(&topology, &entries, &scheme_span, diagnostics);
            let pool = Pool {
                name,
                protocol,
                listen,
                topology,
                memory,
                settings,
                migration,
            };
            Some((pool, name_span))
        }
        Err(error) => {
            diagnostics.push(explain(&error, &entries, &scheme_span));
            None
        }
    }
}

fn read_protocol(reader: &mut Reader<'_, '_>) -> Protocol {
    match reader.text("protocol") {
        None => Protocol::default(),
        Some((text, _)) if text == "memcached" => Protocol::Memcached,
        Some((text, _)) if text == "redis" => Protocol::Redis,
        Some((text, span)) => {
            let message = format!("there is no protocol {text:?}");
            reader.error(span, message, "write \"memcached\" or \"redis\"");
            Protocol::default()
        }
    }
}

fn read_listen(reader: &mut Reader<'_, '_>) -> Vec<Listen> {
    let mut listen = Vec::new();
    for (text, span) in reader.texts("listen") {
        match text.parse() {
            Ok(address) => listen.push(address),
            Err(message) => reader.error(
                span,
                message,
                "write \"127.0.0.1:22121\", \"[::1]:22121\" or \"unix:/path\"",
            ),
        }
    }
    listen
}

/// Where the node at a place of the list, from 1, is written.
fn at(entries: &[NodeEntry], position: usize) -> Range<usize> {
    let entry = position.checked_sub(1).and_then(|index| entries.get(index));
    entry.map_or(0..0, |entry| entry.span.clone())
}

/// A topology's error at the place that it is about.
fn explain(error: &TopologyError, entries: &[NodeEntry], pool: &Range<usize>) -> Diagnostic {
    match error {
        TopologyError::DuplicateName { first, second, .. } => {
            Diagnostic::error(at(entries, *second), error.to_string())
                .other(at(entries, *first), "the first one with this name")
        }
        TopologyError::BadName { position, .. } => {
            Diagnostic::error(at(entries, *position), error.to_string())
        }
        other => {
            let text = other.to_string();
            let named = entries
                .iter()
                .find(|entry| text.starts_with(&format!("node {:?}", entry.node.name)));
            Diagnostic::error(named.map_or(pool.clone(), |entry| entry.span.clone()), text)
        }
    }
}

fn warn(
    topology: &Topology,
    entries: &[NodeEntry],
    scheme: &Range<usize>,
    diagnostics: &mut Diagnostics,
) {
    for warning in topology.warnings() {
        let text = warning.to_string();
        let named = entries
            .iter()
            .rev()
            .find(|entry| text.contains(&format!("{:?}", entry.node.name)));
        let span = named.map_or(scheme.clone(), |entry| entry.span.clone());
        diagnostics.push(Diagnostic::warning(span, text));
    }
}
