//! The web hall (C1–C12): shared rooms for connections, visitors, the operator, settings and storage, and the cabinets
//! that stand in it. The only crate that knows HTTP.

#[cfg(not(unix))]
compile_error!("the arcade needs file locks and signals of Unix: build on Linux (on Windows in WSL)");

pub mod cabinets;
pub mod files;
pub mod hall;
pub mod lab;
pub mod limits;
pub mod metrics;
pub mod operator;
pub mod recordings;
mod serve;
pub mod settings;
pub mod storage;
pub mod visitor;
pub mod web;

pub use operator::RecentLog;
pub use serve::{Arcade, OpenError, Options, SECTIONS};
pub use web::{AppState, app};
