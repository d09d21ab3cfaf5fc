//! The stream of notes: everything that happens in a run, in order.
//!
//! Three readers exist: [`record`](crate::record) writes the notes to a file,
//! [`replay`](crate::replay) compares them with a tape, and
//! [`broadcast`](crate::broadcast) sends them to live viewers.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::clock::Time;
use crate::fault::Fault;
use crate::mapping::Mapping;
use crate::picture::Frame;
use crate::plan::EdgeKind;
use crate::recovery::{Remedy, Trouble};

/// Reads the notes of a run as they are made. A reader never slows the run down nor ends it.
pub trait NoteReader {
    /// Whether notes on this topic are read; what nobody reads is not even written.
    fn wants(&self, topic: Topic) -> bool;

    /// A frame was taken.
    fn frame(&mut self, frame: &Frame);

    /// Anything else happened, as JSON.
    fn note(&mut self, topic: Topic, time: Time, json: &[u8]);
}

/// Nobody reads.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoReader;

impl NoteReader for NoReader {
    #[inline]
    fn wants(&self, _topic: Topic) -> bool {
        false
    }
    fn frame(&mut self, _frame: &Frame) {}
    fn note(&mut self, _topic: Topic, _time: Time, _json: &[u8]) {}
}

/// A borrowed reader.
impl<N: NoteReader + ?Sized> NoteReader for &mut N {
    #[inline]
    fn wants(&self, topic: Topic) -> bool {
        (**self).wants(topic)
    }
    fn frame(&mut self, frame: &Frame) {
        (**self).frame(frame);
    }
    fn note(&mut self, topic: Topic, time: Time, json: &[u8]) {
        (**self).note(topic, time, json);
    }
}

/// A reader that may be absent at run time.
impl<N: NoteReader> NoteReader for Option<N> {
    #[inline]
    fn wants(&self, topic: Topic) -> bool {
        self.as_ref().is_some_and(|reader| reader.wants(topic))
    }
    fn frame(&mut self, frame: &Frame) {
        if let Some(reader) = self {
            reader.frame(frame);
        }
    }
    fn note(&mut self, topic: Topic, time: Time, json: &[u8]) {
        if let Some(reader) = self {
            reader.note(topic, time, json);
        }
    }
}

/// Two readers of the same stream: each note is written once.
impl<A: NoteReader, B: NoteReader> NoteReader for (A, B) {
    #[inline]
    fn wants(&self, topic: Topic) -> bool {
        self.0.wants(topic) || self.1.wants(topic)
    }
    fn frame(&mut self, frame: &Frame) {
        if self.0.wants(Topic::Frame) {
            self.0.frame(frame);
        }
        if self.1.wants(Topic::Frame) {
            self.1.frame(frame);
        }
    }
    fn note(&mut self, topic: Topic, time: Time, json: &[u8]) {
        if self.0.wants(topic) {
            self.0.note(topic, time, json);
        }
        if self.1.wants(topic) {
            self.1.note(topic, time, json);
        }
    }
}

/// The writing end of the stream: turns values into JSON, once for all readers.
#[derive(Debug)]
pub(crate) struct Notes<N> {
    pub(crate) reader: N,
    json: Vec<u8>,
}

impl<N: NoteReader> Notes<N> {
    pub(crate) fn new(reader: N) -> Self {
        Self { reader, json: Vec::new() }
    }

    /// Whether a frame was passed on.
    pub(crate) fn frame(&mut self, frame: &Frame) -> bool {
        let wanted = self.reader.wants(Topic::Frame);
        if wanted {
            self.reader.frame(frame);
        }
        wanted
    }

    /// Whether a note was passed on.
    pub(crate) fn note<T: Serialize + ?Sized>(&mut self, topic: Topic, time: Time, value: &T) -> bool {
        if !self.reader.wants(topic) {
            return false;
        }
        self.json.clear();
        if let Err(error) = serde_json::to_writer(&mut self.json, value) {
            // A value of a player that JSON cannot hold: the stream says so in its place.
            tracing::error!(%error, topic = topic.channel(), "cannot be written as JSON");
            self.json.clear();
            self.json.extend_from_slice(serde_json::Value::from(error.to_string()).to_string().as_bytes());
        }
        self.reader.note(topic, time, &self.json);
        true
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
    Body,
    Screen,
    Order,
    Candidates,
    Times,
}

impl Topic {
    /// Whether it tells of this machine and its viewers rather than of the run: such notes differ between equal runs, so
    /// they are neither recorded nor compared.
    pub const fn is_of_the_machine(self) -> bool {
        matches!(self, Topic::Times)
    }

    /// All topics, in the order of their channels.
    pub const ALL: [Topic; 17] = [
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
        Topic::Body,
        Topic::Screen,
        Topic::Order,
        Topic::Candidates,
        Topic::Times,
    ];

    /// The topic's name.
    pub fn name(self) -> &'static str {
        self.channel().trim_start_matches('/')
    }

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
            Topic::Body => "/body",
            Topic::Screen => "/screen",
            Topic::Order => "/order",
            Topic::Candidates => "/candidates",
            Topic::Times => "/times",
        }
    }

    /// The topic of a channel.
    pub fn from_channel(channel: &str) -> Option<Topic> {
        Topic::ALL.into_iter().find(|topic| topic.channel() == channel)
    }
}

/// Which part of the body a fault came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// Looking.
    Eye,
    /// Acting.
    Hand,
}

/// A command as it was given to the hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct CommandNote<A> {
    /// Whether the action began or ended.
    pub edge: EdgeKind,
    /// Which action.
    pub action: A,
}

/// A fault and where it came from.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct FaultNote {
    /// Which part of the body.
    pub origin: Origin,
    /// What went wrong.
    #[serde(flatten)]
    pub fault: Fault,
}

/// What was done about a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct RemedyNote {
    /// The trouble.
    pub trouble: Trouble,
    /// The remedy.
    pub remedy: Remedy,
}

/// The end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct GameOverNote {
    /// Games played so far.
    pub games: u32,
}

/// How much was thought about the decision that follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct ThinkingNote {
    /// Nodes handed out to the search.
    pub nodes: u64,
}

/// Where the screen lies in the frames from now on; noted when it changes.
#[derive(Clone, Copy, Debug, PartialEq, JsonSchema, Serialize)]
pub struct ScreenNote {
    /// From screen to frame, a matrix of homogeneous coordinates.
    #[schemars(with = "[[f64; 3]; 3]")]
    pub mapping: Mapping,
    /// How sure that is, 0 to 1.
    pub fit: f64,
}
