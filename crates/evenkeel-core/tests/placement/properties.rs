//! What placements promise, over many pools.

use evenkeel_core::scheme::{Boundary, Direction, RingSpec, Wrap};
use evenkeel_core::{Hash, KeyRule, Node, Placement, Scheme, Topology, Weight, presets};
use proptest::prelude::*;

/// Families whose originals move keys between nodes that did not change. All others move keys only
/// from or to a node that did.
const MOVES_KEYS_BETWEEN_OLD_NODES: [&str; 34] = [
    // Points depend on the total weight and the number of nodes.
    "libketama",
    "libmemcached-ketama-weighted",
    "libmemcached-ketama-spy-weighted",
    "php-memcached-libketama",
    "pylibmc-ketama-weighted",
    "twemproxy-ketama",
    "uhashring-ketama",
    "python-hash-ring",
    "node-hashring",
    "node-memcached",
    "dalli",
    "spymemcached-ketama-weighted",
    // A weight above 1 anywhere changes the whole ring.
    "libmemcached-consistent",
    "libmemcached-ketama-spy",
    // A node's place in the list is its label.
    "haproxy-consistent",
    // A key at a point belongs to whoever has the first point.
    "flexihash",
    // What lies below all points belongs to the lowest one.
    "article-times31",
    // Places in a list or table, as published.
    "jump",
    "maglev",
    // Remainders and ranges.
    "modulo",
    "crc32-modulo",
    "article-times31-modulo",
    "libmemcached-modula",
    "php-memcached",
    "twemproxy-modula",
    "nginx-hash",
    "haproxy-map",
    "phpredis-array",
    "pecl-memcache-standard",
    "python-memcached",
    "memjs",
    "perl-cache-memcached",
    "spymemcached-arraymod",
    "gomemcache",
];

fn family(scheme: &Scheme) -> &str {
    scheme.name().split('/').next().unwrap()
}

fn promises(scheme: &Scheme) -> bool {
    // Without points, this one is a remainder.
    let bare = scheme.name() == "perl-cache-memcached-fast";
    !bare && !MOVES_KEYS_BETWEEN_OLD_NODES.contains(&family(scheme))
}

fn every_scheme() -> Vec<Scheme> {
    let plain = ["ring", "modulo", "jump", "rendezvous", "maglev"];
    let mut schemes: Vec<Scheme> = plain.iter().map(|name| name.parse().unwrap()).collect();
    schemes.push(Scheme::Slots { slots: 1_024 });
    schemes.extend(presets().iter().map(|preset| Scheme::preset(&preset.name)));
    schemes
}

fn node(number: u16) -> Node {
    Node::new(
        format!("node-{number}"),
        format!(
            "10.1.{}.{}:{}",
            number / 200,
            number % 200,
            11_211 + number % 3
        )
        .parse()
        .unwrap(),
    )
}

fn pool() -> impl Strategy<Value = Vec<Node>> {
    let weights = prop::collection::vec(1_u32..4, 2..9);
    (weights, 0_u16..10_000).prop_map(|(weights, first)| {
        let weigh = |(i, weight): (u16, u32)| {
            node(first + i).weighing(Weight::from_thousandths(weight * 1_000).unwrap())
        };
        (0..).zip(weights).map(weigh).collect()
    })
}

fn build(nodes: Vec<Node>, scheme: &Scheme) -> Placement {
    Placement::build(&Topology::new(nodes, scheme.clone(), KeyRule::default()).unwrap())
}

fn name_of(placement: &Placement, key: &str) -> String {
    placement
        .topology()
        .node(placement.node_of(key.as_bytes()))
        .name
        .clone()
}

fn keys() -> impl Iterator<Item = String> {
    (0..300).map(|number| format!("key:{number}"))
}

