//! What is measured.

use std::hash::{BuildHasherDefault, DefaultHasher};

use evenkeel_core::{KeyRule, Node, Placement, Topology};
use md5::Digest;

use crate::measure::{Keys, lookups, once};
use crate::report::Report;

/// Points for each node, ours and the peers'.
const POINTS: usize = 160;

fn address(index: usize) -> String {
    format!("10.0.{}.{}:11211", index / 250, index % 250 + 1)
}

fn topology(nodes: usize, scheme: &str) -> Topology {
    let node = |index| {
        Node::new(
            format!("cache-{index}"),
            address(index).parse().expect("an address"),
        )
    };
    let scheme = scheme.parse().expect("a scheme");
    Topology::new((0..nodes).map(node).collect(), scheme, KeyRule::default()).expect("a topology")
}

pub fn run(quick: bool) -> Report {
    let keys = Keys::new(if quick { 200_000 } else { 1_000_000 });
    let rounds = if quick { 4 } else { 7 };
    let mut report = Report::default();
    hashes(&mut report, &keys, rounds);
    for nodes in [10, 100, 1_000, 10_000] {
        ours(&mut report, &keys, rounds, nodes);
        peers(&mut report, &keys, rounds, nodes);
    }
    builds(&mut report, rounds + 3);
    figures(&mut report);
    report
}

/// The floor: what hashing a key costs alone.
fn hashes(report: &mut Report, keys: &Keys, rounds: usize) {
    let xxh3 = lookups(keys, rounds, |key| {
        xxhash_rust::xxh3::xxh3_64(key.as_bytes()) as u32
    });
    let md5 = lookups(keys, rounds, |key| {
        u32::from_le_bytes(md5::Md5::digest(key)[..4].try_into().expect("four bytes"))
    });
    for (name, times) in [("hash alone: xxh3", xxh3), ("hash alone: md5 block", md5)] {
        report.add(name, 0, "independent", times.independent, "ns");
        report.add(name, 0, "dependent", times.dependent, "ns");
    }
}

const OURS: [(&str, &str); 4] = [
    ("evenkeel ring (xxh3)", "ring"),
    ("evenkeel nginx-consistent", "nginx-consistent"),
    ("evenkeel slots", "slots"),
    (
        "evenkeel libmemcached ketama",
        "libmemcached-ketama-weighted/md5",
    ),
];

fn ours(report: &mut Report, keys: &Keys, rounds: usize, nodes: usize) {
    for (name, scheme) in OURS {
        // Ten thousand nodes want more slots than the default has, and nobody should build that.
        if scheme == "slots" && nodes > 1_000 {
            continue;
        }
        let placement = Placement::build(&topology(nodes, scheme));
        let times = lookups(keys, rounds, |key| {
            u32::from(placement.node_of(key.as_bytes()).0)
        });
        report.add(name, nodes, "independent", times.independent, "ns");
        report.add(name, nodes, "dependent", times.dependent, "ns");
        if let Some(points) = placement.points() {
            report.add(
                name,
                nodes,
                "memory",
                placement.bytes() as f64 / points as f64,
                "bytes a point",
            );
        }
    }
}

type Sip = BuildHasherDefault<DefaultHasher>;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Peer(u32);

impl conhash::Node for Peer {
    fn name(&self) -> String {
        address(self.0 as usize)
    }
}

fn pingora(nodes: usize) -> pingora_ketama::Continuum {
    let bucket =
        |index| pingora_ketama::Bucket::new(address(index).parse().expect("an address"), 1);
    pingora_ketama::Continuum::new(&(0..nodes).map(bucket).collect::<Vec<_>>())
}

fn peers(report: &mut Report, keys: &Keys, rounds: usize, nodes: usize) {
    let mut add = |name, times: crate::measure::Times| {
        report.add(name, nodes, "independent", times.independent, "ns");
        report.add(name, nodes, "dependent", times.dependent, "ns");
    };
    let ring = pingora(nodes);
    add(
        "pingora-ketama",
        lookups(keys, rounds, |key| ring.node_idx(key.as_bytes()) as u32),
    );

    let mut ring: hashring::HashRing<(u32, u32)> = hashring::HashRing::new();
    ring.batch_add(
        (0..nodes as u32)
            .flat_map(|node| (0..POINTS as u32).map(move |point| (node, point)))
            .collect(),
    );
    add(
        "hashring",
        lookups(keys, rounds, |key| {
            ring.get(&key).map_or(0, |point| point.0)
        }),
    );

    let node = |index| consistent_hash::Node::new(index).quantity(POINTS);
    let ring = consistent_hash::StaticHashRing::new(
        consistent_hash::DefaultHash,
        (0..nodes as u32).map(node),
    );
    add(
        "consistent_hash",
        lookups(keys, rounds, |key| {
            ring.calc_candidates(&key).next().map_or(0, |node| node.key)
        }),
    );

    // These build in the square of the points, or cost microseconds a key: larger rings would take minutes.
    if nodes > 1_000 {
        return;
    }
    let mut ring = conhash::ConsistentHash::new();
    (0..nodes as u32).for_each(|node| ring.add(&Peer(node), POINTS));
    add(
        "conhash (md5)",
        lookups(keys, rounds, |key| {
            ring.get_str(key).map_or(0, |node| node.0)
        }),
    );

    let known: Vec<Peer> = (0..nodes as u32).map(Peer).collect();
    let mut ring: hash_rings::consistent::Ring<'_, Peer, Sip> =
        hash_rings::consistent::Ring::with_hasher(Sip::default());
    known.iter().for_each(|node| ring.insert_node(node, POINTS));
    add(
        "hash-rings",
        lookups(keys, rounds, |key| ring.get_node(&key).0),
    );

    let ring = consistent_hash_ring::RingBuilder::default()
        .vnodes(POINTS)
        .nodes_iter(0..nodes as u32)
        .build();
    add(
        "consistent_hash_ring",
        lookups(keys, rounds, |key| *ring.get(key)),
    );

    #[cfg(libmemcached)]
    if nodes <= 100 {
        // It aborts above 100 servers.
        let ring = libmemcached::Ring::new(nodes as u32);
        add(
            "libmemcached (md5)",
            lookups(keys, rounds, |key| ring.node_of(key)),
        );
    }
}

