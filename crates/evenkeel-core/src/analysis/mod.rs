//! What a placement does to a pool, before anything is touched: what a change moves, how even it is,
//! how schemes compare, and which preset explains what was observed.
//!
//! All of it is arithmetic on placements. Nothing here measures time or prints.

mod balance;
mod compare;
mod division;
mod identify;
mod overlap;
mod plan;

pub(crate) use division::{Division, Parts, Source};

pub use balance::{Balance, balance, balance_by_points, balance_of_keys};
pub use compare::{Compared, compare};
pub use identify::{Explanation, Identified, Verdict, identify};
pub use plan::{Counted, Flow, Gain, Method, Plan, count, plan};
