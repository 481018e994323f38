//! Field reports with values, from `cases.jsonl`.

use evenkeel_core::{Hash, KeyRule, Label, Node, Placement, Scheme, Topology};
use serde_json::Value;

use crate::vectors::json_lines;

/// The recorded vectors of a case.
fn vectors(id: &str) -> Vec<Value> {
    let case = json_lines("cases.jsonl")
        .into_iter()
        .find(|case| case["id"] == id)
        .unwrap();
    case["vectors"].as_array().unwrap().clone()
}

fn preset(name: &str, label: Option<Label>) -> Scheme {
    Scheme::Preset {
        name: name.to_owned(),
        points: None,
        label,
    }
}

fn build(nodes: Vec<Node>, scheme: Scheme, key_rule: KeyRule) -> Placement {
    Placement::build(&Topology::new(nodes, scheme, key_rule).unwrap())
}

/// `host:port:weight`.
fn addressed(vector: &Value) -> Vec<Node> {
    let node = |text: &Value| {
        let (address, weight) = text.as_str().unwrap().rsplit_once(':').unwrap();
        Node::new(address, address.parse().unwrap()).weighing(weight.parse().unwrap())
    };
    vector["nodes"]
        .as_array()
        .unwrap()
        .iter()
        .map(node)
        .collect()
}

fn aliased(vector: &Value) -> Vec<Node> {
    let names = vector["aliases"].as_array().unwrap().iter();
    let node = |(i, name): (usize, &Value)| {
        Node::new(
            name.as_str().unwrap(),
            format!("127.0.0.1:{}", 21_901 + i).parse().unwrap(),
        )
    };
    names.enumerate().map(node).collect()
}

fn node_of<'a>(placement: &'a Placement, key: &str) -> &'a Node {
    placement.topology().node(placement.node_of(key.as_bytes()))
}

/// Each key is on the node that the vector names: by name, by address, or by host.
fn lookups_hold(placement: &Placement, vector: &Value) {
    for (key, expected) in vector["lookups"].as_object().unwrap() {
        let node = node_of(placement, key);
        let expected = expected.as_str().unwrap();
        let address = node.address.to_string();
        let host = address.rsplit_once(':').unwrap().0;
        assert!(
            [node.name.as_str(), &address, host].contains(&expected),
            "{key}: {node:?}, not {expected}"
        );
    }
}

/// 3rd-Eden/node-hashring#23, 3rd-Eden/memcached#184.
#[test]
fn c01_port_11211_is_left_out_of_the_text() {
    for vector in vectors("C01") {
        let scheme = preset("libmemcached-ketama-weighted/md5", None);
        lookups_hold(
            &build(addressed(&vector), scheme, KeyRule::default()),
            &vector,
        );
    }
}

/// twitter/twemproxy#402, twitter/twemproxy#112.
#[test]
fn c02_the_hash_called_crc32_has_15_bits() {
    let vectors = vectors("C02");
    for (vector, name) in vectors
        .iter()
        .zip(["twemproxy-modula/crc32", "twemproxy-modula/crc32a"])
    {
        let placement = build(addressed(vector), preset(name, None), KeyRule::default());
        for (key, index) in vector["lookup_index"].as_object().unwrap() {
            assert_eq!(
                Some(placement.node_of(key.as_bytes()).get() as u64),
                index.as_u64(),
                "{name} {key}"
            );
        }
    }
    let all = &vectors[2];
    let placement = build(
        addressed(all),
        preset("twemproxy-ketama/crc32", None),
        KeyRule::default(),
    );
    for i in 0..100_000 {
        assert_eq!(
            node_of(&placement, &format!("key:{i}")).name,
            all["all_keys_on"].as_str().unwrap()
        );
    }
    let of = |hash: Hash| ["197", "208", "246"].map(|key| hash.of(key.as_bytes()) % 128);
    assert_eq!(of(Hash::Crc32), [0, 1, 2]);
    assert_eq!(of(Hash::Crc32Fold), [81, 106, 62]);
}

/// php-memcached-dev/php-memcached#344.
#[test]
fn c03_consistent_is_three_rings() {
    let names = [
        "libmemcached-consistent/default",
        "libmemcached-consistent/md5",
        "libmemcached-consistent/default",
        "libmemcached-ketama-weighted/md5",
    ];
    let vectors = vectors("C03");
    for (vector, name) in vectors.iter().zip(names) {
        lookups_hold(
            &build(addressed(vector), preset(name, None), KeyRule::default()),
            vector,
        );
    }
}

