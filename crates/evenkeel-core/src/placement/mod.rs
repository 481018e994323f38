//! From key to node.

mod jump;
mod labelled;
mod maglev;
mod modulo;
mod placed;
pub(crate) mod redis_cluster;
mod rendezvous;
mod ring;
mod score;
mod seen;
mod slots;
mod walk;

pub use jump::jump;
pub use placed::Placement;
pub use walk::Walk;
