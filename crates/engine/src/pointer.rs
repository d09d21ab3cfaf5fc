//! What a hand with a pointer can do: a mouse with a keyboard beside it, a finger, a stylus.

use schemars::JsonSchema;
use serde::Serialize;

use crate::mapping::Point;

/// An action with a pointer, in coordinates of the screen.
#[derive(Clone, Copy, Debug, PartialEq, JsonSchema, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Pointing {
    /// Go there and press once.
    Click(Point),
    /// Go there and rest.
    Rest(Point),
    /// Press a key; the pointer stays where it is.
    Type(Key),
}

/// Keys that begin a new round in most games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Key {
    /// The letter N.
    N,
    /// Control and N.
    ControlN,
    /// F2.
    F2,
    /// Return.
    Return,
    /// The space bar.
    Space,
}

impl Pointing {
    /// Where it points; nowhere for a key.
    pub const fn place(self) -> Option<Point> {
        match self {
            Pointing::Click(place) | Pointing::Rest(place) => Some(place),
            Pointing::Type(_) => None,
        }
    }
}
