//! The levels and their numbers.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::exhibition;

/// How strong the machine plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// Looks 2 discs ahead, every third move is a bad one.
    Easy,
    /// Looks 5 discs ahead.
    Medium,
    /// Looks 8 discs ahead.
    Hard,
    /// Knows everything.
    Perfect,
    /// As strong as its visitor, who wins about half of the games.
    Adaptive,
    /// The LEGO hub's own search.
    Lego,
}

impl Level {
    /// Every level.
    pub const ALL: [Level; 6] =
        [Level::Easy, Level::Medium, Level::Hard, Level::Perfect, Level::Adaptive, Level::Lego];

    /// Its name in text.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Easy => "easy",
            Self::Medium => "medium",
            Self::Hard => "hard",
            Self::Perfect => "perfect",
            Self::Adaptive => "adaptive",
            Self::Lego => "lego",
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A word that names no level.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a level: easy, medium, hard, perfect, adaptive, lego")]
pub struct UnknownLevel(pub String);

impl FromStr for Level {
    type Err = UnknownLevel;

    fn from_str(name: &str) -> Result<Self, UnknownLevel> {
        let wanted = name.to_ascii_lowercase();
        Self::ALL.into_iter().find(|level| level.name() == wanted).ok_or_else(|| UnknownLevel(name.into()))
    }
}

/// A level that searches as the documents do.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SearchLevel {
    /// The search.
    pub search: exhibition::SearchSettings,
    /// The share of moves that are bad on purpose, 0 to 1.
    pub bad_moves: f64,
}

impl SearchLevel {
    const fn exhibition(depth: u32, bad_moves: f64) -> Self {
        Self { search: exhibition::SearchSettings::exhibition(depth), bad_moves }
    }
}

/// The numbers behind the levels.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct MachineSettings {
    /// Depth 2, 33 % bad moves.
    pub easy: SearchLevel,
    /// Depth 5.
    pub medium: SearchLevel,
    /// Depth 8.
    pub hard: SearchLevel,
    /// Depth 3 or 4, with a table.
    pub lego: SearchLevel,
    /// How deep the tree of a decision is shown.
    pub display_depth: u32,
    /// Memory of the solver's table.
    pub table_bytes: usize,
}

impl Default for MachineSettings {
    fn default() -> Self {
        Self {
            easy: SearchLevel::exhibition(2, 0.33),
            medium: SearchLevel::exhibition(5, 0.0),
            hard: SearchLevel::exhibition(8, 0.0),
            lego: SearchLevel { search: exhibition::SearchSettings::LEGO, bad_moves: 0.0 },
            display_depth: 3,
            table_bytes: 64 << 20,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        for level in Level::ALL {
            assert_eq!(level.name().parse(), Ok(level));
            assert_eq!(level.name().to_uppercase().parse(), Ok(level));
        }
        assert!("expert".parse::<Level>().unwrap_err().to_string().contains("easy, medium"));
    }
}
