//! The types of all notes that a player's runs make, from the types it works with.

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;

use super::shape::{Field, Shape};
use super::typed::NoteType;
use crate::body::BodyPace;
use crate::notes::{CommandNote, FaultNote, GameOverNote, RemedyNote, ScreenNote, ThinkingNote, Topic};
use crate::operator::OrderNote;
use crate::plan::Plan;
use crate::player::{Candidate, Player, Verdict};
use crate::rectify::NoScreen;
use crate::run::RunEnding;

/// What the notes of a run look like; a recording describes them to whoever opens it.
#[derive(Clone, Debug)]
pub struct NoteTypes([NoteType; Topic::ALL.len()]);

impl NoteTypes {
    /// The notes of this player's runs.
    pub fn of<P: Player>() -> Self {
        Self(Topic::ALL.map(|topic| NoteType::new(topic.name(), shape_of_topic::<P>(topic))))
    }

    pub(crate) fn of_topic(&self, topic: Topic) -> &NoteType {
        &self.0[topic as usize]
    }
}

fn shape_of_topic<P: Player>(topic: Topic) -> Shape {
    match topic {
        Topic::Observation => shape_of::<P::Observation>(),
        Topic::Unclear => {
            let no_screen = Field { name: "no_screen".to_owned(), shape: shape_of::<NoScreen>() };
            shape_of::<P::Unclear>().or(Shape::Record(vec![no_screen]))
        }
        Topic::Verdict => shape_of::<Verdict>(),
        Topic::Thinking => shape_of::<ThinkingNote>(),
        Topic::Decision => shape_of::<P::Decision>(),
        Topic::Plan => shape_of::<Plan<P::Action, P::Expectation>>(),
        Topic::Command => shape_of::<CommandNote<P::Action>>(),
        Topic::Fault => shape_of::<FaultNote>(),
        Topic::Remedy => shape_of::<RemedyNote>(),
        Topic::GameOver => shape_of::<GameOverNote>(),
        Topic::Ending => shape_of::<RunEnding>(),
        Topic::Body => shape_of::<BodyPace>(),
        Topic::Screen => shape_of::<ScreenNote>(),
        Topic::Order => shape_of::<OrderNote>(),
        Topic::Candidates => shape_of::<Vec<Candidate>>(),
        // An image of its own schema, and what is never recorded.
        Topic::Frame | Topic::Times => Shape::Nothing,
    }
}

/// What values of a type look like as JSON.
pub(super) fn shape_of<T: JsonSchema + ?Sized>() -> Shape {
    let settings = SchemaSettings::draft2020_12().for_serialize().with(|settings| {
        settings.inline_subschemas = true;
    });
    Shape::of(settings.into_generator().root_schema_for::<T>().as_value())
}
