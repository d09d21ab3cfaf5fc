//! Bad habits: robots that do the same thing wrong every time, unlike a mishap, which passes.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// A bad habit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Habit {
    /// The third disc on the board always gets stuck.
    JamsAtThird,
    /// Every received character is answered twice.
    AnswersTwice,
    /// It says busy for ever.
    NeverReady,
    /// It empties the board, but takes every disc without moving.
    NeverDrops,
}

impl Habit {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::JamsAtThird, Self::AnswersTwice, Self::NeverReady, Self::NeverDrops];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::JamsAtThird => "jams-at-third",
            Self::AnswersTwice => "answers-twice",
            Self::NeverReady => "never-ready",
            Self::NeverDrops => "never-drops",
        }
    }
}

impl fmt::Display for Habit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Habit {
    type Err = UnknownHabit;
    fn from_str(text: &str) -> Result<Self, UnknownHabit> {
        let found = Self::ALL.into_iter().find(|habit| habit.name() == text);
        found.ok_or_else(|| UnknownHabit(text.to_owned()))
    }
}

/// No such habit.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("no habit `{0}`; there are {names}", names = Habit::ALL.map(Habit::name).join(", "))]
pub struct UnknownHabit(String);
