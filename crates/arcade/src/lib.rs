//! The web hall (C1–C12): lobby, games, watch page, operator's page, storage.
//! The only crate that knows HTTP.

pub mod admin;
mod api;
mod connection;
pub mod event;
pub mod files;
pub mod hall;
pub mod machine;
pub mod metrics;
pub mod name;
pub mod robot;
mod serve;
pub mod settings;
pub mod store;
pub mod table;
pub mod web;

pub use serve::{Arcade, OpenError, Options, SECTIONS};
pub use web::{AppState, app};
