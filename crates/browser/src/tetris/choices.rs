//! The choices before a game, checked: rules, size, level, seed (P1).

use serde::{Deserialize, Serialize};
use tetris::classic::{FieldSize, FieldSizeError};
use tetris::gameboy::{MAX_LEVEL, ROWS};

/// Which Tetris.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RulesName {
    /// The 1989 handheld, frame by frame: 10 × 18.
    #[default]
    Gameboy,
    /// Any size, pieces in any orientation, one drop key.
    Classic,
}

/// What is chosen before a game. The same choices and the same keys give the same game everywhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Choices {
    /// Which rules.
    pub rules: RulesName,
    /// Columns; on Game Boy rules always 10.
    #[serde(default = "default_width")]
    pub width: usize,
    /// Rows; on Game Boy rules always 18.
    #[serde(default = "default_height")]
    pub height: usize,
    /// Start level, 0 to 20.
    #[serde(default)]
    pub level: u8,
    /// Ten levels faster than shown; Game Boy rules only.
    #[serde(default)]
    pub heart: bool,
    /// Decides which pieces come.
    pub seed: u32,
}

fn default_width() -> usize {
    FieldSize::default().width()
}

fn default_height() -> usize {
    ROWS as usize
}

impl Choices {
    /// Game Boy rules from this level.
    pub fn gameboy(level: u8, seed: u32) -> Choices {
        Choices { rules: RulesName::Gameboy, width: 10, height: ROWS as usize, level, heart: false, seed }
    }

    /// Classic rules on a field of this size.
    pub fn classic(width: usize, height: usize, seed: u32) -> Choices {
        Choices { rules: RulesName::Classic, width, height, level: 0, heart: false, seed }
    }

    /// Checks every choice.
    pub fn check(&self) -> Result<FieldSize, ChoicesError> {
        let size = FieldSize::new(self.width, self.height)?;
        match self.rules {
            RulesName::Gameboy if (self.width, self.height) != (10, ROWS as usize) => {
                Err(ChoicesError::GameboySize { width: self.width, height: self.height })
            }
            _ if self.level > MAX_LEVEL => Err(ChoicesError::Level { level: self.level }),
            RulesName::Classic if self.heart => Err(ChoicesError::ClassicHeart),
            RulesName::Gameboy | RulesName::Classic => Ok(size),
        }
    }
}

/// Why a game cannot start like this.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum ChoicesError {
    /// No such size.
    #[error(transparent)]
    Size(#[from] FieldSizeError),
    /// Game Boy rules have one size.
    #[error("the Game Boy's field is 10 × 18, not {width} × {height}; choose classic rules for another size")]
    GameboySize {
        /// Columns asked for.
        width: usize,
        /// Rows asked for.
        height: usize,
    },
    /// No such level.
    #[error("there is no level {level}; choose 0 to {MAX_LEVEL}")]
    Level {
        /// The level asked for.
        level: u8,
    },
    /// Only the Game Boy has hearts.
    #[error("heart mode is for Game Boy rules; choose a higher level instead")]
    ClassicHeart,
    /// Pieces of another game are dealt under its rules.
    #[error("at least three pieces of a Game Boy game are needed")]
    Dealt,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_levels_are_checked() {
        assert!(Choices::gameboy(20, 1).check().is_ok());
        assert_eq!(Choices::gameboy(21, 1).check(), Err(ChoicesError::Level { level: 21 }));
        assert_eq!(Choices::classic(33, 20, 1).check(), Err(FieldSizeError::Width { width: 33 }.into()));
        assert_eq!(Choices::classic(10, 3, 1).check(), Err(FieldSizeError::Height { height: 3 }.into()));
        let wide = Choices { width: 12, ..Choices::gameboy(0, 1) };
        assert_eq!(wide.check(), Err(ChoicesError::GameboySize { width: 12, height: 18 }));
        assert!(Choices { level: 20, ..Choices::classic(10, 20, 1) }.check().is_ok());
        let heart = Choices { heart: true, ..Choices::classic(10, 20, 1) };
        assert_eq!(heart.check(), Err(ChoicesError::ClassicHeart));
    }
}
