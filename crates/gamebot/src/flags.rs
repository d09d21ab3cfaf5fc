//! Choices that several commands offer as flags.

use clap::ValueEnum;

/// A disc's colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DiscFlag {
    /// Red discs.
    Red,
    /// Yellow discs.
    Yellow,
}

/// What SameGame is played for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum GoalFlag {
    /// An empty board.
    Clear,
    /// The highest score: (n−2)² per move, 1000 for an empty board.
    Points,
}
