//! The lab (X6): measurements that the operator starts from a page, with their plots and the command that repeats each.
//!
//! A measurement is this program once more, as a process of its own: it cannot slow the hall's task, and it can be
//! stopped. One runs at a time.

mod bench;
mod routes;

pub use bench::{Lab, LabError};
pub use routes::routes;
pub(crate) use routes::{start, stop};
