//! The runs that the articles print, step by step.

use evenkeel_core::{KeyRule, Label, Node, Placement, Scheme, Topology};
use serde_json::Value;

use crate::vectors::json;

fn preset(id: &str) -> Scheme {
    let name = match id {
        "md5-crc32-ring-5" => "article-md5-crc32",
        "crc32-unit-circle-1" => "article-unit-circle",
        "crc32-unit-circle-160" => "article-unit-circle-160",
        "times31-ring-descending" => "article-times31",
        other => panic!("no preset for {other}"),
    };
    Scheme::Preset {
        name: name.into(),
        points: None,
        label: Some(Label::Host),
    }
}

/// One step of a run: nodes come or go, and coming twice or going twice changes nothing.
fn step(placement: Option<Placement>, scheme: &Scheme, step: &Value) -> Placement {
    let names = step["nodes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|name| name.as_str().unwrap());
    names
        .fold(placement, |placement, name| {
            let node = Node::new(name, name.parse().unwrap());
            let known = placement
                .as_ref()
                .is_some_and(|p| p.topology().index_of(name).is_some());
            match (placement, step["op"].as_str().unwrap()) {
                (None, "add") => {
                    let topology = Topology::new(vec![node], scheme.clone(), KeyRule::default());
                    Some(Placement::build(&topology.unwrap()))
                }
                (Some(placement), "add") if !known => Some(placement.with_node(node).unwrap()),
                (Some(placement), "remove") if known => Some(placement.without_node(name).unwrap()),
                (placement, _) => placement,
            }
        })
        .unwrap()
}

#[test]
fn the_articles_printed_results_are_reproduced() {
    let mut compared = 0;
    for run in json("php_article_sequences.json").as_array().unwrap() {
        let scheme = preset(run["id"].as_str().unwrap());
        let mut placement = None;
        for operation in run["steps"].as_array().unwrap() {
            let now = step(placement, &scheme, operation);
            for (key, node) in operation["then"].as_object().unwrap() {
                let name = &now.topology().node(now.node_of(key.as_bytes())).name;
                assert_eq!(name, node.as_str().unwrap(), "{} {key}", run["id"]);
                compared += 1;
            }
            placement = Some(now);
        }
        let key_hashes = run["key_hashes"].as_object().into_iter().flatten();
        for (key, hash) in key_hashes {
            assert_eq!(
                Some(placement.as_ref().unwrap().hash_of(key.as_bytes())),
                hash.as_u64()
            );
        }
    }
    assert!(compared >= 80, "{compared}");
}