/// The same answer for every key, and the same shares, which for a ring are the same arcs.
fn same(a: &Placement, b: &Placement) -> bool {
    a.topology() == b.topology()
        && a.shares() == b.shares()
        && a.points() == b.points()
        && keys().all(|key| name_of(a, &key) == name_of(b, &key))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 6, ..ProptestConfig::default() })]

    #[test]
    fn a_change_equals_building_anew_and_moves_only_the_changed_node_s_keys(nodes in pool(), pick in any::<prop::sample::Index>()) {
        for scheme in every_scheme() {
            let before = build(nodes.clone(), &scheme);
            let changed = nodes[pick.index(nodes.len())].name.clone();
            let added = before.with_node(node(20_000)).unwrap();
            let removed = before.without_node(&changed).unwrap();
            let heavier = before.with_weight(&changed, Weight::from_thousandths(5_000).unwrap()).unwrap();
            for after in [&added, &removed, &heavier] {
                prop_assert!(same(after, &Placement::build(after.topology())), "{}", scheme.name());
            }
            if !promises(&scheme) {
                continue;
            }
            for key in keys() {
                let old = name_of(&before, &key);
                let new = name_of(&added, &key);
                prop_assert!(new == old || new == "node-20000", "{} {key} by adding", scheme.name());
                let new = name_of(&removed, &key);
                prop_assert!(new == old || old == changed, "{} {key} by removing", scheme.name());
            }
        }
    }

    #[test]
    fn a_walk_begins_with_the_owner_and_meets_everybody_once(nodes in pool()) {
        for scheme in every_scheme() {
            let placement = build(nodes.clone(), &scheme);
            let shares = placement.shares();
            prop_assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{} {shares:?}", scheme.name());
            for key in keys().take(20) {
                let walk: Vec<_> = placement.walk(key.as_bytes()).collect();
                prop_assert_eq!(walk[0], placement.node_of(key.as_bytes()), "{}", scheme.name());
                let mut sorted = walk.clone();
                sorted.sort();
                sorted.dedup();
                prop_assert_eq!(sorted.len(), walk.len());
                let owning = shares.iter().filter(|share| **share > 0.0).count();
                prop_assert!(walk.len() >= owning, "{} {walk:?}", scheme.name());
            }
        }
    }

    #[test]
    fn a_ring_described_in_full_agrees_with_a_naive_one(
        nodes in pool(),
        down in any::<bool>(),
        strict in any::<bool>(),
        stay in any::<bool>(),
        narrow in any::<bool>(),
    ) {
        let hash = if narrow { Hash::Crc32 } else { Hash::Xxh3 };
        let spec = RingSpec {
            bits: if narrow { 32 } else { 64 }.try_into().unwrap(),
            key_hash: hash,
            point_hash: hash,
            template: "{host}/{port}#{i}{name}".to_owned(),
            first_index: 3,
            points: 7,
            direction: if down { Direction::Down } else { Direction::Up },
            boundary: if strict { Boundary::StrictlyAfter } else { Boundary::AtOrAfter },
            wrap: if stay { Wrap::Stay } else { Wrap::Around },
            ..RingSpec::default()
        };
        let placement = build(nodes.clone(), &Scheme::Ring(spec));
        let mut points = Vec::new();
        for node in &nodes {
            let address = node.address.to_string();
            let (host, port) = address.rsplit_once(':').unwrap();
            for i in 0..7 * node.weight.units().unwrap() {
                let text = format!("{host}/{port}#{}{}", i + 3, node.name);
                points.push((hash.of(text.as_bytes()), node.name.clone(), text));
            }
        }
        points.sort();
        // Keys that are the text of a point have its very position.
        for key in keys().chain(points.iter().map(|(_, _, text)| text.clone())) {
            let at = hash.of(key.as_bytes());
            let after = |position: u64| if strict { position > at } else { position >= at };
            let before = |position: u64| if strict { position < at } else { position <= at };
            let found = if down {
                points.iter().rev().find(|(position, _, _)| before(*position))
            } else {
                points.iter().find(|(position, _, _)| after(*position))
            };
            let (first, last) = (points.first(), points.last());
            // Beyond the last point in the direction: that one, or around to the first.
            let beyond = if down == stay { first } else { last };
            prop_assert_eq!(&name_of(&placement, &key), &found.or(beyond).unwrap().1, "{}", key);
        }
    }
}

#[test]
fn slots_are_even_for_twenty_nodes_and_nearly_all_name_sets() {
    let worst = |names: &dyn Fn(u32) -> String| {
        let nodes = (1..=20)
            .map(|i| Node::new(names(i), "10.0.0.1".parse().unwrap()))
            .collect();
        let shares = build(nodes, &Scheme::default()).shares();
        shares.into_iter().fold(0.0, f64::max) * 20.0
    };
    assert!(worst(&|i| format!("cache-{i}")) <= 1.04);
    let sets = if cfg!(debug_assertions) { 5 } else { 100 };
    let even = (0..sets)
        .filter(|set| worst(&|i| format!("pool{set}-{i}")) <= 1.04)
        .count();
    assert!(even * 100 >= sets * 99, "{even} of {sets}");
}

#[test]
fn zones_come_first_on_a_walk_by_zones() {
    let zoned = |i: u16| node(i).in_zone(["a", "a", "a", "b", "c"][usize::from(i) % 5]);
    let placement = build((0..10).map(zoned).collect(), &Scheme::default());
    for key in keys() {
        let walk = placement.walk_zones(key.as_bytes());
        assert_eq!(walk.len(), 10);
        assert_eq!(walk[0], placement.node_of(key.as_bytes()));
        let zone = |place: usize| placement.topology().node(walk[place]).zone.clone();
        let mut first = vec![zone(0), zone(1), zone(2)];
        first.sort();
        first.dedup();
        assert_eq!(first.len(), 3, "{key}");
    }
}
