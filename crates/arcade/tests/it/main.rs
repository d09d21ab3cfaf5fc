//! The arcade as pages meet it: a real server on a real port, a real WebSocket,
//! the simulated robot on a real pseudo terminal.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod disk;
mod docs;
mod games;
mod junk;
mod lab;
mod lego_arm;
mod manners;
mod operator;
mod play;
mod recordings;
mod robot_faults;
mod server;
mod shows;
mod visitor;
mod words;
