//! What a recording holds, in figures.

use std::collections::BTreeMap;
use std::io::Read;

use serde::Serialize;

use super::{Tape, TapeError};
use crate::notes::Topic;
use crate::player::Verdict;
use crate::run::RunEnding;
use crate::timing::StepTimes;

/// Figures of a whole recording.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// The game that was played.
    pub game: String,
    /// With which body.
    pub body: String,
    /// From which seed.
    pub seed: u64,
    /// The program that recorded it.
    pub program: String,
    /// When it began, if wall-clock figures were recorded.
    pub started: Option<String>,
    /// Length on the run's clock.
    pub duration_s: f64,
    /// Looks, successful or not.
    pub ticks: u64,
    /// Messages on each channel that has any.
    pub messages: BTreeMap<&'static str, u64>,
    /// How often each verdict was given.
    pub verdicts: BTreeMap<&'static str, u64>,
    /// Why the run ended; `None` if it was cut off.
    pub ending: Option<RunEnding>,
    /// Whether the end of the file is missing.
    pub cut_off: bool,
    /// How long the steps took, if wall-clock figures were recorded.
    pub step_times: Vec<StepTimes>,
}

impl Summary {
    /// Reads a tape to its end; `each_note` sees every note on the way.
    pub fn read<R: Read>(
        mut tape: Tape<R>,
        mut each_note: impl FnMut(&super::Note),
    ) -> Result<Self, TapeError> {
        let run = tape.run().clone();
        let mut summary = Summary {
            game: run.game,
            body: run.body,
            seed: run.seed,
            program: run.program,
            started: None,
            duration_s: 0.0,
            ticks: 0,
            messages: BTreeMap::new(),
            verdicts: BTreeMap::new(),
            ending: None,
            cut_off: false,
            step_times: Vec::new(),
        };
        for note in tape.by_ref() {
            each_note(&note);
            *summary.messages.entry(note.topic.channel()).or_default() += 1;
            summary.duration_s = summary.duration_s.max(note.time.elapsed().as_secs_f64());
            match note.topic {
                Topic::Frame => summary.ticks += 1,
                Topic::Verdict => {
                    if let Ok(verdict) = serde_json::from_slice::<Verdict>(&note.bytes) {
                        *summary.verdicts.entry(verdict_name(&verdict)).or_default() += 1;
                    }
                }
                Topic::Ending => summary.ending = serde_json::from_slice(&note.bytes).ok(),
                _ => {}
            }
        }
        if let Some(error) = tape.take_error() {
            return Err(error);
        }
        summary.cut_off = tape.is_cut_off();
        if let Some(wall_clock) = tape.wall_clock() {
            summary.started = Some(wall_clock.started.clone());
            summary.step_times.clone_from(&wall_clock.times.steps);
        }
        Ok(summary)
    }
}

fn verdict_name(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Confirmed => "confirmed",
        Verdict::Pending => "pending",
        Verdict::Diverged { .. } => "diverged",
    }
}
