//! Connect Four from outside.

mod book;
mod machine;
mod rules;
mod solver;
