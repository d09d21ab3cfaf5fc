//! The board of a recorded LEGO run at a moment: the robot looks at one cell at a time, so the board is all that it has
//! found so far.

use std::collections::BTreeMap;
use std::fs::File;

use engine::notes::Topic;
use engine::replay::{Reel, ReelError};
use serde_json::{Value, json};

/// Cells of a board; a stranger's file may name others.
const CELLS: (u64, u64) = (7, 6);

/// What is known of each cell when a frame was taken, `[{"column", "row", "sight"}]`; nothing for other games.
pub fn board(reel: &Reel, file: &File, frame: u32) -> Result<Option<Vec<Value>>, ReelError> {
    if reel.run().game != "connect-four" {
        return Ok(None);
    }
    let mut known: BTreeMap<(u64, u64), Value> = BTreeMap::new();
    reel.notes_until(file, frame, Topic::Observation, |note| {
        let seen: Value = serde_json::from_slice(&note.bytes).unwrap_or_default();
        let cell = &seen["cell"];
        if let (Some(column), Some(row)) = (cell["column"].as_u64(), cell["row"].as_u64())
            && column < CELLS.0
            && row < CELLS.1
        {
            known.insert((column, row), cell["sight"].clone());
        }
    })?;
    let told = |((column, row), sight)| json!({ "column": column, "row": row, "sight": sight });
    Ok(Some(known.into_iter().map(told).collect()))
}

#[cfg(test)]
mod tests {
    use engine::notes::NoteReader;
    use engine::record::{ClockKind, NoteTypes, Recording, RunDescription};
    use engine::{Frame, Picture, PixelFormat, Time};
    use players::connect_four::ConnectFourPlayer;

    use super::*;

    /// A recording of three looks, each at another cell; the second cell is looked at twice.
    fn recorded(game: &str) -> File {
        let run = RunDescription {
            program: "gamebot test".to_owned(),
            game: game.to_owned(),
            body: "simulated-lego".to_owned(),
            seed: 1,
            clock: ClockKind::Simulated,
            configuration: String::new(),
        };
        let mut recording =
            Recording::begin(tempfile::tempfile().unwrap(), &run, NoteTypes::of::<ConnectFourPlayer>())
                .unwrap();
        let looks = [(3, 0, "red"), (4, 0, "empty"), (4, 0, "yellow"), (9, 0, "red")];
        for (sequence, (column, row, sight)) in (0u64..).zip(looks) {
            let captured = Time::from_nanos(sequence * 1_000_000_000);
            let picture = Picture::black(7, 7, PixelFormat::Rgb8);
            recording.frame(&Frame { sequence, captured, origin: (0, 0), picture });
            let seen = json!({ "cell": { "column": column, "row": row, "sight": sight } });
            recording.note(Topic::Observation, captured, seen.to_string().as_bytes());
        }
        recording.finish(None).unwrap()
    }

    /// What is known at a frame, as `column:sight`.
    fn known(file: &File, frame: u32) -> Vec<String> {
        let mut whole = file.try_clone().unwrap();
        std::io::Seek::rewind(&mut whole).unwrap();
        let reel = Reel::read(whole).unwrap();
        let cells = board(&reel, file, frame).unwrap().unwrap_or_default();
        cells.iter().map(|cell| format!("{}:{}", cell["column"], cell["sight"].as_str().unwrap())).collect()
    }

    #[test]
    fn the_board_is_what_was_found_up_to_a_frame() {
        let file = recorded("connect-four");
        assert_eq!(known(&file, 0), ["3:red"]);
        assert_eq!(known(&file, 1), ["3:red", "4:empty"]);
        assert_eq!(known(&file, 2), ["3:red", "4:yellow"]);
        assert_eq!(known(&file, 3), ["3:red", "4:yellow"], "there is no column 9");
        assert!(known(&recorded("tetris"), 3).is_empty());
    }
}
