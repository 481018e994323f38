//! What is refused before a migration starts, and what the plan says.

use std::collections::BTreeMap;

use evenkeel_core::migration::Options;
use evenkeel_core::{KeyRule, Node, Scheme, Topology};
use evenkeel_proxy::control::{ApplyRequest, Plan, preflight};
use evenkeel_proxy::copier::Reach;
use evenkeel_proxy::store::PoolRecord;
use evenkeel_testkit::{Server, free_port};

use crate::cluster::{exchange, fill, topology};

fn request(to: &Topology) -> ApplyRequest {
    ApplyRequest {
        epoch: 1,
        topology: to.clone(),
        options: Options::default(),
        rates: None,
        purge: false,
        flush_new: false,
        by: String::new(),
    }
}

async fn plan(from: &Topology, request: &ApplyRequest) -> Plan {
    let record = PoolRecord::first(from.clone());
    preflight(&Reach::default(), &record, request, &BTreeMap::new()).await
}

async fn kinds(from: &Topology, request: &ApplyRequest) -> Vec<String> {
    let refusals = plan(from, request).await.refusals;
    refusals
        .into_iter()
        .map(|complaint| complaint.kind)
        .collect()
}

/// `cache-1`, `cache-2`, ... at these addresses.
fn at(addresses: &[String]) -> Topology {
    let node = |(at, address): (usize, &String)| {
        Node::new(format!("cache-{}", at + 1), address.parse().unwrap())
    };
    let nodes = addresses.iter().enumerate().map(node).collect();
    Topology::new(nodes, Scheme::default(), KeyRule::default()).unwrap()
}

#[tokio::test]
async fn a_plan_tells_shares_keys_and_bytes_and_leaves_no_trace() {
    let servers = [Server::memcached(&[]), Server::memcached(&[])];
    let (from, to) = (topology(&servers, &[0]), topology(&servers, &[0, 1]));
    fill(&servers, &from, 1_000);
    let plan = plan(&from, &request(&to)).await;
    assert!(plan.refusals.is_empty(), "{:?}", plan.refusals);
    assert!(
        (0.49..0.51).contains(&plan.moved_share),
        "{}",
        plan.moved_share
    );
    assert!(
        (480..520).contains(&plan.keys) && plan.bytes > 0,
        "{plan:?}"
    );
    assert_eq!(crate::cluster::keys(&servers[0]).len(), 1_000);
    assert_eq!(crate::cluster::keys(&servers[1]).len(), 0);
}

#[tokio::test]
async fn a_new_node_that_is_not_empty_is_refused_unless_it_may_be_flushed() {
    let servers = [Server::memcached(&[]), Server::memcached(&[])];
    let (from, to) = (topology(&servers, &[0]), topology(&servers, &[0, 1]));
    exchange(&servers[1], b"set old 0 0 1\r\nx\r\n", b"STORED\r\n");
    let mut request = request(&to);
    let refusals = plan(&from, &request).await.refusals;
    assert_eq!(refusals.len(), 1);
    assert_eq!(refusals[0].kind, "not-empty");
    assert!(
        refusals[0].reason.contains("1 keys, such as old"),
        "{refusals:?}"
    );
    request.flush_new = true;
    assert!(kinds(&from, &request).await.is_empty());
}

#[tokio::test]
async fn leftovers_at_a_node_of_the_pool_are_shown_and_asked_for() {
    let servers = [
        Server::memcached(&[]),
        Server::memcached(&[]),
        Server::memcached(&[]),
    ];
    let (from, to) = (topology(&servers, &[0, 1]), topology(&servers, &[0, 1, 2]));
    fill(&servers, &from, 50);
    for at in 0..50 {
        exchange(
            &servers[0],
            format!("set key:{at} 0 0 1\r\nx\r\n").as_bytes(),
            b"STORED\r\n",
        );
    }
    let mut request = request(&to);
    assert_eq!(kinds(&from, &request).await, ["leftovers"]);
    request.purge = true;
    assert!(kinds(&from, &request).await.is_empty());
}

#[tokio::test]
async fn servers_that_cannot_take_part_are_refused_by_trial() {
    let good = Server::memcached(&[]);
    let no_cas = Server::memcached(&["-C"]);
    let no_crawler = Server::memcached(&["-o", "no_lru_crawler"]);
    let from = at(&[good.address()]);
    let with = |other: String| request(&at(&[good.address(), other]));
    assert_eq!(kinds(&from, &with(no_cas.address())).await, ["no-cas"]);
    assert_eq!(
        kinds(&from, &with(no_crawler.address())).await,
        ["commands-missing"]
    );
    let nobody = format!("127.0.0.1:{}", free_port());
    assert_eq!(kinds(&from, &with(nobody)).await, ["unreachable"]);
}

#[tokio::test]
async fn one_server_under_two_names_or_addresses_is_refused() {
    let servers = [Server::memcached(&[]), Server::memcached(&[])];
    let from = at(&[servers[0].address()]);
    let twice = at(&[servers[0].address(), servers[0].address()]);
    assert!(
        kinds(&from, &request(&twice))
            .await
            .contains(&"two-names".to_owned())
    );
    // Its keys would be moved to itself, and deleted.
    let alias = at(&[format!("localhost:{}", servers[0].port())]);
    assert_eq!(kinds(&from, &request(&alias)).await, ["one-server"]);
}

#[tokio::test]
async fn a_server_of_another_pool_is_refused() {
    let servers = [Server::memcached(&[]), Server::memcached(&[])];
    let (from, to) = (topology(&servers, &[0]), topology(&servers, &[0, 1]));
    let others = BTreeMap::from([(servers[1].address(), "sessions".to_owned())]);
    let record = PoolRecord::first(from);
    let plan = preflight(&Reach::default(), &record, &request(&to), &others).await;
    assert_eq!(plan.refusals[0].kind, "other-pool");
    assert!(plan.refusals[0].reason.contains("sessions"));
}
