//! What the arm at a table asks of people, in their languages.

use std::fmt;

use devices::hub::Order;
use players::connect_four::{DiscColor, Help};

use crate::connect_four::signs;

/// Why a person is needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plea {
    /// Discs stand that should not.
    EmptyBoard,
    /// A disc that was pushed is not on the board.
    DiscMissing {
        /// Its column, from 0.
        column: usize,
    },
    /// Something else than the disc that was pushed is there.
    WrongDisc {
        /// Its column, from 0.
        column: usize,
        /// What should be there.
        wanted: DiscColor,
    },
}

impl Plea {
    /// In English.
    pub fn en(self) -> String {
        match self {
            Self::EmptyBoard => "Please empty the board and fill the magazine, red and yellow in turn, red \
                 first. Then press the robot's sensor."
                .to_owned(),
            Self::DiscMissing { column } => format!(
                "A disc did not arrive in column {}. Please free the slide, then press the robot's sensor.",
                column + 1
            ),
            Self::WrongDisc { column, wanted } => {
                let color = match wanted {
                    DiscColor::Red => "red",
                    DiscColor::Yellow => "yellow",
                };
                format!(
                    "The top disc of column {} should be {color}. Please put it right, then press the robot's \
                     sensor.",
                    column + 1
                )
            }
        }
    }

    /// In German.
    pub fn de(self) -> String {
        match self {
            Self::EmptyBoard => "Bitte leere das Brett und fülle das Magazin, abwechselnd Rot und Gelb, Rot \
                 zuerst. Drücke dann den Taster des Roboters."
                .to_owned(),
            Self::DiscMissing { column } => format!(
                "Ein Stein ist nicht in Spalte {} angekommen. Bitte mach die Rutsche frei und drücke dann den \
                 Taster des Roboters.",
                column + 1
            ),
            Self::WrongDisc { column, wanted } => {
                let color = match wanted {
                    DiscColor::Red => "rot",
                    DiscColor::Yellow => "gelb",
                };
                format!(
                    "Der oberste Stein in Spalte {} müsste {color} sein. Bitte stell das richtig und drücke dann \
                     den Taster des Roboters.",
                    column + 1
                )
            }
        }
    }

    /// As sound and light.
    pub(super) fn signs(self) -> Vec<Order> {
        match self {
            Self::EmptyBoard => signs::empty_call(),
            Self::DiscMissing { column } => signs::call(Help::DiscMissing { column }),
            Self::WrongDisc { column, .. } => signs::call(Help::WrongDisc { column }),
        }
    }
}

impl fmt::Display for Plea {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.en())
    }
}
