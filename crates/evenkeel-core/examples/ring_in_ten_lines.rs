//! A ring in ten lines: which node has a key, and what a new node would move.
//!
//! `cargo run -p evenkeel-core --example ring_in_ten_lines`

use evenkeel_core::{KeyRule, Node, Placement, Scheme, Topology, analysis};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let nodes = (1..=3).map(|i| {
        Ok(Node::new(
            format!("cache-{i}"),
            format!("10.0.1.{i}:11211").parse()?,
        ))
    });
    let nodes = nodes.collect::<Result<Vec<_>, evenkeel_core::AddressError>>()?;
    let ring: Scheme = "ring".parse()?;
    let placement = Placement::build(&Topology::new(nodes, ring, KeyRule::default())?);
    for key in ["user:1", "user:2", "session:abc"] {
        println!(
            "{key} is on {}",
            placement
                .topology()
                .node(placement.node_of(key.as_bytes()))
                .name
        );
    }
    let grown = placement.with_node(Node::new("cache-4", "10.0.1.4:11211".parse()?))?;
    println!(
        "a fourth node moves {:.1} % of the keys",
        100.0 * analysis::plan(&placement, &grown).moved
    );
    Ok(())
}
