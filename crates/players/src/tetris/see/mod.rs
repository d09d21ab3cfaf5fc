//! What a screen can show: the game, or one of the menus around it.

pub mod camera;
mod exact;
mod reader;
mod tiles;

use gameboy::display::{SCREEN_HEIGHT, SCREEN_WIDTH};
use schemars::JsonSchema;
use serde::Serialize;
use tetris::board::WIDTH;
use tetris::{Board, Piece};
use thiserror::Error;

use engine::Picture;

use camera::CameraReader;
pub use reader::see;
pub use tiles::{KnownTiles, TILE, Tiles};

/// How screens are read.
#[derive(Clone, Debug)]
pub enum Eyes {
    /// Pixel by pixel.
    Exact(KnownTiles),
    /// As a camera shows them.
    Camera(CameraReader),
}

impl Eyes {
    /// Those for an emulator.
    pub fn exact() -> Eyes {
        Eyes::Exact(KnownTiles::stackfall())
    }

    /// Those behind a camera.
    pub fn camera() -> Eyes {
        Eyes::Camera(CameraReader::new(&KnownTiles::stackfall()))
    }

    /// Reads a screen that shows this display period.
    pub fn see(&self, screen: &Picture, period: u64) -> Result<Observation, Unclear> {
        match self {
            Eyes::Exact(known) => see(screen, period, known),
            Eyes::Camera(reader) => reader.see(screen, period),
        }
    }
}

/// What one screen shows.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize)]
pub struct Observation {
    /// Number of the display period that the screen shows.
    pub period: u64,
    /// What is on it.
    pub view: View,
}

/// What is on a screen.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum View {
    /// One or two players.
    Title {
        /// Whether two are chosen.
        two_players: bool,
    },
    /// A-type or B-type.
    GameType {
        /// Whether B-type is chosen.
        b_type: bool,
    },
    /// Level and best scores of the A-type; the choice blinks and is unseen half of the time.
    Levels {
        /// The level that is chosen now.
        level: Option<u8>,
        /// The letter that is being entered.
        entry: Option<Entry>,
        /// Whether heart mode is on.
        heart: bool,
        /// Best scores.
        table: [TableLine; 3],
    },
    /// Level, then height of the B-type; what is being chosen blinks and is unseen half of the time.
    BType {
        /// The level that is chosen now.
        level: Option<u8>,
        /// The height that is chosen now, once the level is.
        height: Option<u8>,
        /// Whether heart mode is on.
        heart: bool,
    },
    /// A game.
    Playing(Playing),
    /// A paused game.
    Paused,
    /// The field fills with bricks: the game has just ended with these figures.
    Curtain(Figures),
    /// The game has ended.
    Over,
    /// A rocket for a great score.
    Rocket,
    /// The cartridge plays by itself because the title was left alone.
    Demo,
    /// Before a game of two.
    TwoPlayers,
    /// A game of two begins in a moment.
    GetReady,
    /// A round of two has ended.
    Round {
        /// Rounds this player has won.
        wins: u8,
        /// Rounds the other one has won.
        losses: u8,
    },
    /// The account of a B-type game.
    Account {
        /// All its points.
        total: Option<u32>,
    },
    /// A screen without anything on it.
    Empty,
    /// None of these; another cartridge's menu, perhaps.
    Unknown,
}

impl View {
    /// Whether a word or a figure was read on it.
    pub fn is_read(&self) -> bool {
        match self {
            View::Empty | View::Unknown => false,
            View::Playing(Playing { figures, versus, .. }) => *versus || figures.is_any(),
            View::Curtain(figures) => figures.is_any(),
            View::Title { .. }
            | View::GameType { .. }
            | View::Levels { .. }
            | View::BType { .. }
            | View::Paused
            | View::Over
            | View::Rocket
            | View::Demo
            | View::TwoPlayers
            | View::GetReady
            | View::Round { .. }
            | View::Account { .. } => true,
        }
    }

    /// The same without what no choice depends on: figures and tables.
    #[must_use]
    pub fn choice(&self) -> View {
        match self {
            View::Levels { level, entry, heart, .. } => {
                View::Levels { level: *level, entry: *entry, heart: *heart, table: Default::default() }
            }
            View::Curtain(_) => View::Curtain(Figures::default()),
            view => view.clone(),
        }
    }
}

/// The letter of the name that is being entered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize)]
pub struct Entry {
    /// Line of the table, 0 to 2.
    pub rank: u8,
    /// Which letter, 0 to 5.
    pub position: u8,
    /// The letter as it stands.
    pub letter: char,
}

/// One of the best scores.
#[derive(Clone, Debug, Default, PartialEq, Eq, JsonSchema, Serialize)]
pub struct TableLine {
    /// Six letters, dashes where there are none.
    pub name: String,
    /// Points; nothing where nobody has any.
    pub score: Option<u32>,
}

/// A game under way, as far as one screen shows it.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize)]
pub struct Playing {
    /// Filled cells by column, falling piece included; bit 0 is the lowest row.
    pub cells: [u32; WIDTH],
    /// Whether rows are flashing before they vanish.
    pub flashing: bool,
    /// The piece in the box.
    #[schemars(with = "Option<String>")]
    pub preview: Option<Piece>,
    /// The figures beside the field.
    #[serde(flatten)]
    pub figures: Figures,
    /// Whether this is a game of two.
    pub versus: bool,
}

/// The figures beside the field, where they can be read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, JsonSchema, Serialize)]
pub struct Figures {
    /// Points.
    pub score: Option<u32>,
    /// Level.
    pub level: Option<u8>,
    /// Lines cleared or left.
    pub lines: Option<u32>,
    /// Whether the heart of heart mode is shown.
    pub heart: bool,
}

impl Figures {
    /// Whether one of them could be read.
    pub fn is_any(&self) -> bool {
        self.score.is_some() || self.level.is_some() || self.lines.is_some()
    }

    /// Only what another look shows too.
    #[must_use]
    pub fn agreed(&self, other: &Figures) -> Figures {
        Figures {
            score: self.score.filter(|score| other.score == Some(*score)),
            level: self.level.filter(|level| other.level == Some(*level)),
            lines: self.lines.filter(|lines| other.lines == Some(*lines)),
            heart: self.heart && other.heart,
        }
    }
}

impl Playing {
    /// The filled cells as a board.
    pub fn board(&self) -> Board {
        Board::from_columns(self.cells)
    }
}

/// Why a screen cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error, JsonSchema, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Unclear {
    /// Not a console's screen.
    #[error("the screen is {width} × {height} pixels; the console has {SCREEN_WIDTH} × {SCREEN_HEIGHT}")]
    WrongSize {
        /// Pixels in a row.
        width: u32,
        /// Rows.
        height: u32,
    },
}
