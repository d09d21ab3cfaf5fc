//! SameGame's rules, keys and solvers, checked against the plain board.

#![allow(clippy::unwrap_used, clippy::trivially_copy_pass_by_ref, reason = "tests read better so")]

mod boards;
mod clearing;
mod comparison;
mod keys;
mod plans;
mod points;
mod rules;
