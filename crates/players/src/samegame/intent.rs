//! What one look shows, what to do about it, and what will be seen if that works.

use engine::Pointing;
use samegame::board::{Board, CellGroup};
use schemars::JsonSchema;
use serde::Serialize;

/// What one look shows.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct Observation {
    /// The board, as text in normal form; marked tiles as they were before.
    #[serde(serialize_with = "as_text")]
    #[schemars(with = "String")]
    pub(super) board: Board,
    /// Whether the last look showed the same.
    pub(super) still: bool,
    /// Whether the group that was clicked is marked and waits for a second click.
    pub(super) marked: bool,
    /// Where the board lies in the picture, for people who watch.
    pub(super) bounds: Bounds,
}

/// A part of the picture, in pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq, JsonSchema, Serialize)]
pub struct Bounds {
    pub(super) left: f64,
    pub(super) top: f64,
    pub(super) width: f64,
    pub(super) height: f64,
}

/// A group to be removed.
#[derive(Clone, Debug, JsonSchema, Serialize)]
pub struct Removal {
    /// Its number, in normal-form order.
    pub(super) number: usize,
    /// Clicks for it.
    pub(super) clicks: u8,
    /// Moves left of the plan, this one included.
    pub(super) moves_left: usize,
    #[serde(skip)]
    pub(super) group: CellGroup,
    #[serde(skip, default)]
    pub(super) board: Option<Board>,
}

/// What to do next.
#[derive(Clone, Debug, JsonSchema, Serialize)]
#[serde(untagged)]
pub enum Intent {
    /// Remove a group.
    Remove(Removal),
    /// Ask for the next round.
    NextRound {
        /// How.
        ask: Pointing,
    },
}

/// What will be seen if a removal works; nothing is expected of asking for a round.
#[derive(Clone, Debug, JsonSchema, Serialize)]
pub struct Expectation {
    #[serde(serialize_with = "as_text")]
    #[schemars(with = "String")]
    pub(super) before: Board,
    #[serde(skip)]
    pub(super) group: Option<CellGroup>,
}

fn as_text<S: serde::Serializer>(board: &Board, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(board)
}