/// 3rd-Eden/memcached#307.
#[test]
fn c06_a_prefix_may_be_sent_without_being_hashed() {
    for vector in vectors("C06") {
        let prefix = vector["hash_strip_prefix"]
            .as_str()
            .map(|prefix| prefix.as_bytes().to_vec());
        let rule = KeyRule {
            strip_prefix: prefix,
            hash_tag: None,
        };
        lookups_hold(
            &build(
                addressed(&vector),
                preset("libmemcached-ketama-weighted/md5", None),
                rule,
            ),
            &vector,
        );
    }
}

/// pda/flexihash#13: removing one node of ten moves that node's keys and no other.
#[test]
fn c07_positions_are_compared_as_numbers() {
    let nodes = (1..=10)
        .map(|i| {
            Node::new(
                format!("node{i}:port{i}"),
                format!("node{i}").parse().unwrap(),
            )
        })
        .collect();
    let before = build(
        nodes,
        preset("flexihash/md5", Some(Label::Name)),
        KeyRule::default(),
    );
    let after = before.without_node("node4:port4").unwrap();
    let mut moved = 0;
    for i in 0..5_000 {
        let key = format!("key:{i}");
        let (from, to) = (&node_of(&before, &key).name, &node_of(&after, &key).name);
        if from != to {
            moved += 1;
            assert_eq!(from, "node4:port4", "{key}");
        }
    }
    assert_eq!(moved, 431);
}

/// twitter/twemproxy#195, twitter/twemproxy#345.
#[test]
fn c11_fnv1a_64_keeps_similar_keys_together() {
    let vectors = vectors("C11");
    let scheme = || preset("twemproxy-ketama/fnv1a_64", Some(Label::Name));
    lookups_hold(
        &build(aliased(&vectors[0]), scheme(), KeyRule::default()),
        &vectors[0],
    );
    let four = (1..=4)
        .map(|i| {
            Node::new(
                format!("server{i}"),
                format!("127.0.0.1:{}", 21_900 + i).parse().unwrap(),
            )
        })
        .collect();
    let placement = build(four, scheme(), KeyRule::default());
    let mut counts = [0; 4];
    (1..=1_000).for_each(|i| counts[placement.node_of(format!("user:{i}").as_bytes()).get()] += 1);
    assert_eq!(counts, [1, 370, 439, 190]);
}

/// stathat/consistent#10.
#[test]
fn c12_shares_are_exact_arcs() {
    for vector in vectors("C12") {
        let nodes = vector["nodes"]
            .as_array()
            .unwrap()
            .iter()
            .map(|a| a.as_str().unwrap());
        let nodes = nodes
            .map(|address| Node::new(address, address.parse().unwrap()))
            .collect();
        let points = vector["points"].as_u64().map(|points| points as u32);
        let scheme = Scheme::Preset {
            name: "groupcache".into(),
            points,
            label: None,
        };
        let shares = build(nodes, scheme, KeyRule::default()).shares();
        for (share, expected) in shares.iter().zip(vector["arc_share"].as_array().unwrap()) {
            assert!(
                (share - expected.as_f64().unwrap()).abs() < 0.000_06,
                "{shares:?}"
            );
        }
    }
}

/// redis/redis#6027, redis/ioredis#2172.
#[test]
fn c13_redis_cluster_slots_go_by_the_first_tag() {
    let placement = redis_cluster();
    for (key, slot) in vectors("C13")[0]["slots"].as_object().unwrap() {
        assert_eq!(
            Some(placement.hash_of(key.as_bytes())),
            slot.as_u64(),
            "{key}"
        );
    }
}

pub fn redis_cluster() -> Placement {
    let range = evenkeel_core::scheme::SlotRange {
        first: 0,
        last: 16_383,
        node: "n".into(),
    };
    let nodes = vec![Node::new("n", "127.0.0.1:6379".parse().unwrap())];
    build(
        nodes,
        Scheme::RedisCluster {
            ranges: vec![range],
        },
        KeyRule::braces(),
    )
}

