//! A node as one worker sees it.

use evenkeel_core::Address;

/// A node and its connections.
#[derive(Debug)]
pub struct Node {
    pub name: String,
    pub address: Address,
    /// Numbers of its connections.
    pub links: Vec<usize>,
    /// The tag of its CAS tokens.
    pub tag: u16,
    /// Why its last connection ended.
    pub trouble: String,
    /// It left the topology; its connections end once they are idle.
    pub retired: bool,
}

impl Node {
    /// The connection that serves this client: always the same, so that one client's commands stay in order.
    pub fn link_for(&self, client: usize) -> Option<usize> {
        let index = client.checked_rem(self.links.len())?;
        self.links.get(index).copied()
    }

    /// The server that it is, whatever its name: two names for one server move no key between them.
    pub fn server(&self) -> String {
        match &self.address {
            Address::Embedded => format!("embedded:{}", self.name),
            address => address.to_string(),
        }
    }

    /// The error for a request that this node cannot answer.
    pub fn failure(&self, why: &str) -> Vec<u8> {
        format!("SERVER_ERROR node {}: {why}\r\n", self.name).into_bytes()
    }
}
