//! The opening book.

mod enumerate;

pub use enumerate::{Ply, canonical, positions_up_to};
