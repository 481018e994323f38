//! Moving keys while serving, without a stale read: the rules, and nothing but the rules.
//!
//! Everything here is pure: no I/O, no clock, no threads. Three machines share one [`Record`]:
//!
//! - [`leader`]: from what has been acknowledged, purged and listed to the next record;
//! - [`Member`]: what one worker of a proxy may begin under the record it knows, and when it may acknowledge an epoch;
//! - [`Operation`]: one client operation (or one copier move) on one moved key, as a state machine that asks for node
//!   commands and is told their answers.
//!
//! The proxy drives these machines with sockets and timers. The model in `tests/migration_model` drives the same code
//! through every interleaving, so what is checked there is what runs.
//!
//! What is promised, per key: a read returns the latest acknowledged write, a write still in flight, or nothing; never
//! an older value. The invariant that carries it, in [`Phase::Copy`]: if the source has a copy, then the target has
//! none or the same one, and no acknowledged write is newer; and a lease that still holds at the target was taken after
//! the last acknowledged write there.

mod record;
mod rules;
mod tags;

pub mod leader;
pub mod member;
pub mod operation;

pub use member::Member;
pub use operation::Operation;
pub use record::{Back, Epoch, Loss, Migration, Options, Phase, Record};
pub use rules::{Rule, Rules};
pub use tags::{Tag, Tags};
