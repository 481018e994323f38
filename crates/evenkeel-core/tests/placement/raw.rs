//! Raw tables: hash values, buckets, slots, and rings with a node out.

use std::collections::BTreeMap;

use evenkeel_core::placement::jump;
use evenkeel_core::{Hash, KeyRule, Node, Placement, Scheme, Topology, Weight};
use serde_json::Value;
use siphasher::sip::SipHasher13;

use crate::cases::redis_cluster;
use crate::vectors::{json, json_lines, keys, nodes, text};

#[test]
fn libmemcached_s_hash_functions_agree() {
    let names = BTreeMap::from([
        ("default", Hash::OneAtATimeSigned),
        ("md5", Hash::Md5),
        ("crc", Hash::Crc32Fold),
        ("fnv1_64", Hash::Fnv1x64Signed),
        ("fnv1a_64", Hash::Fnv1ax64Signed),
        ("fnv1_32", Hash::Fnv1x32Signed),
        ("fnv1a_32", Hash::Fnv1ax32Signed),
        ("murmur", Hash::Murmur2),
        ("murmur3", Hash::Murmur3Length),
        ("jenkins", Hash::Jenkins),
    ]);
    let mut compared = 0;
    for line in json_lines("libmemcached_raw_hashes.jsonl") {
        // Debian compiles hsieh out: its "hash" is always 1.
        let Some(hash) = names.get(line["hash"].as_str().unwrap()) else {
            continue;
        };
        for (key, value) in keys().iter().zip(line["value"].as_array().unwrap()) {
            assert_eq!(
                Some(hash.of(key.as_bytes())),
                value.as_u64(),
                "{hash} {key}"
            );
            compared += 1;
        }
    }
    assert_eq!(compared, 10 * 300);
}

#[test]
fn spymemcached_s_hash_functions_agree() {
    let hashes = BTreeMap::from([
        ("NATIVE_HASH", Hash::Java31),
        ("CRC_HASH", Hash::Crc32Fold),
        ("FNV1_64_HASH", Hash::Fnv1x64Utf16),
        ("FNV1A_64_HASH", Hash::Fnv1ax64Utf16),
        ("FNV1_32_HASH", Hash::Fnv1x32Utf16),
        ("FNV1A_32_HASH", Hash::Fnv1ax32Utf16),
        ("KETAMA_HASH", Hash::Md5),
    ]);
    let mut compared = 0;
    for line in text("java_spymemcached_raw_hashes.tsv").lines() {
        let mut fields = line.split('\t');
        let hash = hashes[fields.next().unwrap()];
        for (key, value) in keys().iter().zip(fields) {
            assert_eq!(hash.of(key.as_bytes()).to_string(), value, "{hash} {key}");
            compared += 1;
        }
    }
    assert_eq!(compared, 7 * 300);
}

#[test]
fn jump_agrees_with_the_c_extension_python_and_the_crate() {
    for line in json_lines("jump_hash.jsonl")
        .iter()
        .chain(&json_lines("rust_jumphash.jsonl"))
    {
        // The crate was also run over the list of keys, see below.
        let Some(key) = line["key"].as_str() else {
            continue;
        };
        let key: u64 = key.parse().unwrap();
        let buckets = line["n"]
            .as_array()
            .unwrap()
            .iter()
            .zip(line["bucket"].as_array().unwrap());
        for (n, bucket) in buckets {
            let n = n.as_u64().unwrap() as u32;
            assert_eq!(Some(u64::from(jump(key, n))), bucket.as_u64(), "{line}");
        }
    }
}

/// The crate hashes a text with SipHash-1-3 and the byte 0xff after it.
#[test]
fn jump_agrees_with_the_crate_on_texts() {
    let mut compared = 0;
    for line in json_lines("rust_jumphash.jsonl") {
        let Some(buckets) = line["bucket"]
            .as_array()
            .filter(|buckets| buckets.len() == 300)
        else {
            continue;
        };
        let n = line["n"].as_u64().unwrap() as u32;
        for (key, bucket) in keys().iter().zip(buckets) {
            let text = [key.as_bytes(), &[0xff]].concat();
            let hash = SipHasher13::new_with_keys(0, 0).hash(&text);
            assert_eq!(Some(u64::from(jump(hash, n))), bucket.as_u64(), "{key}");
            compared += 1;
        }
    }
    assert!(compared > 0);
}

