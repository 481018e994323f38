//! Bad input is refused with a reason, and what is odd is warned of.

use evenkeel_core::scheme::{RingSpec, SlotRange};
use evenkeel_core::{Hash, KeyRule, Node, Placement, Scheme, Topology, TopologyError, Warning};

fn nodes(weights: &[&str]) -> Vec<Node> {
    let node = |(i, weight): (usize, &&str)| {
        Node::new(format!("n{i}"), format!("10.0.0.{i}").parse().unwrap())
            .weighing(weight.parse().unwrap())
    };
    weights.iter().enumerate().map(node).collect()
}

fn topology(nodes: Vec<Node>, scheme: Scheme) -> Result<Topology, TopologyError> {
    Topology::new(nodes, scheme, KeyRule::default())
}

fn refused(weights: &[&str], scheme: &str) -> TopologyError {
    topology(nodes(weights), scheme.parse().unwrap()).unwrap_err()
}

#[test]
fn impossible_pools_are_refused() {
    assert_eq!(refused(&[], "slots"), TopologyError::NoNodes);
    assert_eq!(refused(&["0", "0"], "ring"), TopologyError::NoWeight);
    assert!(matches!(
        refused(&["1001"], "slots"),
        TopologyError::WeightTooLarge { .. }
    ));
    assert!(matches!(
        refused(&["1.5"], "nginx-consistent"),
        TopologyError::FractionalWeight { .. }
    ));
    assert!(matches!(
        refused(&["0.001"], "flexihash/md5"),
        TopologyError::NoPoints { .. }
    ));
    for name in ["", "a\tb", "a\nb", &"x".repeat(256)] {
        let nodes = vec![Node::new(name, "h".parse().unwrap())];
        assert!(matches!(
            topology(nodes, Scheme::default()),
            Err(TopologyError::BadName { .. })
        ));
    }
    let twice = vec![
        Node::new("a", "h".parse().unwrap()),
        Node::new("a", "i".parse().unwrap()),
    ];
    let refusal = topology(twice, Scheme::default()).unwrap_err();
    assert_eq!(
        refusal,
        TopologyError::DuplicateName {
            name: "a".into(),
            first: 1,
            second: 2
        }
    );
}

/// nginx/nginx#191: a weight of a million eats gigabytes.
#[test]
fn a_ring_of_too_many_points_is_refused_and_a_share_is_not() {
    assert!(matches!(
        refused(&["1000000", "1"], "nginx-consistent"),
        TopologyError::TooManyPoints { .. }
    ));
    assert!(matches!(
        refused(&["1000000", "1"], "ring"),
        TopologyError::TooManyPoints { .. }
    ));
    let share = topology(nodes(&["1000000", "1"]), Scheme::preset("libketama")).unwrap();
    assert!(Placement::build(&share).points().unwrap() <= 320);
    assert!(
        share
            .warnings()
            .contains(&Warning::NoPoints { name: "n1".into() })
    );
}

#[test]
fn a_preset_that_does_not_exist_is_answered_with_the_nearest() {
    let refusal = topology(nodes(&["1"]), Scheme::preset("ketama-libmemcached")).unwrap_err();
    assert!(matches!(refusal, TopologyError::UnknownPreset { .. }));
    assert!(
        "ngnix-consistent"
            .parse::<Scheme>()
            .unwrap_err()
            .to_string()
            .contains("nginx-consistent")
    );
    let scheme = Scheme::Preset {
        name: "haproxy-map".into(),
        points: Some(3),
        label: None,
    };
    assert!(matches!(
        topology(nodes(&["1"]), scheme),
        Err(TopologyError::OptionNotTaken { .. })
    ));
}

#[test]
fn a_ring_that_contradicts_itself_is_refused() {
    let refused = |spec: RingSpec| topology(nodes(&["1"]), Scheme::Ring(spec)).unwrap_err();
    let spec = RingSpec::default;
    assert!(matches!(
        refused(RingSpec {
            points: 0,
            ..spec()
        }),
        TopologyError::BadPoints { .. }
    ));
    let narrow = RingSpec {
        bits: 32.try_into().unwrap(),
        ..spec()
    };
    assert!(matches!(
        refused(narrow),
        TopologyError::BadRing {
            setting: "key_hash",
            ..
        }
    ));
    assert!(matches!(
        refused(RingSpec {
            per_digest: 2,
            ..spec()
        }),
        TopologyError::BadRing { .. }
    ));
    let md5 = RingSpec {
        point_hash: Hash::Md5,
        per_digest: 4,
        points: 10,
        ..spec()
    };
    assert!(matches!(refused(md5), TopologyError::BadPoints { .. }));
    let fixed = RingSpec {
        template: "{node}".into(),
        ..spec()
    };
    assert!(matches!(
        refused(fixed),
        TopologyError::BadRing {
            setting: "template",
            ..
        }
    ));
}

