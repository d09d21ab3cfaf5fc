//! SameGame's rules, keys and solvers, checked against the plain board.

mod boards;
mod clearing;
mod comparison;
mod keys;
mod plans;
mod points;
mod rules;
