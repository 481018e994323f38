//! Commands of our own on the nodes' connections: for the migration gate and the copier.

use super::engine::Engine;
use super::pending::{Form, Owner, Pending};
use evenkeel_wire::memcached::Expect;

impl Engine {
    /// The engine's number of a node of the topology, by its index there.
    pub fn node_at(&self, index: usize) -> Option<usize> {
        self.owners.get(index).copied()
    }

    /// Sends `bytes`, one whole command with exactly one reply, to a node, and gives the number of the connection.
    /// `client` keeps an operation for a client on the connection of that client, so that its commands stay in order.
    /// With `only_on` nothing is sent unless this is the live connection. `None`: nothing was sent, and nothing will be
    /// heard. Otherwise [`Engine::take_heard`] tells of `operation` exactly once.
    pub fn send(
        &mut self,
        node: usize,
        client: usize,
        bytes: &[u8],
        expect: Expect,
        operation: u64,
        only_on: Option<u64>,
    ) -> Option<u64> {
        let deadline = self.deadline();
        let id = self.link_for(node, client)?;
        let link = self.links.get_mut(id)?;
        if !link.takes() || only_on.is_some_and(|number| number != link.connection) {
            return None;
        }
        link.out.push(bytes);
        link.wait_for(Pending {
            owner: Owner::Operation(operation),
            expect,
            form: Form::Whole,
            reads: false,
            keys: 0,
            moved: false,
            deadline,
        });
        let connection = link.connection;
        self.touch_link(id);
        Some(connection)
    }
}
