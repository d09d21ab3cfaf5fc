//! What came of a recorded run, read from its last moment.

use std::fs::File;
use std::time::Duration;

use engine::notes::Topic;
use engine::replay::Reel;
use serde_json::{Value, json};

/// Frames before the end that are looked at for figures: an end screen may show none.
const LOOKS_BACK: [u32; 4] = [0, 30, 120, 400];

/// How it ended and what was counted; with the game's own figures where the notes have them.
pub fn of(reel: &Reel, file: &File) -> Value {
    let mut result = json!({ "ending": reel.ending(), "cut_off": reel.is_cut_off(), "tally": reel.tally() });
    for back in LOOKS_BACK {
        let Some(frame) = (reel.frames() - 1).checked_sub(back) else { break };
        let Ok(moment) = reel.moment(file, frame, Duration::ZERO) else { break };
        let seen = moment.notes.iter().rev().find(|note| note.topic == Topic::Observation);
        let seen: Option<Value> = seen.and_then(|note| serde_json::from_slice(&note.bytes).ok());
        if let Some(figures) = seen.as_ref().and_then(figures) {
            result["figures"] = figures;
            break;
        }
    }
    result
}

/// The figures that an observation shows, if it does.
fn figures(seen: &Value) -> Option<Value> {
    let playing = &seen["view"]["playing"];
    if playing["score"].is_u64() {
        return Some(
            json!({ "score": playing["score"], "lines": playing["lines"], "level": playing["level"] }),
        );
    }
    let board = seen["board"].as_str()?;
    let columns: Vec<Vec<u8>> = serde_json::from_str(board).ok()?;
    Some(json!({ "tiles_left": columns.iter().flatten().filter(|colour| **colour != 0).count() }))
}
