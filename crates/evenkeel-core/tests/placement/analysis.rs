//! Plans, balances and identification, held against counting.

use evenkeel_core::analysis::{Method, Verdict, balance, compare, count, identify, plan};
use evenkeel_core::{KeyRule, Node, NodeIndex, Placement, Scheme, Topology};

use crate::vectors::{json_lines, keys, nodes, rows};

fn pool(count: usize) -> Vec<Node> {
    (1..=count)
        .map(|i| {
            Node::new(
                format!("cache-{i}"),
                format!("10.0.{}.{}:11211", i / 250, i % 250)
                    .parse()
                    .unwrap(),
            )
        })
        .collect()
}

fn build(nodes: Vec<Node>, scheme: &str) -> Placement {
    Placement::build(&Topology::new(nodes, scheme.parse().unwrap(), KeyRule::default()).unwrap())
}

/// A million keys where the build is optimised, fewer where it is not.
const KEYS: usize = if cfg!(debug_assertions) {
    60_000
} else {
    1_000_000
};

/// Five standard deviations of a count of so many keys.
const TOLERANCE: f64 = if cfg!(debug_assertions) {
    0.011
} else {
    0.0026
};

fn holds(from: &Placement, to: &Placement, method: Option<Method>) {
    let plan = plan(from, to);
    if let Some(method) = method {
        assert_eq!(plan.method, method);
    }
    let counted = count(from, to, (0..KEYS).map(|i| format!("object/{i}")));
    let near = |share: f64, count: u64, what: &str| {
        let seen = count as f64 / KEYS as f64;
        assert!(
            (share - seen).abs() < TOLERANCE,
            "{what}: planned {share}, counted {seen}"
        );
    };
    near(plan.moved, counted.moved, "moved");
    near(
        plan.moved_between_old,
        counted.moved_between_old,
        "between old nodes",
    );
    for flow in &plan.flows {
        let count = counted
            .flows
            .get(&(flow.from, flow.to))
            .copied()
            .unwrap_or(0);
        near(flow.share, count, "a flow");
    }
    assert!(plan.lower_bound <= plan.moved + TOLERANCE);
}

#[test]
fn a_plan_is_exact_where_one_hash_decides() {
    let pairs = [
        ("slots", "slots"),
        ("ring", "ring"),
        ("ring", "slots"),
        (
            "libmemcached-ketama-weighted/md5",
            "libmemcached-ketama-weighted/md5",
        ),
        ("dalli", "nginx-consistent"),
        ("nginx-consistent", "crc32-modulo"),
        ("crc32-modulo", "crc32-modulo"),
        ("maglev", "maglev"),
        ("flexihash/crc32", "article-unit-circle-160"),
        ("article-times31", "article-times31-modulo"),
        ("phpredis-array", "phpredis-array"),
        ("phpredis-array/md5", "phpredis-array-consistent/md5"),
        ("haproxy-consistent", "haproxy-consistent"),
        ("pecl-memcache-consistent/crc32", "nginx-consistent"),
        ("twemproxy-ketama/crc32", "twemproxy-modula/crc32"),
    ];
    for (from, to) in pairs {
        holds(
            &build(pool(7), from),
            &build(pool(9), to),
            Some(Method::Exact),
        );
    }
}

#[test]
fn a_plan_multiplies_shares_where_hashes_are_unrelated() {
    holds(
        &build(pool(5), "slots"),
        &build(pool(6), "nginx-consistent"),
        Some(Method::Product),
    );
    holds(
        &build(pool(5), "libketama"),
        &build(pool(5), "dalli"),
        Some(Method::Product),
    );
}

#[test]
fn a_plan_counts_where_neither_is_possible() {
    for scheme in ["jump", "rendezvous", "pymemcache"] {
        holds(&build(pool(5), scheme), &build(pool(6), scheme), None);
    }
    // One hash is a part of the other.
    holds(
        &build(pool(5), "crc32-modulo"),
        &build(pool(5), "nginx-hash"),
        None,
    );
}

#[test]
fn growing_from_16_to_20_nodes_moves_a_fifth_and_nothing_between_old_nodes() {
    let plan = plan(&build(pool(16), "slots"), &build(pool(20), "slots"));
    assert!((plan.moved - 0.2).abs() < 0.005, "{}", plan.moved);
    assert_eq!(plan.moved_between_old, 0.0);
    assert_eq!(plan.modulo, 0.8);
    assert!((plan.moved - plan.lower_bound).abs() < 1e-9);
}

