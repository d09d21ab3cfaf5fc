//! How a simulated game behaves: its rules, its effects, and what goes wrong with it.

use std::time::Duration;

use samegame::rules::Rules;

use super::look::LookName;

/// How a game behaves.
#[derive(Clone, Debug)]
pub struct Habits {
    /// What it looks like.
    pub look: LookName,
    /// Columns and rows.
    pub size: (usize, usize),
    /// Colours.
    pub colours: u8,
    /// Smallest group, and where columns go.
    pub rules: Rules,
    /// Clicks for one move: with two, the first marks the group.
    pub clicks: u8,
    /// How long tiles take to vanish and fall.
    pub animation: Duration,
    /// Whether tiles bounce when they land.
    pub bounce: bool,
    /// What the pointer does to the group under it.
    pub hover: Hover,
    /// Whether the points of a move pop up over the board.
    pub pop_ups: bool,
    /// What comes after tiles that went.
    pub supply: Supply,
    /// How the next round begins.
    pub next_round: NextRound,
    /// Pause before the next round begins by itself.
    pub new_round_after: Duration,
    /// Share of clicks that have no effect.
    pub lost_clicks: f64,
    /// Time between two windows that cover the game for two seconds; zero for none.
    pub covered_every: Duration,
    /// Random seed.
    pub seed: u64,
}

impl Default for Habits {
    fn default() -> Self {
        Self {
            look: LookName::Flat,
            size: (15, 10),
            colours: 3,
            rules: Rules::default(),
            clicks: 1,
            animation: Duration::from_millis(150),
            bounce: false,
            hover: Hover::Nothing,
            pop_ups: false,
            supply: Supply::Nothing,
            next_round: NextRound::Itself,
            new_round_after: Duration::from_millis(800),
            lost_clicks: 0.0,
            covered_every: Duration::ZERO,
            seed: 1,
        }
    }
}

/// What the pointer does to the group under it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hover {
    /// Nothing.
    Nothing,
    /// The group is drawn lighter.
    Brighten,
    /// The group is drawn larger.
    Enlarge,
}

/// What comes after tiles that went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Supply {
    /// Nothing: the board empties.
    Nothing,
    /// New tiles fall in from above; the round ends after some moves.
    Refill,
    /// A new column comes in from the side where one went; the round ends after some moves.
    Columns,
}

/// How the next round begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NextRound {
    /// By itself, after a while.
    Itself,
    /// A dialog with a button comes up.
    Dialog,
    /// The window's button for a new game, or the key N.
    Button,
}
