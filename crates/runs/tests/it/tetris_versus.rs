//! Two players on one cable, recorded (G19, X3).

use std::fs::File;
use std::io::BufReader;
use std::time::Duration;

use configuration::{Layers, Schema};
use engine::replay::{Outcome, Tape};
use engine::{Cancel, Limits, RunEnding};
use runs::tetris::{OnEmulator, listeners_recording, play_versus};
use runs::{Request, Speed};

/// The beginning of a match: both consoles are recorded, and each recording replays by itself.
#[test]
fn a_match_is_recorded_from_both_ends() {
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("match.mcap");
    let schema = Schema::new(runs::settings::SECTIONS);
    let mut layers = Layers::new(&schema);
    layers.flag("tetris.idle_periods=60");
    let request = Request {
        values: layers.finish().unwrap(),
        seed: 3,
        speed: Speed::Max,
        limits: Limits { games: None, time: Some(Duration::from_secs(40)) },
        record: Some(record.clone()),
        live: None,
        controls: None,
        cancel: Cancel::new(),
    };
    let played = play_versus(request).unwrap();
    assert_eq!(played.ending, RunEnding::TimeUp);
    assert!(played.games.iter().all(|games| games[0].pieces.len() > 5), "{:?}", played.games);
    for path in [record.clone(), listeners_recording(&record)] {
        let tape = Tape::open(BufReader::new(File::open(&path).unwrap())).unwrap();
        let outcome = runs::replay::<OnEmulator>(tape).unwrap();
        assert!(
            matches!(outcome, Outcome::Equal { notes } if notes > 500),
            "{}: {outcome:?}",
            path.display()
        );
    }
}