/// The fourth article: ten nodes to eleven, 91 % with modulo and 9 % with the ring.
#[test]
fn the_article_s_comparison_of_modulo_and_ring_holds() {
    let moved = |scheme: &str| plan(&build(pool(10), scheme), &build(pool(11), scheme)).moved;
    assert!((moved("crc32-modulo") - 0.909).abs() < 0.02);
    assert!((moved("article-crc32-64") - 0.0909).abs() < 0.04);
}

/// The first article's warning: with one point for each node, one neighbour takes all.
#[test]
fn one_point_for_each_node_gives_a_lost_node_s_keys_to_one_neighbour() {
    let before = build(pool(10), "article-unit-circle");
    let after = before.without_node("cache-3").unwrap();
    let plan = plan(&before, &after);
    assert_eq!(plan.flows.len(), 1);
    assert!(balance(&before).max_over_mean > 2.0);
}

#[test]
fn a_changed_address_is_told_apart_from_a_moved_key() {
    let before = build(pool(3), "slots");
    let mut nodes = pool(3);
    nodes[1].address = "10.9.9.9".parse().unwrap();
    let plan = plan(&before, &build(nodes, "slots"));
    assert_eq!(
        (plan.moved, plan.readdressed),
        (0.0, vec!["cache-2".to_owned()])
    );
}

#[test]
fn a_comparison_names_the_schemes_that_move_keys_between_old_nodes() {
    let topology = build(pool(10), "slots").topology().clone();
    let schemes =
        ["slots", "ring", "libketama", "crc32-modulo"].map(|name| name.parse::<Scheme>().unwrap());
    let compared: Vec<_> = compare(&topology, &schemes)
        .into_iter()
        .map(Result::unwrap)
        .collect();
    assert_eq!(compared[0].between_old_by_removing, 0.0);
    assert!(compared[0].max_over_mean < 1.02);
    assert!(compared[3].moved_by_adding > 0.9 && compared[3].between_old_by_adding > 0.8);
}

#[test]
fn three_observations_tell_nothing_and_fifty_tell_the_preset() {
    let keys = keys();
    let step = if cfg!(debug_assertions) { 61 } else { 1 };
    for row in rows().iter().step_by(step) {
        let lines = json_lines(&row.file);
        let Some(line) = lines
            .iter()
            .find(|line| row.selects(line) && line["topo"] == "loop.b10")
        else {
            continue;
        };
        let nodes = nodes(line);
        let assigned = line["assign"].as_array().unwrap();
        let seen = |stride: usize, count: usize| -> Vec<(Vec<u8>, NodeIndex)> {
            let all = keys
                .iter()
                .zip(assigned)
                .step_by(stride)
                .filter(|(key, _)| key.is_ascii());
            let known = all.filter_map(|(key, node)| {
                Some((key.as_bytes().to_vec(), NodeIndex(node.as_u64()? as u16)))
            });
            known.take(count).collect()
        };
        assert_eq!(
            identify(&nodes, &seen(7, 3)).verdict,
            Verdict::CannotTell,
            "{}",
            row.preset
        );
        let found = identify(&nodes, &seen(5, 50));
        // Of several that explain all 50, any may be the right one, and the verdict says so.
        let several = found.verdict == Verdict::Several;
        let best = found
            .explanations
            .iter()
            .filter(|e| e.agreeing == found.explanations[0].agreeing);
        let explains = |scheme: &Scheme, key_rule: &KeyRule| {
            let topology = Topology::new(nodes.clone(), scheme.clone(), key_rule.clone()).unwrap();
            let placement = Placement::build(&topology);
            seen(1, 300)
                .iter()
                .all(|(key, node)| placement.node_of(key) == *node)
        };
        let right = best
            .take(if several { usize::MAX } else { 1 })
            .any(|e| explains(&e.scheme, &e.key_rule));
        assert!(
            right,
            "{} {} was taken for {:?}",
            row.preset, row.options, found.explanations[0]
        );
    }
}

#[test]
fn the_evenness_of_point_hashes_is_measured() {
    let deviation = |scheme: &str| {
        let topology =
            Topology::new(pool(100), Scheme::preset(scheme), KeyRule::default()).unwrap();
        balance(&Placement::build(&topology)).deviation
    };
    // CRC-32 is linear, so names that differ in digits have points in step.
    assert!(deviation("flexihash/crc32") > 0.25 && deviation("flexihash/md5") < 0.16);
}
