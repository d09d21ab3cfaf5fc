//! The Connect Four table: its state machine (`table`), its machine, its robot, its events and its stored games.
//!
//! ```text
//!   wishes, time, robot ──► Table (pure) ──► effects ──► here: tell pages, keep records, think, move the arm
//! ```

pub mod api;
pub mod archive;
mod cabinet;
pub mod event;
pub mod figures;
pub mod machine;
mod outcome;
pub mod records;
pub mod robot;
pub mod settings;
pub mod table;

use connect_four::Player;
use rusqlite::types::{FromSql, FromSqlResult, ToSql, ToSqlOutput, ValueRef};
use serde::Serialize;

pub use cabinet::{Call, ConnectFour, RobotCommand};
pub use outcome::{EndReason, Outcome, ResultKind};

outcome::words! {
    /// The colour of a player's discs. Red always begins.
    Colour {
        /// Red.
        Red = "red",
        /// Yellow.
        Yellow = "yellow",
    }
}

impl Colour {
    /// Both, the one that begins first.
    pub const BOTH: [Self; 2] = [Self::Red, Self::Yellow];

    /// The opponent's.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Colour::Red => Colour::Yellow,
            Colour::Yellow => Colour::Red,
        }
    }
}

impl From<Player> for Colour {
    fn from(player: Player) -> Self {
        match player {
            Player::First => Colour::Red,
            Player::Second => Colour::Yellow,
        }
    }
}

/// Names one game for ever.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct GameNumber(pub u64);

impl GameNumber {
    /// The number of the game after this one.
    #[must_use]
    pub const fn next(self) -> Self {
        Self(self.0.saturating_add(1))
    }
}

impl std::fmt::Display for GameNumber {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

impl ToSql for GameNumber {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        // Numbers beyond what SQLite can hold name no game.
        Ok(i64::try_from(self.0).unwrap_or(i64::MAX).into())
    }
}

impl FromSql for GameNumber {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        Ok(Self(u64::column_result(value)?))
    }
}
