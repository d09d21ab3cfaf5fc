//! The choices before a game, and the eight buttons.

use std::ops::{BitAnd, BitOr, Not};

/// A set of held buttons, in the console's bit order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Buttons(pub u8);

impl Buttons {
    /// No button.
    pub const NONE: Buttons = Buttons(0);
    /// Shifts right.
    pub const RIGHT: Buttons = Buttons(1);
    /// Shifts left.
    pub const LEFT: Buttons = Buttons(1 << 1);
    /// Does nothing in play.
    pub const UP: Buttons = Buttons(1 << 2);
    /// Soft drop.
    pub const DOWN: Buttons = Buttons(1 << 3);
    /// Turns clockwise.
    pub const A: Buttons = Buttons(1 << 4);
    /// Turns counter-clockwise.
    pub const B: Buttons = Buttons(1 << 5);
    /// Hides and shows the preview.
    pub const SELECT: Buttons = Buttons(1 << 6);
    /// Pauses and resumes.
    pub const START: Buttons = Buttons(1 << 7);

    /// Whether any button of `other` is in the set.
    pub fn any(self, other: Buttons) -> bool {
        self.0 & other.0 != 0
    }
}

impl BitOr for Buttons {
    type Output = Buttons;
    fn bitor(self, other: Buttons) -> Buttons {
        Buttons(self.0 | other.0)
    }
}

impl BitAnd for Buttons {
    type Output = Buttons;
    fn bitand(self, other: Buttons) -> Buttons {
        Buttons(self.0 & other.0)
    }
}

impl Not for Buttons {
    type Output = Buttons;
    fn not(self) -> Buttons {
        Buttons(!self.0)
    }
}

/// The game type.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// Endless, faster every ten lines.
    #[default]
    A,
    /// 25 lines on one level.
    B,
    /// 30 lines against an opponent on the link cable.
    Versus,
}

/// The choices made before a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Setup {
    mode: Mode,
    level: u8,
    heart: bool,
}

/// Highest start level.
const MAX_START_LEVEL: u8 = 9;
/// The level of two-player games, which sets their speed.
const VERSUS_LEVEL: u8 = 1;

impl Setup {
    /// A game that starts at this level, 0 to 9; `heart` makes it ten levels faster.
    pub fn new(mode: Mode, level: u8, heart: bool) -> Result<Setup, SetupError> {
        if level > MAX_START_LEVEL {
            return Err(SetupError::Level { level });
        }
        Ok(Setup { mode, level, heart })
    }

    /// A two-player game; its speed cannot be chosen.
    pub fn versus() -> Setup {
        Setup { mode: Mode::Versus, level: VERSUS_LEVEL, heart: false }
    }

    /// The game's mode.
    pub fn mode(self) -> Mode {
        self.mode
    }

    /// The chosen level.
    pub fn level(self) -> u8 {
        self.level
    }

    /// Whether heart mode is on.
    pub fn heart(self) -> bool {
        self.heart
    }
}

/// Why a setup is not valid.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum SetupError {
    /// No such start level.
    #[error("there is no start level {level}; choose 0 to {MAX_START_LEVEL}")]
    Level {
        /// The level asked for.
        level: u8,
    },
    /// No such B-type height.
    #[error("there is no height {high}; choose 0 to 5")]
    High {
        /// The height asked for.
        high: u8,
    },
}
