//! What Evenkeel's tests need around them: real servers on the loopback, a proxy run as its users run it, nodes that
//! misbehave byte by byte, and a client that says exactly what it expects. Never part of the product.

// A test kit fails by panicking: that is how a test says no.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod client;
pub mod load;
mod port;
mod process;
mod proxy;
mod scripted;
mod server;

pub use client::Client;
pub use port::{free_port, free_ports};
pub use process::Process;
pub use proxy::Proxy;
pub use scripted::{Act, ScriptedNode};
pub use server::Server;
