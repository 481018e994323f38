//! Every preset against every assignment that its original made.

use evenkeel_core::{Placement, Weight};
use serde_json::Value;

use crate::vectors::{Row, json_lines, keys, nodes, rows};

/// How many assignments agree, and the first few that do not.
struct Agreement {
    compared: usize,
    differing: Vec<String>,
}

fn compare(row: &Row, line: &Value, keys: &[String], agreement: &mut Agreement) {
    let mut nodes = nodes(line);
    // PHP was run without weights too, and a row that does not say so means the nodes as it saw them.
    let passed = &line["config"]["weights_passed"];
    if passed == false && row.select.get("config.weights_passed").is_none() {
        nodes.iter_mut().for_each(|node| node.weight = Weight::ONE);
    }
    let placement = Placement::build(&row.topology(nodes));
    let assigned = line["assign"].as_array().unwrap();
    assert_eq!(line["keys"], "all", "{}", row.file);
    for (key, assigned) in keys.iter().zip(assigned) {
        if row.need == "ascii keys only" && !key.is_ascii() || assigned.is_null() {
            continue;
        }
        agreement.compared += 1;
        let node = placement.node_of(key.as_bytes()).get() as u64;
        if Some(node) != assigned.as_u64() {
            agreement
                .differing
                .push(format!("{} {key:?}: {node}, not {assigned}", line["topo"]));
        }
    }
}

#[test]
fn every_preset_agrees_with_every_recorded_assignment() {
    let keys = keys();
    let (mut compared, mut wrong) = (0, Vec::new());
    for row in rows() {
        let mut agreement = Agreement {
            compared: 0,
            differing: Vec::new(),
        };
        if evenkeel_core::presets::find(&row.preset).is_none() {
            wrong.push(format!("{} is missing", row.preset));
            continue;
        }
        let lines = json_lines(&row.file);
        for line in lines.iter().filter(|line| row.selects(line)) {
            compare(&row, line, &keys, &mut agreement);
        }
        assert!(agreement.compared > 0, "{row:?} selects nothing");
        compared += agreement.compared;
        if !agreement.differing.is_empty() {
            wrong.push(format!(
                "{} {} {}: {} of {} differ, such as {:?}",
                row.preset,
                row.options,
                row.file,
                agreement.differing.len(),
                agreement.compared,
                &agreement.differing[..agreement.differing.len().min(3)]
            ));
        }
    }
    assert!(wrong.is_empty(), "of {compared}:\n{}", wrong.join("\n"));
    println!("{compared} assignments agree");
}
