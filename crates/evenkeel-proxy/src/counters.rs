//! Counts of one worker. Each has one writer, its worker; anybody may read.

use std::sync::atomic::{AtomicU64, Ordering};

/// A count with one writer.
#[derive(Debug, Default)]
pub struct Count(AtomicU64);

impl Count {
    /// Adds one. Not atomic as a whole, for there is one writer.
    pub fn add(&self) {
        self.set(self.get().wrapping_add(1));
    }

    /// Takes one off.
    pub fn sub(&self) {
        self.set(self.get().wrapping_sub(1));
    }

    /// Replaces the value.
    pub fn set(&self, value: u64) {
        self.0.store(value, Ordering::Relaxed);
    }

    /// The value now.
    pub fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

macro_rules! counters {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {
        /// What a worker counts.
        #[derive(Debug, Default)]
        pub struct Counters { $($(#[$doc])* pub $name: Count,)* }

        impl Counters {
            /// Names and values, in a fixed order.
            pub fn list(&self) -> Vec<(&'static str, u64)> {
                vec![$((stringify!($name), self.$name.get()),)*]
            }
        }
    };
}

counters! {
    /// Clients connected now.
    curr_connections,
    /// Clients accepted so far.
    total_connections,
    /// Requests of any kind.
    requests,
    /// Requests that read.
    requests_get,
    /// Requests that carry a value.
    requests_set,
    /// Requests that went to several nodes.
    requests_split,
    /// Requests answered with an error of the protocol.
    requests_bad,
    /// Parts of requests that failed because of their node.
    node_failures,
    /// Reads answered with a miss because their node was down.
    misses_for_down_node,
    /// Node connections that were made.
    node_connects,
    /// Node connections that ended, or could not be made.
    node_disconnects,
    /// Requests that were not answered in time.
    node_timeouts,
    /// Node connections ended because a reply was not one that was awaited.
    node_malformed,
    /// Times that accepting clients failed, for want of descriptors or otherwise.
    accept_errors,
}
