//! What the eye looks at.

use std::fmt;

/// A part of the desktop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// The first visible window whose title or class contains this text, whatever the case.
    Window(String),
    /// Everything.
    Screen,
    /// A rectangle of the screen.
    Region {
        /// Left edge.
        x: i32,
        /// Top edge.
        y: i32,
        /// Pixels across.
        width: u32,
        /// Pixels down.
        height: u32,
    },
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Window(title) => write!(f, "window `{title}`"),
            Self::Screen => f.write_str("screen"),
            Self::Region { x, y, width, height } => write!(f, "region {x},{y},{width}x{height}"),
        }
    }
}
