//! Recording a run (X3): its description, and the MCAP file its notes are written to.

mod file;
mod image;
mod note_types;
mod shades;
mod shape;
mod typed;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

pub(crate) use file::PROTOBUF;
pub use file::{Recording, RecordingError};
pub(crate) use image::CompressedImage;
pub use note_types::NoteTypes;
pub(crate) use typed::NoteMessage;

/// Which clock a run was on: a replay compares times only on a simulated one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ClockKind {
    /// The machine's.
    Real,
    /// A discrete-event one.
    Simulated,
}

/// All that is needed to build the same player again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunDescription {
    /// The program that made the recording, with its version.
    pub program: String,
    /// The game's name on the command line.
    pub game: String,
    /// The body's name on the command line.
    pub body: String,
    /// The run's seed.
    pub seed: u64,
    /// The clock it was on.
    pub clock: ClockKind,
    /// The whole configuration as a TOML profile.
    pub configuration: String,
}

impl RunDescription {
    /// Name of the metadata record that holds it.
    pub(crate) const RECORD: &'static str = "run";

    fn to_metadata(&self) -> BTreeMap<String, String> {
        let clock = match self.clock {
            ClockKind::Real => "real",
            ClockKind::Simulated => "simulated",
        };
        let entries = [
            ("program", self.program.clone()),
            ("game", self.game.clone()),
            ("body", self.body.clone()),
            ("seed", self.seed.to_string()),
            ("clock", clock.to_owned()),
            ("configuration", self.configuration.clone()),
        ];
        entries.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
    }

    /// Reads back what was written; the name of the bad or missing entry if it cannot.
    pub(crate) fn from_metadata(metadata: &BTreeMap<String, String>) -> Result<Self, &'static str> {
        let text = |key: &'static str| metadata.get(key).cloned().ok_or(key);
        Ok(Self {
            program: text("program")?,
            game: text("game")?,
            body: text("body")?,
            seed: text("seed")?.parse().map_err(|_| "seed")?,
            clock: match text("clock")?.as_str() {
                "real" => ClockKind::Real,
                "simulated" => ClockKind::Simulated,
                _ => return Err("clock"),
            },
            configuration: text("configuration")?,
        })
    }
}

/// What differs between two runs of the same program: kept apart from
/// everything else, so that equal runs give equal bytes without it.
#[derive(Clone, Debug, PartialEq)]
pub struct WallClock {
    /// When the run began, as RFC 3339.
    pub started: String,
    /// How long its steps took on this machine.
    pub times: crate::timing::StepTimesSummary,
}

impl WallClock {
    /// Name of the metadata record that holds it.
    pub(crate) const RECORD: &'static str = "wall_clock";
}