#[cfg(libmemcached)]
mod libmemcached {
    use std::ffi::{c_char, c_void};

    unsafe extern "C" {
        fn peer_new(nodes: u32) -> *mut c_void;
        fn peer_node_of(ring: *mut c_void, key: *const c_char, length: usize) -> u32;
    }

    /// Lives until the program ends.
    pub struct Ring(*mut c_void);

    impl Ring {
        pub fn new(nodes: u32) -> Self {
            // SAFETY: allocates and returns a handle that nobody frees.
            Self(unsafe { peer_new(nodes) })
        }

        pub fn node_of(&self, key: &str) -> u32 {
            // SAFETY: the handle is live, and the key is passed with its length.
            unsafe { peer_node_of(self.0, key.as_ptr().cast(), key.len()) }
        }
    }
}

fn builds(report: &mut Report, rounds: usize) {
    const NODES: usize = 1_000;
    let topology = topology(NODES, "nginx-consistent");
    let placement = Placement::build(&topology);
    let newcomer = Node::new("newcomer", "10.99.0.1".parse().expect("an address"));
    let ours = "evenkeel nginx-consistent";
    report.add(
        ours,
        NODES,
        "build",
        once(rounds, || Placement::build(&topology)),
        "ms",
    );
    report.add(
        ours,
        NODES,
        "add",
        once(rounds, || placement.with_node(newcomer.clone())),
        "ms",
    );
    report.add(
        ours,
        NODES,
        "remove",
        once(rounds, || placement.without_node("cache-500")),
        "ms",
    );
    report.add(
        "pingora-ketama",
        NODES,
        "build",
        once(rounds, || pingora(NODES)),
        "ms",
    );
    let slots = self::topology(NODES, "slots");
    let placement = Placement::build(&slots);
    report.add(
        "evenkeel slots",
        NODES,
        "build",
        once(1, || Placement::build(&slots)),
        "ms",
    );
    report.add(
        "evenkeel slots",
        NODES,
        "add",
        once(rounds, || placement.with_node(newcomer.clone())),
        "ms",
    );
    report.add(
        "evenkeel slots",
        NODES,
        "remove",
        once(rounds, || placement.without_node("cache-500")),
        "ms",
    );
}

/// Ratios and differences that the project has set itself.
fn figures(report: &mut Report) {
    let get = |name: &str, nodes, what| report.get(name, nodes, what).unwrap_or(f64::NAN);
    let peers = [
        "pingora-ketama",
        "hashring",
        "consistent_hash",
        "conhash (md5)",
        "hash-rings",
        "consistent_hash_ring",
    ];
    let best = peers
        .iter()
        .map(|name| get(name, 1_000, "independent"))
        .fold(f64::MAX, f64::min);
    let nginx = get("evenkeel nginx-consistent", 1_000, "independent");
    let build = get("evenkeel nginx-consistent", 1_000, "build");
    let figures = [
        (
            "ring_vs_pingora_1000",
            get("pingora-ketama", 1_000, "independent") / nginx,
        ),
        (
            "ring_vs_best_peer_1000",
            best / get("evenkeel ring (xxh3)", 1_000, "independent"),
        ),
        (
            "slots_vs_hash_1000",
            get("evenkeel slots", 1_000, "independent") - get("hash alone: xxh3", 0, "independent"),
        ),
        (
            "md5_vs_block_100",
            get("evenkeel libmemcached ketama", 100, "dependent")
                / get("hash alone: md5 block", 0, "dependent"),
        ),
        (
            "build_vs_pingora_1000",
            build / get("pingora-ketama", 1_000, "build"),
        ),
        (
            "build_vs_add_1000",
            build / get("evenkeel nginx-consistent", 1_000, "add"),
        ),
        (
            "build_vs_remove_1000",
            build / get("evenkeel nginx-consistent", 1_000, "remove"),
        ),
        (
            "bytes_per_point_1000",
            get("evenkeel nginx-consistent", 1_000, "memory"),
        ),
    ];
    report.figures = figures.into();
}
