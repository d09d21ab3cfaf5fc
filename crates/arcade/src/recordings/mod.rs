//! Recordings (X3): the runs that this server recorded and those that visitors bring, to be looked at frame by frame.
//!
//! Nothing here touches the hall's task: files are read on threads that may block, a few at a time.

mod result;
mod routes;
mod scan;
mod settings;
mod shelf;

pub use routes::routes;
pub(crate) use routes::{delete, label};
pub use settings::{RecordShows, RecordingsSettings};
pub use shelf::{Entry, Shelf, ShelfError};
