//! The web hall (C1–C12): lobby, games, watch page, operator's page, storage.
//! The only crate that knows HTTP.

pub mod admin;
mod api;
mod connection;
pub mod event;
pub mod hall;
pub mod metrics;
pub mod name;
pub mod robot;
pub mod settings;
pub mod store;
pub mod table;
pub mod web;

pub use web::{AppState, app};