/// phpredis/phpredis#1292: the three keys whose CRC-32 is 2^32 - 1 belong to the last host.
#[test]
fn c14_redis_array_splits_the_range_and_hashes_empty_tags() {
    let vectors = vectors("C14");
    let hosts = vectors[0]["nodes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|host| host.as_str().unwrap());
    let hosts = hosts
        .map(|host| Node::new(host, host.parse().unwrap()))
        .collect();
    let tagged = preset("twemproxy-ketama/md5", None);
    let placements = [
        build(hosts, preset("phpredis-array", None), KeyRule::default()),
        build(addressed(&vectors[1]), tagged, KeyRule::braces()),
    ];
    for (placement, vector) in placements.iter().zip(&vectors) {
        for (key, index) in vector["lookup_index"].as_object().unwrap() {
            assert_eq!(
                Some(placement.node_of(key.as_bytes()).get() as u64),
                index.as_u64(),
                "{key}"
            );
        }
    }
}

/// killme2008/xmemcached#21.
#[test]
fn c15_bytes_above_0x7f_are_signed() {
    let vectors = vectors("C15");
    let twemproxy = preset("twemproxy-ketama/fnv1a_64", Some(Label::Name));
    lookups_hold(
        &build(aliased(&vectors[0]), twemproxy, KeyRule::default()),
        &vectors[0],
    );
    let consistent = preset("libmemcached-consistent/default", None);
    lookups_hold(
        &build(addressed(&vectors[1]), consistent, KeyRule::default()),
        &vectors[1],
    );
}

/// killme2008/xmemcached#121: what is hashed is a text, and any text can be made a name.
#[test]
fn c16_the_text_decides_and_not_the_machine() {
    for vector in vectors("C16") {
        let names = vector["nodes"]
            .as_array()
            .unwrap()
            .iter()
            .map(|name| name.as_str().unwrap());
        let nodes = names
            .zip(1..)
            .map(|(name, i)| Node::new(name, format!("10.9.9.{i}").parse().unwrap()))
            .collect();
        let scheme = preset("libmemcached-ketama-weighted/md5", Some(Label::Name));
        lookups_hold(&build(nodes, scheme, KeyRule::default()), &vector);
    }
}

/// lericson/pylibmc#44: IPv6 is hashed bare, as callers of libmemcached pass it; a name can hold the brackets.
#[test]
fn c23_ipv6_is_hashed_bare_or_as_named() {
    let vectors = vectors("C23");
    for (vector, label) in vectors.iter().zip([None, Some(Label::Name)]) {
        let texts = vector["nodes"]
            .as_array()
            .unwrap()
            .iter()
            .map(|text| text.as_str().unwrap().split(' ').next().unwrap());
        let nodes = texts
            .map(|text| Node::new(text, text.parse().unwrap()))
            .collect();
        let scheme = preset("libmemcached-ketama-weighted/md5", label);
        lookups_hold(&build(nodes, scheme, KeyRule::default()), vector);
    }
}

/// UnionOfRAD/lithium#928: libmemcached reads a weight of 0 as 1.
#[test]
fn c24_libmemcached_reads_a_weight_of_0_as_1() {
    let nodes = (1..=3).map(|i| Node::new(format!("n{i}"), format!("10.0.1.{i}").parse().unwrap()));
    let weights = ["0", "1", "1"].map(|weight| weight.parse().unwrap());
    let nodes = nodes
        .zip(weights)
        .map(|(node, weight)| node.weighing(weight))
        .collect();
    let placement = build(
        nodes,
        preset("php-memcached-libketama", None),
        KeyRule::default(),
    );
    let mut counts = [0; 3];
    (0..10_000).for_each(|i| counts[placement.node_of(format!("key:{i}").as_bytes()).get()] += 1);
    assert_eq!(counts, [3_338, 3_195, 3_467]);
}

/// Moved keys of `key:0` to `key:99999`, and those among them that were not on a node which is gone.
fn moved(before: &Placement, after: &Placement, keys: usize) -> (usize, usize) {
    let (mut moved, mut between) = (0, 0);
    for i in 0..keys {
        let key = format!("key:{i}");
        let (from, to) = (&node_of(before, &key).name, &node_of(after, &key).name);
        if from != to {
            moved += 1;
            let stays = after.topology().index_of(from).is_some();
            let old = before.topology().index_of(to).is_some();
            between += usize::from(stays && old);
        }
    }
    (moved, between)
}

fn weighted(weights: &[u32]) -> Vec<Node> {
    let node = |(i, weight): (usize, &u32)| {
        let address = format!("10.0.1.{}", i + 1);
        Node::new(address.clone(), address.parse().unwrap())
            .weighing(weight.to_string().parse().unwrap())
    };
    weights.iter().enumerate().map(node).collect()
}

/// memcached/memcached#873: weighted ketama moves keys between nodes that did not change.
#[test]
fn c09_weighted_ketama_moves_keys_between_old_nodes() {
    let ketama = |weights: &[u32]| {
        build(
            weighted(weights),
            preset("libmemcached-ketama-weighted/md5", None),
            KeyRule::default(),
        )
    };
    assert_eq!(
        moved(&ketama(&[1; 4]), &ketama(&[1; 5]), 100_000),
        (19_836, 0)
    );
    assert_eq!(
        moved(&ketama(&[1; 4]), &ketama(&[1, 1, 1, 1, 3]), 100_000),
        (53_229, 7_015)
    );
    assert_eq!(
        moved(
            &ketama(&[600, 300, 200]),
            &ketama(&[600, 300, 200, 600]),
            100_000
        ),
        (40_482, 3_624)
    );
    let before = ketama(&[600, 300, 200]);
    let after = before.without_node("10.0.1.1").unwrap();
    assert_eq!(moved(&before, &after, 100_000), (58_023, 4_417));
}

/// facebook/mcrouter#51: jump hash bears no removal from the middle.
#[test]
fn c19_jump_moves_most_keys_when_a_middle_node_goes() {
    let jump = |names: &[&str]| {
        let nodes = names
            .iter()
            .map(|name| Node::new(*name, format!("{name}:1").parse().unwrap()))
            .collect();
        build(
            nodes,
            Scheme::Jump {
                hash: Hash::Md5Le64,
            },
            KeyRule::default(),
        )
    };
    let before = jump(&["n1", "n2", "n3", "n4"]);
    let share = |names: &[&str]| moved(&before, &jump(names), 100_000).0 as f64 / 100_000.0;
    let vector = &vectors("C19")[0]["moved"];
    for (case, names) in [
        ("drop_middle", &["n1", "n3", "n4"][..]),
        ("drop_last", &["n1", "n2", "n3"]),
        ("replace_in_place", &["n1", "nX", "n3", "n4"]),
        ("drop_and_append", &["n1", "n3", "n4", "nX"]),
    ] {
        assert_eq!(Some(share(names)), vector[case].as_f64(), "{case}");
    }
}

/// bradfitz/gomemcache#135: one more node moves nearly all keys.
#[test]
fn c20_modulo_moves_nearly_all_keys() {
    let modulo = |n: usize| {
        build(
            weighted(&vec![1; n]),
            preset("crc32-modulo", None),
            KeyRule::default(),
        )
    };
    for (case, share) in vectors("C20")[0]["moved"].as_object().unwrap() {
        let (from, to) = case.split_once("->").unwrap();
        let (before, after) = (modulo(from.parse().unwrap()), modulo(to.parse().unwrap()));
        assert_eq!(
            Some(moved(&before, &after, 100_000).0 as f64 / 100_000.0),
            share.as_f64(),
            "{case}"
        );
    }
}

/// memcached/memcached-proxylibs#9: the order of the list counts for modulo and jump, and not for ketama.
#[test]
fn c18_order_counts_only_where_it_must() {
    let reversed = |scheme: Scheme| {
        let mut nodes = weighted(&[1; 3]);
        let before = build(nodes.clone(), scheme.clone(), KeyRule::default());
        nodes.reverse();
        moved(&before, &build(nodes, scheme, KeyRule::default()), 10_000).0
    };
    assert_eq!(
        reversed(preset("libmemcached-ketama-weighted/md5", None)),
        0
    );
    assert_eq!(reversed(preset("crc32-modulo", None)), 6_652);
    assert_eq!(
        reversed(Scheme::Jump {
            hash: Hash::Md5Le64
        }),
        6_752
    );
    assert_eq!(reversed(Scheme::default()), 0);
}
