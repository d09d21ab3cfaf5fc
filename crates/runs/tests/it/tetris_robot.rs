//! The whole Tetris robot in simulation: camera, solenoids and console on one clock (G2, G10, G17, X2, X6).

use std::fs::File;
use std::io::BufReader;
use std::time::Duration;

use engine::notes::NoReader;
use engine::replay::{Outcome, Tape};
use engine::{Counts, Limits, RunEnding};
use players::tetris::GameLog;
use runs::tetris::{OnRobot, OnSimulatedRobot, ServedRig};
use runs::{Request, Setup, Speed};

use crate::settings::values;

fn play(seed: u64, games: u32, assignments: &[&str]) -> (Vec<GameLog>, Counts, RunEnding) {
    let request = Request {
        limits: Limits { games: Some(games), time: Some(Duration::from_mins(10)) },
        ..Request::unlimited(values(assignments), seed)
    };
    let played = runs::play::<OnSimulatedRobot, _>(request, NoReader, |_, _| ()).unwrap();
    (played.player.games().to_vec(), played.counts, played.ending)
}

/// From power-on: menus, a game at level 9, its end, and the name in the table.
#[test]
fn it_walks_the_menus_plays_and_enters_its_name() {
    let (games, _, ending) =
        play(1, 1, &["tetris.pieces=12", "tetris.idle_periods=60", "tetris.initials=AB"]);
    assert_eq!(ending, RunEnding::GamesPlayed);
    let game = &games[0];
    assert!(game.pieces.len() > 12 && game.level == 9 && game.score > 0, "{game:?}");
    assert_eq!((game.missed_presses, game.diverged_plans), (0, 0), "all presses worked: {game:?}");
    assert!(game.name_seen, "{game:?}");
}

/// Heart mode at level 9 is as fast as level 19: presses that miss must be noticed while the piece falls.
#[test]
fn missed_presses_are_made_up_for_in_the_air() {
    let faults =
        ["tetris.pieces=60", "tetris.idle_periods=60", "tetris.heart=true", "simulated_fingers.missed=0.05"];
    let (games, _, _) = play(2, 1, &faults);
    let game = &games[0];
    assert!(game.pieces.len() > 60 && game.lines >= 8, "{game:?}");
    assert!(game.missed_presses >= 2, "one press in twenty missed: {game:?}");
}

/// A minute on the wall: fingers behind a daemon on TCP, frames over HTTP, and the drivers of real devices. How far
/// it gets depends on the machine; that it plays, and that the recording gives the same run again, does not.
#[test]
fn it_plays_over_tcp_and_http_and_the_recording_replays() {
    let folder = tempfile::tempdir().unwrap();
    let recording = folder.path().join("minute.mcap");
    let mut values = values(&["tetris.idle_periods=60"]);
    let rig = ServedRig::start(&Setup::new(&values, 4)).unwrap();
    rig.connect(&mut values).unwrap();
    let request = Request {
        speed: Speed::Real,
        limits: Limits { games: Some(1), time: Some(Duration::from_mins(1)) },
        record: Some(recording.clone()),
        ..Request::unlimited(values, 4)
    };
    let played = runs::play::<OnRobot, _>(request, NoReader, |_, _| ()).unwrap();
    drop(rig);
    assert!(matches!(played.ending, RunEnding::TimeUp | RunEnding::GamesPlayed), "{:?}", played.ending);
    let game = played.player.games().first().expect("a game was begun");
    assert!(game.pieces.len() >= 3 && game.presses >= 3, "{game:?}");
    let tape = Tape::open(BufReader::new(File::open(&recording).unwrap())).unwrap();
    let outcome = runs::replay::<OnRobot>(tape).unwrap();
    assert!(matches!(outcome, Outcome::Equal { notes } if notes > 100), "{outcome:?}");
}

/// The camera is out for two seconds at a time.
#[test]
fn it_goes_on_after_the_camera_was_out() {
    let faults = ["tetris.pieces=25", "tetris.idle_periods=60", "simulated_camera.drop_out_every_s=25"];
    let (games, counts, ending) = play(3, 1, &faults);
    assert_eq!(ending, RunEnding::GamesPlayed);
    assert!(counts.faults > 0, "{counts:?}");
    assert!(games[0].pieces.len() > 25 && games[0].lines >= 4, "{:?}", games[0]);
}
