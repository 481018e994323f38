//! A proxy in front of given nodes.

use evenkeel_core::{KeyRule, Node, Placement, Scheme, Topology};
use evenkeel_testkit::{Proxy, Server};

/// Addresses of `count` real memcached, and the servers themselves.
pub fn real(count: usize) -> (Vec<Server>, Vec<String>) {
    let servers: Vec<Server> = (0..count).map(|_| Server::memcached(&[])).collect();
    let addresses = servers.iter().map(Server::address).collect();
    (servers, addresses)
}

/// A proxy whose nodes n0, n1, ... have these addresses; `settings` are lines of its pool.
pub fn proxy(addresses: &[String], settings: &str) -> Proxy {
    let text = config(addresses, settings);
    Proxy::start(env!("CARGO_BIN_EXE_evenkeel"), |port, _| {
        text.replace("PORT", &port.to_string())
    })
}

fn config(addresses: &[String], settings: &str) -> String {
    let nodes: String = addresses
        .iter()
        .enumerate()
        .map(|(index, address)| {
            format!("[[pool.node]]\nname = \"n{index}\"\naddress = \"{address}\"\n")
        })
        .collect();
    format!(
        "[admin]\nlisten = \"off\"\n[[pool]]\nname = \"test\"\nprotocol = \"memcached\"\nlisten = [\"127.0.0.1:PORT\"]\nplacement = \"slots\"\nworkers = 1\n{settings}\n{nodes}"
    )
}

/// A key per node: the one at index i lives on node i.
pub fn key_of_each(addresses: &[String]) -> Vec<String> {
    let nodes = addresses.iter().enumerate();
    let nodes =
        nodes.map(|(index, address)| Node::new(format!("n{index}"), address.parse().unwrap()));
    let scheme: Scheme = "slots".parse().unwrap();
    let topology = Topology::new(nodes.collect(), scheme, KeyRule::default()).unwrap();
    let placement = Placement::build(&topology);
    (0..addresses.len())
        .map(|index| {
            (0..)
                .map(|number| format!("key-{number}"))
                .find(|key| placement.node_of(key.as_bytes()).get() == index)
                .unwrap()
        })
        .collect()
}
