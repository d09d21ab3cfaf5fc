//! What the player sees, decides and expects, as it is noted.

use schemars::JsonSchema;
use serde::Serialize;
use thiserror::Error;

use super::action::{GameEnd, Help};
use super::scan::Sight;

/// What one look shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum LegoObservation {
    /// The start sensor.
    Sensor {
        /// Whether it is pressed.
        pressed: bool,
    },
    /// One cell.
    Cell {
        /// Its column, from the near side.
        column: usize,
        /// Its row, from the bottom.
        row: usize,
        /// What is there.
        sight: Sight,
    },
}

/// A picture that is no scan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error, JsonSchema, Serialize)]
pub enum NoScan {
    /// Other pixels than a scan has.
    #[error("a picture of {width} × {height} is no scan")]
    Size {
        /// Pixels in a row.
        width: u32,
        /// Rows.
        height: u32,
    },
    /// What was asked for was not looked at.
    #[error("the cell that was asked for was not looked at")]
    NotThere,
}

/// What to do.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum LegoDecision {
    /// Drop a disc.
    Drop {
        /// Where, from the near side.
        column: usize,
        /// Which try this is.
        push: u32,
        /// Why there, in one sentence.
        why: String,
    },
    /// Find the stop again: the wheels may have slipped.
    FindStop,
    /// Ask a person.
    Call(Help),
    /// Leave the board; the game goes on or has ended.
    Leave {
        /// How it ended, if it did.
        end: Option<GameEnd>,
    },
}

/// What will be seen if a step works.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum LegoExpectation {
    /// Our disc in a cell.
    Disc {
        /// From the near side.
        column: usize,
        /// From the bottom.
        row: usize,
    },
    /// Nothing that a look could tell.
    Whatever,
}
