//! Two players on one cable, recorded (G19, X3).

use std::fs::File;
use std::io::BufReader;
use std::time::Duration;

use engine::replay::{Outcome, Tape};
use engine::{Limits, RunEnding};
use runs::Request;
use runs::tetris::{OnEmulator, OnSimulatedRobot, listeners_recording, play_versus};

use crate::settings::values;

const AT_ONCE: &[&str] = &["tetris.idle_periods=60"];

/// The beginning of a match: both consoles are recorded, and each recording replays by itself.
#[test]
fn a_match_is_recorded_from_both_ends() {
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("match.mcap");
    let request = Request {
        limits: Limits { games: None, time: Some(Duration::from_secs(40)) },
        record: Some(record.clone()),
        ..Request::unlimited(values(AT_ONCE), 3)
    };
    let played = play_versus::<OnEmulator>(request).unwrap();
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

/// Two robots, each with its own camera and fingers, and one match: both see the same rounds, and the rubble that they
/// push into each other's field does not confuse them.
#[test]
fn two_robots_play_a_match() {
    let request = Request {
        limits: Limits { games: Some(1), time: Some(Duration::from_mins(30)) },
        ..Request::unlimited(values(AT_ONCE), 5)
    };
    let played = play_versus::<OnSimulatedRobot>(request).unwrap();
    assert_eq!(played.ending, RunEnding::GamesPlayed);
    let [caller, listener] = &played.games;
    let (won, lost) = caller[0].rounds.unwrap();
    assert_eq!(won.max(lost), 4);
    assert_eq!(listener[0].rounds, Some((lost, won)));
    for game in [&caller[0], &listener[0]] {
        assert!(game.pieces.len() > 100 && game.presses > 200, "{game:?}");
        assert!(game.diverged_plans * 50 < game.pieces.len() as u32, "{game:?}");
    }
}
