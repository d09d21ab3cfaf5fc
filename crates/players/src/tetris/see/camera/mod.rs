//! Seeing Tetris through a camera: finding the screen, reading it in uneven
//! light, and the robot document's own ways of recognising a piece beside ours.

pub mod document;
pub mod layout;
mod read;
pub mod recognise;
pub mod rectifier;
pub mod trials;

pub use read::CameraReader;
pub use rectifier::ScreenRectifier;
