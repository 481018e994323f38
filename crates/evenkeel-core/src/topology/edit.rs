//! A topology that differs from another in one node.

use super::{EditError, Topology, TopologyError};
use crate::{Node, NodeIndex, Weight};

impl Topology {
    /// The same with one more node, at the end of the list.
    ///
    /// # Errors
    /// If the result is not possible, for instance because the name is taken.
    pub fn with_node(&self, node: Node) -> Result<Self, TopologyError> {
        let mut nodes = self.nodes().to_vec();
        nodes.push(node);
        self.with_nodes(nodes)
    }

    /// The same without one node. The nodes after it move up by one place.
    ///
    /// # Errors
    /// If no node has this name, or none would be left.
    pub fn without_node(&self, name: &str) -> Result<Self, EditError> {
        let index = self.find(name)?;
        let mut nodes = self.nodes().to_vec();
        nodes.remove(index.get());
        Ok(self.with_nodes(nodes)?)
    }

    /// The same with another weight for one node.
    ///
    /// # Errors
    /// If no node has this name, or the weight is not possible.
    pub fn with_weight(&self, name: &str, weight: Weight) -> Result<Self, EditError> {
        let index = self.find(name)?;
        let mut nodes = self.nodes().to_vec();
        nodes[index.get()].weight = weight;
        Ok(self.with_nodes(nodes)?)
    }

    /// The same placement over other nodes.
    ///
    /// # Errors
    /// If the result is not possible.
    pub fn with_nodes(&self, nodes: Vec<Node>) -> Result<Self, TopologyError> {
        Self::new(nodes, self.scheme().clone(), self.key_rule().clone())
    }

    fn find(&self, name: &str) -> Result<NodeIndex, EditError> {
        self.index_of(name).ok_or_else(|| {
            let names = self.nodes().iter().map(|node| node.name.as_str());
            let nearest = crate::nearest::nearest(name, names).unwrap_or_default();
            EditError::UnknownNode {
                name: name.to_owned(),
                nearest: nearest.to_owned(),
            }
        })
    }
}
