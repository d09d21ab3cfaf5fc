//! How games end, and the words for it in events, in the database and in exports.

use connect_four::Cell;
use rusqlite::types::{FromSql, FromSqlResult, ToSql, ToSqlOutput, ValueRef};
use serde::Serialize;

use super::Colour;

/// How a game ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// Somebody won.
    Won {
        /// Who.
        winner: Colour,
        /// The line of four or more; empty unless there is one.
        cells: Vec<Cell>,
        /// Why.
        reason: EndReason,
    },
    /// The board is full.
    Draw,
    /// Nobody won, and it is not a draw.
    Ended(EndReason),
}

impl Outcome {
    /// In one word.
    pub fn kind(&self) -> ResultKind {
        match self {
            Outcome::Won { .. } => ResultKind::Won,
            Outcome::Draw => ResultKind::Draw,
            Outcome::Ended(_) => ResultKind::Ended,
        }
    }

    /// Why.
    pub fn reason(&self) -> EndReason {
        match self {
            Outcome::Won { reason, .. } | Outcome::Ended(reason) => *reason,
            Outcome::Draw => EndReason::Full,
        }
    }

    /// Who won, if somebody did.
    pub fn winner(&self) -> Option<Colour> {
        match self {
            Outcome::Won { winner, .. } => Some(*winner),
            Outcome::Draw | Outcome::Ended(_) => None,
        }
    }

    /// The winning cells.
    pub fn cells(&self) -> &[Cell] {
        match self {
            Outcome::Won { cells, .. } => cells,
            Outcome::Draw | Outcome::Ended(_) => &[],
        }
    }
}

/// A word that is stored and sent as text; generates both ways from one list.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $word:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum $name { $($(#[$variant_doc])* $variant),+ }

        impl $name {
            /// Its word in events and in the database.
            pub const fn word(self) -> &'static str {
                match self { $($name::$variant => $word),+ }
            }

            /// The one of this word.
            pub fn parse(word: &str) -> Option<Self> {
                match word { $($word => Some($name::$variant),)+ _ => None }
            }
        }

        impl Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.word())
            }
        }

        impl ToSql for $name {
            fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
                Ok(self.word().into())
            }
        }

        impl FromSql for $name {
            fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
                Self::parse(value.as_str()?).ok_or(rusqlite::types::FromSqlError::InvalidType)
            }
        }
    };
}
pub(super) use words;

words! {
    /// A result in one word.
    ResultKind {
        /// Somebody won.
        Won = "won",
        /// The board is full.
        Draw = "draw",
        /// It ended without a result.
        Ended = "ended",
    }
}

words! {
    /// Why a game ended.
    EndReason {
        /// Four in a line.
        Four = "four",
        /// The board is full.
        Full = "full",
        /// A player left.
        Left = "left",
        /// A player did not answer.
        Inactive = "inactive",
        /// The robot did not come back.
        Robot = "robot",
        /// The operator ended it.
        Operator = "operator",
        /// A visitor ended a demo.
        Interrupted = "interrupted",
        /// The server was restarted and nobody could go on.
        Restart = "restart",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read_as_they_are_written() {
        for reason in ["four", "full", "left", "inactive", "robot", "operator", "interrupted", "restart"] {
            assert_eq!(EndReason::parse(reason).map(EndReason::word), Some(reason));
        }
        assert_eq!(ResultKind::parse("lost"), None);
        assert_eq!(serde_json::to_string(&ResultKind::Draw).unwrap(), "\"draw\"");
    }
}
