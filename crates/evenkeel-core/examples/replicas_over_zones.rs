//! Three replicas of a key, each in another zone.
//!
//! `cargo run -p evenkeel-core --example replicas_over_zones`

use evenkeel_core::{KeyRule, Node, Placement, Scheme, Topology};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut nodes = Vec::new();
    for (i, zone) in ["east", "east", "east", "west", "west", "north"]
        .iter()
        .enumerate()
    {
        nodes.push(Node::new(format!("cache-{i}"), format!("10.0.1.{i}").parse()?).in_zone(*zone));
    }
    let placement = Placement::build(&Topology::new(
        nodes,
        Scheme::default(),
        KeyRule::default(),
    )?);
    for key in ["user:1", "user:2"] {
        let replicas = placement.walk_zones(key.as_bytes()).into_iter().take(3);
        let nodes = replicas.map(|index| placement.topology().node(index));
        let text: Vec<String> = nodes
            .map(|node| format!("{} ({})", node.name, node.zone.as_deref().unwrap_or("-")))
            .collect();
        println!("{key}: {}", text.join(", "));
    }
    Ok(())
}
