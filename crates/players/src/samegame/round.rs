//! What is remembered of each round.

use serde::Serialize;

/// One round, from its first full board to its end.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Round {
    /// Whether no tile was left.
    pub cleared: bool,
    /// Points by the usual count: (n−2)² a move, 1000 for an empty board.
    pub score: i32,
    /// Moves that worked.
    pub moves: u32,
    /// Clicks that were made.
    pub clicks: u32,
    /// Moves whose clicks had no effect.
    pub lost_clicks: u32,
    /// Seconds from the first look at its board to the last, by the run's clock.
    pub round_s: f64,
    /// Tiles left.
    pub remaining: usize,
    /// How it ended.
    pub ending: RoundEnd,
}

/// How a round ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RoundEnd {
    /// It goes on.
    #[default]
    Underway,
    /// No tile is left.
    Cleared,
    /// Tiles are left, and a proof says that it could not be cleared.
    Unsolvable,
    /// Tiles are left, and nobody knows whether it could have been cleared.
    Stuck,
}
