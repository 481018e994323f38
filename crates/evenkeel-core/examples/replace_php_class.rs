//! In place of a PHP class with a ring of CRC-32 and 64 virtual nodes: every key stays where the class put it.
//!
//! `cargo run -p evenkeel-core --example replace_php_class`

use evenkeel_core::{KeyRule, Label, Node, Placement, Scheme, Topology};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // The class was given "192.168.1.1" and so on: the host alone is the text that it hashed.
    let scheme = Scheme::Preset {
        name: "article-crc32-64".into(),
        points: None,
        label: Some(Label::Host),
    };
    let mut nodes = Vec::new();
    for i in 1..=10 {
        let host = format!("192.168.1.{i}");
        nodes.push(Node::new(&host, host.parse()?));
    }
    let before = Placement::build(&Topology::new(nodes, scheme, KeyRule::default())?);
    let after = before.with_node(Node::new("192.168.1.11", "192.168.1.11".parse()?))?;

    // The article's experiment: a thousand keys, ten nodes to eleven.
    let moved = |from: &Placement, to: &Placement| {
        let differs = |i: &u32| {
            let key = format!("key{i}");
            let name = |placement: &Placement| {
                placement
                    .topology()
                    .node(placement.node_of(key.as_bytes()))
                    .name
                    .clone()
            };
            name(from) != name(to)
        };
        (0..1_000).filter(differs).count()
    };
    let modulo = |placement: &Placement| -> Result<Placement, Box<dyn std::error::Error>> {
        let nodes = placement.topology().nodes().to_vec();
        Ok(Placement::build(&Topology::new(
            nodes,
            Scheme::preset("crc32-modulo"),
            KeyRule::default(),
        )?))
    };
    println!(
        "key1 is on {}",
        before.topology().node(before.node_of(b"key1")).name
    );
    println!("the ring moves {} of 1000 keys", moved(&before, &after));
    println!(
        "modulo moves {} of 1000 keys",
        moved(&modulo(&before)?, &modulo(&after)?)
    );
    Ok(())
}