#[test]
fn redis_cluster_s_slots_agree() {
    let placement = redis_cluster();
    // Below a comment and the names of the columns.
    for line in text("redis_cluster_slots.tsv").lines().skip(2) {
        let (key, slot) = line.rsplit_once('\t').unwrap();
        let key: String = serde_json::from_str(key).unwrap();
        assert_eq!(placement.hash_of(key.as_bytes()).to_string(), slot, "{key}");
    }
    let mut compared = 0;
    for line in text("redis_cluster_slots_hex.tsv").lines().skip(2) {
        let (key, slot) = line.rsplit_once('\t').unwrap();
        let pairs = key
            .as_bytes()
            .chunks(2)
            .map(|pair| std::str::from_utf8(pair).unwrap());
        let key: Vec<u8> = pairs
            .map(|pair| u8::from_str_radix(pair, 16).unwrap())
            .collect();
        assert_eq!(placement.hash_of(&key).to_string(), slot, "{key:?}");
        compared += 1;
    }
    assert_eq!(compared, 456);
}

#[test]
fn slots_agree_with_the_reference() {
    for vector in json("slots.json").as_array().unwrap() {
        let weights: BTreeMap<String, Value> =
            serde_json::from_value(vector["nodes"].clone()).unwrap();
        let node = |(name, weight): (&String, &Value)| {
            let weight: Weight = weight.to_string().parse().unwrap();
            Node::new(name, "10.0.0.1".parse().unwrap()).weighing(weight)
        };
        let nodes = weights.iter().map(node).collect();
        let scheme = Scheme::Slots {
            slots: vector["slots"].as_u64().unwrap() as u32,
        };
        let topology = Topology::new(nodes, scheme, KeyRule::default()).unwrap();
        let placement = Placement::build(&topology);
        let owners = vector["owners"].as_array().unwrap();
        for (key, owner) in keys().iter().zip(owners) {
            assert_eq!(
                topology.node(placement.node_of(key.as_bytes())).name,
                owner.as_str().unwrap(),
                "{} {key}",
                vector["topology"]
            );
        }
    }
}

/// Ejecting a server is building the ring without it.
#[test]
fn twemproxy_s_survivors_agree() {
    for line in json_lines("twemproxy_eject.jsonl") {
        let config = &line["config"];
        let family = config["preset"]
            .as_str()
            .unwrap()
            .split(' ')
            .next()
            .unwrap();
        let name = format!("twemproxy-{family}/{}", config["hash"].as_str().unwrap());
        let label = config["named"]
            .as_bool()
            .unwrap()
            .then_some(evenkeel_core::Label::Name);
        let scheme = Scheme::Preset {
            name,
            points: None,
            label,
        };
        let all = nodes(&line);
        let port = config["ejected_port"].as_u64().unwrap();
        let gone = all
            .iter()
            .find(|node| node.address.to_string().ends_with(&format!(":{port}")))
            .unwrap();
        let topology = Topology::new(all.clone(), scheme, KeyRule::default()).unwrap();
        let survivors = Placement::build(&topology)
            .without_node(&gone.name)
            .unwrap();
        for (key, assigned) in keys().iter().zip(line["assign"].as_array().unwrap()) {
            let Some(index) = assigned.as_u64() else {
                continue;
            };
            let node = survivors.topology().node(survivors.node_of(key.as_bytes()));
            assert_eq!(node.name, all[index as usize].name, "{config} {key}");
        }
    }
}

/// A server that is down is passed over on the walk.
#[test]
fn nginx_s_survivors_agree() {
    let mut compared = 0;
    for line in json_lines("nginx.jsonl") {
        let Some(down) = line["config"]["down_server_number"].as_u64() else {
            continue;
        };
        let modulo = line["config"]["preset"] == "hash (modulo)";
        let scheme = Scheme::preset(if modulo {
            "nginx-hash"
        } else {
            "nginx-consistent"
        });
        let topology = Topology::new(nodes(&line), scheme, KeyRule::default()).unwrap();
        let placement = Placement::build(&topology);
        for (key, assigned) in keys().iter().zip(line["assign"].as_array().unwrap()) {
            let mut walk = placement.walk(key.as_bytes());
            let node = walk.find(|node| node.get() as u64 + 1 != down).unwrap();
            assert_eq!(
                Some(node.get() as u64),
                assigned.as_u64(),
                "{} {key}",
                line["config"]
            );
            compared += 1;
        }
    }
    assert_eq!(compared, 6 * 300);
}
