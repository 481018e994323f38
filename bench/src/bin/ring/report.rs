//! Rows and figures, as a table or as JSON.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde_json::{Value, json};

/// One implementation at one size.
pub struct Row {
    pub implementation: &'static str,
    pub nodes: usize,
    pub what: &'static str,
    pub value: f64,
    pub unit: &'static str,
}

#[derive(Default)]
pub struct Report {
    pub rows: Vec<Row>,
    pub figures: BTreeMap<&'static str, f64>,
}

/// A figure's target: at least or at most so much.
const TARGETS: [(&str, bool, f64); 8] = [
    ("ring_vs_pingora_1000", true, 5.0),
    ("ring_vs_best_peer_1000", true, 1.0),
    ("slots_vs_hash_1000", false, 2.0),
    ("md5_vs_block_100", false, 1.15),
    ("build_vs_pingora_1000", false, 1.0),
    ("build_vs_add_1000", true, 3.0),
    ("build_vs_remove_1000", true, 3.0),
    ("bytes_per_point_1000", false, 16.0),
];

impl Report {
    pub fn add(
        &mut self,
        implementation: &'static str,
        nodes: usize,
        what: &'static str,
        value: f64,
        unit: &'static str,
    ) {
        self.rows.push(Row {
            implementation,
            nodes,
            what,
            value,
            unit,
        });
    }

    pub fn get(&self, implementation: &str, nodes: usize, what: &str) -> Option<f64> {
        let found = |row: &&Row| {
            row.implementation == implementation && row.nodes == nodes && row.what == what
        };
        self.rows.iter().find(found).map(|row| row.value)
    }

    pub fn json(&self) -> Value {
        let row = |row: &Row| json!({ "implementation": row.implementation, "nodes": row.nodes, "what": row.what, "value": round(row.value), "unit": row.unit });
        let rows: Vec<Value> = self.rows.iter().map(row).collect();
        let figures: BTreeMap<_, _> = self
            .figures
            .iter()
            .map(|(key, value)| (key, round(*value)))
            .collect();
        json!({ "schema": 1, "name": "ring", "figures": figures, "rows": rows })
    }

    pub fn table(&self) -> String {
        let mut text = String::new();
        for what in [
            "independent",
            "dependent",
            "build",
            "add",
            "remove",
            "memory",
        ] {
            let rows: Vec<&Row> = self.rows.iter().filter(|row| row.what == what).collect();
            let Some(first) = rows.first() else { continue };
            let mut sizes: Vec<usize> = rows.iter().map(|row| row.nodes).collect();
            sizes.sort_unstable();
            sizes.dedup();
            let heads: String = sizes.iter().map(|nodes| format!("{nodes:>10}")).collect();
            let _ = writeln!(
                text,
                "\n{:<34}{heads}  nodes",
                format!("{what}, {}", first.unit)
            );
            let mut names: Vec<&str> = Vec::new();
            rows.iter().for_each(|row| {
                if !names.contains(&row.implementation) {
                    names.push(row.implementation)
                }
            });
            for name in names {
                let cell = |nodes: &usize| {
                    self.get(name, *nodes, what)
                        .map_or("         -".to_owned(), |value| format!("{value:>10.2}"))
                };
                let _ = writeln!(
                    text,
                    "{name:<34}{}",
                    sizes.iter().map(cell).collect::<String>()
                );
            }
        }
        let _ = writeln!(text);
        for (key, value) in &self.figures {
            let _ = writeln!(text, "{key:<34}{value:>10.2}  {}", verdict(key, *value));
        }
        text
    }
}

fn verdict(key: &str, value: f64) -> String {
    let Some((_, least, target)) = TARGETS.iter().find(|(name, _, _)| *name == key) else {
        return String::new();
    };
    let met = if *least {
        value >= *target
    } else {
        value <= *target
    };
    format!(
        "{} {target}: {}",
        if *least { "at least" } else { "at most" },
        if met { "met" } else { "MISSED" }
    )
}

fn round(value: f64) -> f64 {
    (value * 1_000.0).round() / 1_000.0
}
