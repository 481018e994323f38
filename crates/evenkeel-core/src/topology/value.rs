//! The validated topology.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{TopologyError, check};
use crate::presets::Preset;
use crate::scheme::{Recipe, Scheme};
use crate::{KeyRule, Node, NodeIndex, presets};

/// The most nodes of a topology: a node's index has 16 bits, and the last value marks an empty place.
pub const MAX_NODES: usize = 65_535;

/// The most points of a ring or entries of a table, all nodes together. At 16 bytes each that is 256 MiB.
pub const MAX_POINTS: u64 = 16_777_216;

/// A pool's nodes, their weights and their placement. Immutable; cheap to clone.
///
/// ```
/// # use evenkeel_core::{Node, Scheme, Topology, KeyRule};
/// let nodes = vec![
///     Node::new("cache-1", "10.0.1.1:11211".parse()?),
///     Node::new("cache-2", "10.0.1.2:11211".parse()?),
/// ];
/// let topology = Topology::new(nodes, Scheme::default(), KeyRule::default())?;
/// assert_eq!(topology.nodes().len(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Written", into = "Written")]
pub struct Topology {
    inner: Arc<Inner>,
}

#[derive(Debug, PartialEq, Eq)]
struct Inner {
    nodes: Vec<Node>,
    scheme: Scheme,
    key_rule: KeyRule,
    recipe: Recipe,
}

/// A topology as it is stored.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    nodes: Vec<Node>,
    scheme: Scheme,
    #[serde(default)]
    key_rule: KeyRule,
}

impl Topology {
    /// Checks and keeps what was written.
    ///
    /// # Errors
    /// Whatever [`TopologyError`] lists; each names the node and what to write instead.
    pub fn new(nodes: Vec<Node>, scheme: Scheme, key_rule: KeyRule) -> Result<Self, TopologyError> {
        let recipe = presets::resolve(&scheme, &nodes)?;
        check::check(&nodes, &scheme, &recipe)?;
        Ok(Self {
            inner: Arc::new(Inner {
                nodes,
                scheme,
                key_rule,
                recipe,
            }),
        })
    }

    /// The nodes, in the order in which they were listed.
    #[must_use]
    pub fn nodes(&self) -> &[Node] {
        &self.inner.nodes
    }

    /// The node of an index that a placement of this topology gave.
    #[must_use]
    pub fn node(&self, index: NodeIndex) -> &Node {
        &self.inner.nodes[index.get()]
    }

    /// Where a node is in the list.
    #[must_use]
    pub fn index_of(&self, name: &str) -> Option<NodeIndex> {
        let index = self.inner.nodes.iter().position(|node| node.name == name)?;
        u16::try_from(index).ok().map(NodeIndex)
    }

    /// The placement, as written.
    #[must_use]
    pub fn scheme(&self) -> &Scheme {
        &self.inner.scheme
    }

    /// The placement's complete description.
    #[must_use]
    pub fn recipe(&self) -> &Recipe {
        &self.inner.recipe
    }

    /// The preset that the placement names.
    #[must_use]
    pub fn preset(&self) -> Option<&'static Preset> {
        match &self.inner.scheme {
            Scheme::Preset { name, .. } => presets::find(name),
            _ => None,
        }
    }

    /// Which bytes of a key are hashed.
    #[must_use]
    pub fn key_rule(&self) -> &KeyRule {
        &self.inner.key_rule
    }

    /// A name for exactly this topology: the same for two topologies that mean the same, whatever program wrote them. 32 hexadecimal
    /// digits. The order of the nodes counts only where the placement depends on it.
    #[must_use]
    pub fn digest(&self) -> String {
        super::digest::digest(self)
    }

    /// What is allowed and probably not meant.
    #[must_use]
    pub fn warnings(&self) -> Vec<super::Warning> {
        super::warning::warnings(self)
    }
}

impl TryFrom<Written> for Topology {
    type Error = TopologyError;

    fn try_from(written: Written) -> Result<Self, TopologyError> {
        Self::new(written.nodes, written.scheme, written.key_rule)
    }
}

impl From<Topology> for Written {
    fn from(topology: Topology) -> Self {
        let inner = &topology.inner;
        Self {
            nodes: inner.nodes.clone(),
            scheme: inner.scheme.clone(),
            key_rule: inner.key_rule.clone(),
        }
    }
}
