//! What a hand with a pointer can do: a mouse, a finger, a stylus.

use serde::Serialize;

use crate::mapping::Point;

/// An action with a pointer, in coordinates of the screen.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Pointing {
    /// Go there and press once.
    Click(Point),
    /// Go there and rest.
    Rest(Point),
}

impl Pointing {
    /// Where it points.
    pub const fn place(self) -> Point {
        match self {
            Pointing::Click(place) | Pointing::Rest(place) => place,
        }
    }
}
