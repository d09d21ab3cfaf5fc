//! The cabinets of the hall: each is a unit of its own, with its state machine, its events, its stored records and what
//! its pages ask for. Connect Four is a table where people sit down; nothing here is generic over games.
//! Shows are runs of the engine that pages watch.

pub mod connect_four;
pub mod play;
pub mod screenshot;
pub mod shows;
