//! The migration gate: between routing and the node connections, for moved keys only.
//!
//! A request on a moved key in `copy` or `settle` becomes a [`Task`]: an operation of the migration rules, with the
//! bytes that go to the nodes and the bytes that the client gets. Like everything in the data plane it does no I/O: the
//! worker sends what a task says and tells it what it heard.
//!
//! ```text
//! client bytes ─▶ Request ─▶ Task ─▶ ask: command to node bytes ─▶ source or target
//!                              ▲                                        │
//!                              └──── migration::hear: reply to answer ◀─┘
//!                              └──▶ tell: outcome to client bytes
//! ```
//!
//! What is not here: which keys are moved (routing), when an epoch is acknowledged
//! ([`Member`](evenkeel_core::migration::Member)), the sockets and timers (the worker).

mod ask;
mod request;
mod task;
mod tell;

pub use request::{Form, Refusal, Request, Verb};
pub use task::{Answered, Do, Heard, Shared, Task, Todo};
