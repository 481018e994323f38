//! Reading the recorded assignments.

use std::path::PathBuf;

use evenkeel_core::{KeyRule, Label, Node, Scheme, Topology, Weight};
use serde_json::Value;

pub fn path(file: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("tests/vectors")
        .join(file)
}

pub fn text(file: &str) -> String {
    std::fs::read_to_string(path(file)).unwrap()
}

pub fn json(file: &str) -> Value {
    serde_json::from_str(&text(file)).unwrap()
}

pub fn json_lines(file: &str) -> Vec<Value> {
    text(file)
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// The keys that all lists of assignments are about.
pub fn keys() -> Vec<String> {
    serde_json::from_value(json("keys.json")).unwrap()
}

/// The nodes of a line: `[host, port, weight, name]` each.
pub fn nodes(line: &Value) -> Vec<Node> {
    line["nodes"].as_array().unwrap().iter().map(node).collect()
}

fn node(value: &Value) -> Node {
    let (host, port) = (value[0].as_str().unwrap(), value[1].as_u64().unwrap());
    let weight: Weight = value[2].to_string().parse().unwrap();
    let address = format!("{host}:{port}").parse().unwrap();
    Node::new(value[3].as_str().unwrap(), address).weighing(weight)
}

/// A row of `presets.tsv`.
#[derive(Debug)]
pub struct Row {
    pub preset: String,
    pub options: String,
    pub file: String,
    pub select: Value,
    pub need: String,
}

pub fn rows() -> Vec<Row> {
    let table = text("presets.tsv");
    let row = |line: &str| {
        let fields: Vec<&str> = line.split('\t').collect();
        Row {
            preset: fields[0].to_owned(),
            options: fields[1].to_owned(),
            file: fields[2].to_owned(),
            select: serde_json::from_str(fields[3]).unwrap(),
            need: fields[4].to_owned(),
        }
    };
    table.lines().skip(1).map(row).collect()
}

impl Row {
    /// Whether the line is this row's: every dotted path has its value.
    pub fn selects(&self, line: &Value) -> bool {
        let at = |path: &str| path.split('.').fold(line, |value, key| &value[key]);
        self.select
            .as_object()
            .unwrap()
            .iter()
            .all(|(path, value)| at(path) == value)
    }

    /// The command-line options as a scheme and a key rule.
    pub fn scheme(&self) -> (Scheme, KeyRule) {
        let (mut points, mut label, mut key_rule) = (None, None::<Label>, KeyRule::default());
        let mut words = self.options.split_whitespace();
        while let Some(option) = words.next() {
            let value = words.next().unwrap();
            match option {
                "--points" => points = Some(value.parse().unwrap()),
                "--label" => label = Some(value.parse().unwrap()),
                "--hash-tag" => key_rule.hash_tag = Some(value.as_bytes().try_into().unwrap()),
                _ => panic!("unknown option {option}"),
            }
        }
        (
            Scheme::Preset {
                name: self.preset.clone(),
                points,
                label,
            },
            key_rule,
        )
    }

    pub fn topology(&self, nodes: Vec<Node>) -> Topology {
        let (scheme, key_rule) = self.scheme();
        Topology::new(nodes, scheme, key_rule).unwrap()
    }
}
