//! The web hall (C1–C12): lobby, games, watch page, operator's page, storage.
//! The only crate that knows HTTP.

pub mod event;
pub mod name;
pub mod settings;
pub mod store;
pub mod table;
