//! Placement for cache clusters: every consistent-hashing ring that people run, bit for bit, and the rules of a safe migration.
//!
//! A [`Topology`] is a checked list of [`Node`]s with a [`Scheme`] and a [`KeyRule`]; a [`Placement`] is built from it and answers which
//! node has a key. Nothing here does I/O, reads a clock or runs a thread.
//!
//! ```
//! use evenkeel_core::{KeyRule, Node, Placement, Scheme, Topology};
//!
//! let nodes = vec![Node::new("cache-1", "10.0.1.1".parse()?), Node::new("cache-2", "10.0.1.2".parse()?)];
//! let topology = Topology::new(nodes, Scheme::default(), KeyRule::default())?;
//! let placement = Placement::build(&topology);
//! let node = topology.node(placement.node_of(b"user:42"));
//! println!("{} at {}", node.name, node.address);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod address;
pub mod analysis;
pub mod hash;
mod key_rule;
pub mod migration;
mod nearest;
pub mod node;
pub mod placement;
pub mod presets;
pub mod scheme;
pub mod topology;
pub mod weight;

pub use address::{Address, AddressError};
pub use hash::Hash;
pub use key_rule::KeyRule;
pub use node::{Node, NodeIndex};
pub use placement::Placement;
pub use presets::{Preset, presets};
pub use scheme::{Label, Scheme};
pub use topology::{MAX_NODES, MAX_POINTS, Topology, TopologyError, Warning};
pub use weight::{Weight, WeightError};