#[test]
fn a_slot_map_with_holes_or_overlaps_is_refused() {
    let range = |first, last, node: &str| SlotRange {
        first,
        last,
        node: node.into(),
    };
    let refused =
        |ranges| topology(nodes(&["1", "1"]), Scheme::RedisCluster { ranges }).unwrap_err();
    assert!(matches!(
        refused(vec![]),
        TopologyError::SlotHole {
            first: 0,
            last: 16_383
        }
    ));
    assert!(matches!(
        refused(vec![range(0, 99, "n0"), range(200, 16_383, "n1")]),
        TopologyError::SlotHole {
            first: 100,
            last: 199
        }
    ));
    assert!(matches!(
        refused(vec![range(0, 100, "n0"), range(100, 16_383, "n1")]),
        TopologyError::SlotOverlap { slot: 100, .. }
    ));
    assert!(matches!(
        refused(vec![range(0, 16_384, "n0")]),
        TopologyError::BadSlotRange { .. }
    ));
    assert!(matches!(
        refused(vec![range(0, 16_383, "nx")]),
        TopologyError::UnknownSlotNode { .. }
    ));
}

#[test]
fn what_is_odd_is_warned_of() {
    let warnings = |weights: &[&str], scheme: &str| {
        topology(nodes(weights), scheme.parse().unwrap())
            .unwrap()
            .warnings()
    };
    assert!(matches!(
        warnings(&["1", "2"], "crc32-modulo")[..],
        [Warning::WeightsIgnored { .. }]
    ));
    assert!(matches!(
        warnings(&["0", "1"], "php-memcached-libketama")[..],
        [Warning::ZeroReadAsOne { .. }]
    ));
    assert!(warnings(&["1", "2"], "slots").is_empty());
    let few = topology(nodes(&["1", "1"]), Scheme::Slots { slots: 1_024 }).unwrap();
    assert!(matches!(few.warnings()[..], [Warning::FewSlots { .. }]));
    let shared = vec![
        Node::new("a", "h".parse().unwrap()),
        Node::new("b", "h".parse().unwrap()),
    ];
    let shared = topology(shared, Scheme::default()).unwrap();
    assert!(matches!(
        shared.warnings()[..],
        [Warning::SameAddress { .. }]
    ));
}

#[test]
fn a_topology_survives_json_and_its_digest_is_canonical() {
    for scheme in [
        "slots",
        "ring",
        "modulo",
        "jump",
        "maglev",
        "twemproxy-ketama/md5",
    ] {
        let before = topology(nodes(&["1", "0.5", "0"]), scheme.parse().unwrap());
        let Ok(before) = before else { continue };
        let text = serde_json::to_string(&before).unwrap();
        let after: Topology = serde_json::from_str(&text).unwrap();
        assert_eq!(
            (&after, after.digest()),
            (&before, before.digest()),
            "{text}"
        );
    }
    let mut reversed = nodes(&["1", "2", "3"]);
    let digest = |nodes: &[Node], scheme: &str| {
        topology(nodes.to_vec(), scheme.parse().unwrap())
            .unwrap()
            .digest()
    };
    let (slots, modulo) = (
        digest(&reversed, "slots"),
        digest(&reversed, "crc32-modulo"),
    );
    reversed.reverse();
    assert_eq!(digest(&reversed, "slots"), slots);
    assert_ne!(digest(&reversed, "crc32-modulo"), modulo);
    assert!(
        serde_json::from_str::<Topology>(r#"{"nodes":[],"scheme":{"scheme":"slots"}}"#).is_err()
    );
}

/// Labels that hold braces or a percent sign are text and nothing else.
#[test]
fn a_name_that_looks_like_a_template_is_taken_as_it_is() {
    let nodes = vec![
        Node::new("{i}{node}", "h".parse().unwrap()),
        Node::new("b", "i".parse().unwrap()),
    ];
    let placement = Placement::build(&topology(nodes, "ring".parse().unwrap()).unwrap());
    assert_eq!(placement.points(), Some(320));
}
