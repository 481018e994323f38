//! Which pool a command is about: one described by options, or one of a file.

use std::path::PathBuf;

use anyhow::{Context, bail};
use clap::Args;
use evenkeel_config::Config;
use evenkeel_core::{Address, KeyRule, Label, Node, Scheme, Topology};

/// The options that describe a pool.
#[derive(Args, Clone, Debug)]
pub struct PoolArgs {
    /// A scheme or a preset: see `evenkeel presets`
    #[arg(
        long,
        value_name = "PRESET",
        default_value = "slots",
        conflicts_with = "config"
    )]
    pub placement: String,
    /// A node; once for each. Without `NAME=` its name is the address as written
    #[arg(
        long = "node",
        value_name = "NAME=ADDRESS[@WEIGHT]",
        conflicts_with = "config"
    )]
    pub nodes: Vec<String>,
    /// Points for a node of weight 1, for presets that let their users choose
    #[arg(long, value_name = "N", conflicts_with = "config")]
    pub points: Option<u32>,
    /// The text that stands for a node on the ring: host, host:port or name
    #[arg(long, value_name = "LABEL", conflicts_with = "config")]
    pub label: Option<Label>,
    /// Two characters: of a key only what stands between them is hashed
    #[arg(long, value_name = "{}", conflicts_with = "config")]
    pub hash_tag: Option<String>,
    /// A prefix of keys that is not hashed
    #[arg(long, value_name = "PREFIX", conflicts_with = "config")]
    pub strip_prefix: Option<String>,
    /// A file: evenkeel.toml, a twemproxy .yml, a libketama .servers
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// The pool of the file, if it has several
    #[arg(long, value_name = "NAME", requires = "config")]
    pub pool: Option<String>,
}

impl PoolArgs {
    /// The topology that is meant. Warnings go to stderr.
    pub fn topology(&self) -> anyhow::Result<Topology> {
        match &self.config {
            Some(path) => {
                let (config, warnings) = Config::load(path).map_err(anyhow::Error::msg)?;
                if !warnings.list.is_empty() {
                    anstream::eprintln!("{warnings}");
                }
                let pool = config
                    .pool(self.pool.as_deref())
                    .map_err(anyhow::Error::msg)?;
                Ok(pool.topology.clone())
            }
            None => self.described(),
        }
    }

    fn described(&self) -> anyhow::Result<Topology> {
        if self.nodes.is_empty() {
            bail!(
                "say which nodes there are: --node NAME=ADDRESS[@WEIGHT] for each, or --config FILE"
            );
        }
        let nodes = self
            .nodes
            .iter()
            .map(|text| parse_node(text).with_context(|| format!("--node {text:?}")))
            .collect::<anyhow::Result<Vec<_>>>()?;
        let topology = Topology::new(nodes, self.scheme()?, self.key_rule()?)?;
        for warning in topology.warnings() {
            anstream::eprintln!("evenkeel: warning: {warning}");
        }
        Ok(topology)
    }

    fn scheme(&self) -> anyhow::Result<Scheme> {
        let scheme: Scheme = self.placement.parse()?;
        match scheme {
            Scheme::Preset { name, .. } => Ok(Scheme::Preset {
                name,
                points: self.points,
                label: self.label,
            }),
            Scheme::Ring(mut ring) => {
                ring.points = self.points.unwrap_or(ring.points);
                ring.label = self.label.unwrap_or(ring.label);
                Ok(Scheme::Ring(ring))
            }
            other if self.points.is_some() || self.label.is_some() => {
                bail!(
                    "{} has no points and no labels; leave --points and --label out",
                    other.name()
                )
            }
            other => Ok(other),
        }
    }

    fn key_rule(&self) -> anyhow::Result<KeyRule> {
        let mut rule = KeyRule::default();
        if let Some(tag) = &self.hash_tag {
            match *tag.as_bytes() {
                [open, close] => rule.hash_tag = Some([open, close]),
                _ => bail!("--hash-tag {tag:?} has not two characters; write --hash-tag '{{}}'"),
            }
        }
        rule.strip_prefix = self.strip_prefix.clone().map(String::into_bytes);
        Ok(rule)
    }
}

/// `NAME=ADDRESS[@WEIGHT]`; without a name the address as written is the name.
fn parse_node(text: &str) -> anyhow::Result<Node> {
    let is_path = text.starts_with('/') || text.starts_with("unix:");
    let (name, rest) = match text.split_once('=') {
        Some((name, rest)) if !is_path => (Some(name), rest),
        _ => (None, text),
    };
    let (address, weight) = match rest.rsplit_once('@') {
        Some((address, weight)) => (address, Some(weight)),
        None => (rest, None),
    };
    let parsed: Address = address.parse()?;
    let node = Node::new(name.unwrap_or(address), parsed);
    Ok(match weight {
        Some(weight) => node.weighing(
            weight
                .parse()
                .with_context(|| format!("the weight {weight:?}"))?,
        ),
        None => node,
    })
}
