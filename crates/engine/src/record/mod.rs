//! Keeping a record of a run (X3): what is recorded, and the MCAP file it is
//! recorded in.

mod file;
mod image;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::body::Fault;
use crate::clock::Time;
use crate::picture::Frame;
use crate::plan::EdgeKind;
use crate::recovery::{Remedy, Trouble};

pub use file::{Recording, RecordingError};
pub(crate) use image::CompressedImage;

/// Takes notes of a run, in the order in which things happen.
pub trait Journal {
    /// False for a journal that ignores everything, so that nothing is spent on it.
    const RECORDS: bool;

    /// Takes note of a frame.
    fn frame(&mut self, frame: &Frame);

    /// Takes note of anything else. Gives back the time to reckon with: `time`
    /// itself, or in a replay the time of the recorded run.
    fn note<T: Serialize + ?Sized>(&mut self, topic: Topic, time: Time, value: &T) -> Time;

    /// Whether the run should end because the journal wants no more.
    fn has_ended(&self) -> bool {
        false
    }

    /// In a replay: the nodes the recorded run spent on the decision to come.
    fn recorded_thinking(&self) -> Option<u64> {
        None
    }
}

/// Takes no notes.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoJournal;

impl Journal for NoJournal {
    const RECORDS: bool = false;
    fn frame(&mut self, _frame: &Frame) {}
    fn note<T: Serialize + ?Sized>(&mut self, _topic: Topic, time: Time, _value: &T) -> Time {
        time
    }
}

/// A journal that can be left out at run time.
impl<J: Journal> Journal for Option<J> {
    const RECORDS: bool = J::RECORDS;
    fn frame(&mut self, frame: &Frame) {
        if let Some(journal) = self {
            journal.frame(frame);
        }
    }
    fn note<T: Serialize + ?Sized>(&mut self, topic: Topic, time: Time, value: &T) -> Time {
        self.as_mut().map_or(time, |journal| journal.note(topic, time, value))
    }
    fn has_ended(&self) -> bool {
        self.as_ref().is_some_and(Journal::has_ended)
    }
    fn recorded_thinking(&self) -> Option<u64> {
        self.as_ref().and_then(Journal::recorded_thinking)
    }
}

/// What a note is about; each is a channel of the recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "named after the types they carry")]
pub enum Topic {
    Frame,
    Observation,
    Unclear,
    Verdict,
    Thinking,
    Decision,
    Plan,
    Command,
    Fault,
    Remedy,
    GameOver,
    Ending,
}

impl Topic {
    /// All topics, in the order of their channels.
    pub const ALL: [Topic; 12] = [
        Topic::Frame,
        Topic::Observation,
        Topic::Unclear,
        Topic::Verdict,
        Topic::Thinking,
        Topic::Decision,
        Topic::Plan,
        Topic::Command,
        Topic::Fault,
        Topic::Remedy,
        Topic::GameOver,
        Topic::Ending,
    ];

    /// The channel's name in the file.
    pub const fn channel(self) -> &'static str {
        match self {
            Topic::Frame => "/frame",
            Topic::Observation => "/observation",
            Topic::Unclear => "/unclear",
            Topic::Verdict => "/verdict",
            Topic::Thinking => "/thinking",
            Topic::Decision => "/decision",
            Topic::Plan => "/plan",
            Topic::Command => "/command",
            Topic::Fault => "/fault",
            Topic::Remedy => "/remedy",
            Topic::GameOver => "/game_over",
            Topic::Ending => "/ending",
        }
    }

    /// The topic of a channel.
    pub fn from_channel(channel: &str) -> Option<Topic> {
        Topic::ALL.into_iter().find(|topic| topic.channel() == channel)
    }
}

/// Which part of the body a fault came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// Looking.
    Eye,
    /// Acting.
    Hand,
}

/// A command as it was given to the hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CommandNote<A> {
    /// Whether the action began or ended.
    pub edge: EdgeKind,
    /// Which action.
    pub action: A,
}

/// A fault and where it came from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FaultNote {
    /// Which part of the body.
    pub origin: Origin,
    /// What went wrong.
    #[serde(flatten)]
    pub fault: Fault,
}

/// What was done about a trouble.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RemedyNote {
    /// The trouble.
    pub trouble: Trouble,
    /// The remedy.
    pub remedy: Remedy,
}

/// The end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameOverNote {
    /// Games played so far.
    pub games: u32,
}

/// How much was thought about the decision that follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ThinkingNote {
    /// Nodes handed out to the search.
    pub nodes: u64,
}

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
