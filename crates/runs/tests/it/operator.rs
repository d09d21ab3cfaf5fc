//! A person at a run: the commands of appendix E.2 (G17), and faults that are switched while it plays (X2).

use std::cell::Cell;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;
use std::time::Duration;

use engine::notes::{NoReader, NoteReader, Topic};
use engine::replay::{Outcome, Tape};
use engine::{Counts, Frame, Limits, RunEnding, Time};
use gameboy::Button;
use players::tetris::TetrisPlayer;
use runs::operator::{Controls, OperatorCommand, controls};
use runs::tetris::{OnEmulator, OnSimulatedRobot};
use runs::{Pair, Played, Request};
use simulators::switches::Faults;

use crate::settings::values;

/// Plays with a person who is asked after every tick, by its number.
fn play<P: Pair<Player = TetrisPlayer>>(
    assignments: &[&str],
    record: Option<&Path>,
    person: impl Fn(u64, &TetrisPlayer, &Controls),
) -> Played<P> {
    let (controls, line) = controls();
    let request = Request {
        limits: Limits { games: Some(1), time: Some(Duration::from_mins(5)) },
        record: record.map(Path::to_owned),
        controls: Some(line),
        ..Request::unlimited(values(assignments), 3)
    };
    runs::play::<P, _>(request, NoReader, |player, counts: &Counts| person(counts.ticks, player, &controls))
        .unwrap()
}

/// Orders of a recording, as they were noted.
fn orders(recording: &Path) -> Vec<String> {
    let tape = Tape::open(BufReader::new(File::open(recording).unwrap())).unwrap();
    tape.filter(|note| note.topic == Topic::Order)
        .map(|note| String::from_utf8(note.bytes).unwrap())
        .collect()
}

/// Stopped on the title, walked by hand, sent for a level and for a game, started: it plays at the level that the
/// person chose, and a replay hears the same orders.
#[test]
fn a_person_walks_the_menus_and_lets_it_play() {
    let folder = tempfile::tempdir().unwrap();
    let recording = folder.path().join("operator.mcap");
    let person = |tick: u64, _: &TetrisPlayer, controls: &Controls| {
        let command = match tick {
            5 => OperatorCommand::Stop,
            // Whoever rests does not care how long the title is to be left alone.
            200 | 260 => OperatorCommand::Press(Button::Start),
            320 => OperatorCommand::Level(3),
            321 => OperatorCommand::Level(12),
            600 => OperatorCommand::NewGame,
            900 => OperatorCommand::Start,
            _ => return,
        };
        controls.give(command).unwrap();
    };
    let settings = ["tetris.pieces=3", "tetris.idle_periods=60"];
    let played = play::<OnEmulator>(&settings, Some(&recording), person);
    assert_eq!(played.ending, RunEnding::GamesPlayed);
    let game = &played.player.games()[0];
    assert_eq!(game.level, 3, "{game:?}");
    let orders = orders(&recording);
    assert_eq!(orders.len(), 7, "{orders:#?}");
    assert!(orders[4].contains("levels 0 to 9"), "{orders:#?}");
    assert!(orders.iter().filter(|order| !order.ends_with("\"refused\":null}")).count() == 1, "{orders:#?}");
    let tape = Tape::open(BufReader::new(File::open(&recording).unwrap())).unwrap();
    let outcome = runs::replay::<OnEmulator>(tape).unwrap();
    assert!(matches!(outcome, Outcome::Equal { notes } if notes > 500), "{outcome:?}");
}

/// A press in mid-air that the player did not order does not confuse it for longer than a piece.
#[test]
fn a_person_who_meddles_does_not_end_the_game() {
    let meddled = Cell::new(0);
    let person = |_: u64, player: &TetrisPlayer, controls: &Controls| {
        let pieces = player.games().last().map_or(0, |game| game.pieces.len());
        if pieces.is_multiple_of(5) && meddled.replace(pieces) != pieces {
            controls.give(OperatorCommand::Press(Button::Left)).unwrap();
        }
    };
    let settings = ["tetris.pieces=20", "tetris.idle_periods=60", "tetris.level=5"];
    let played = play::<OnSimulatedRobot>(&settings, None, person);
    assert_eq!(played.ending, RunEnding::GamesPlayed);
    assert!(played.player.games()[0].pieces.len() >= 20, "{:?}", played.player.games()[0]);
}

/// The light goes out, somebody knocks against the camera, its plug is pulled; every time the game goes on.
#[test]
fn faults_are_switched_while_it_plays() {
    let lost = Cell::new(false);
    let person = |tick: u64, player: &TetrisPlayer, controls: &Controls| {
        if player.games().is_empty() {
            return;
        }
        lost.set(true);
        let faults = match tick % 400 {
            100..140 => Faults { dark: true, ..Faults::default() },
            200..203 => Faults { camera_out: true, ..Faults::default() },
            300..330 => Faults { shake_px: 3.0, missed_presses: Some(0.5), ..Faults::default() },
            _ => Faults::default(),
        };
        controls.give(OperatorCommand::Faults(faults)).unwrap();
    };
    let settings = ["tetris.pieces=20", "tetris.idle_periods=60", "tetris.level=5"];
    let played = play::<OnSimulatedRobot>(&settings, None, person);
    assert_eq!(played.ending, RunEnding::GamesPlayed);
    assert!(lost.get() && played.counts.faults > 0 && played.counts.unclear > 0, "{:?}", played.counts);
    let game = &played.player.games()[0];
    assert!(game.pieces.len() > 20 && game.missed_presses > 0, "{game:?}");
}

/// Impossible key points are refused; forgotten ones are found again; given ones are used.
#[test]
fn key_points_are_set_and_forgotten() {
    let folder = tempfile::tempdir().unwrap();
    let recording = folder.path().join("corners.mcap");
    let nowhere = [(10.0, 10.0), (20.0, 10.0), (10.0, 10.0), (20.0, 10.0)];
    let person = |tick: u64, _: &TetrisPlayer, controls: &Controls| {
        let command = match tick {
            20 => OperatorCommand::KeyPoints(nowhere),
            30 => OperatorCommand::ForgetKeyPoints,
            60 => OperatorCommand::KeyPoints([(115.0, 55.0), (525.0, 55.0), (540.0, 430.0), (100.0, 430.0)]),
            _ => return,
        };
        controls.give(command).unwrap();
    };
    let settings = ["tetris.pieces=3", "tetris.idle_periods=60"];
    let played = play::<OnSimulatedRobot>(&settings, Some(&recording), person);
    assert_eq!(played.ending, RunEnding::GamesPlayed);
    let orders = orders(&recording);
    assert_eq!(orders.len(), 3);
    assert!(orders[0].contains("not the corners of a screen"), "{orders:#?}");
    assert!(orders[1..].iter().all(|order| order.contains("\"refused\":null")), "{orders:#?}");
}

/// Hears which piece the screen announces next, and how many had come by then.
struct Announced<'a>(&'a std::cell::RefCell<Vec<(usize, char)>>, &'a Cell<usize>);

impl NoteReader for Announced<'_> {
    fn wants(&self, topic: Topic) -> bool {
        topic == Topic::Observation
    }

    fn frame(&mut self, _: &Frame) {}

    fn note(&mut self, _: Topic, _: Time, json: &[u8]) {
        let seen: serde_json::Value = serde_json::from_slice(json).unwrap();
        if let Some(next) = seen["view"]["playing"]["preview"].as_str().and_then(|name| name.chars().next()) {
            self.0.borrow_mut().push((self.1.get(), next));
        }
    }
}

/// X1: whoever races a run gets its pieces in their order: each is the one that the screen announced before it came.
#[test]
fn the_pieces_of_a_run_can_be_dealt_to_others() {
    fn check<P: Pair<Player = TetrisPlayer>>(pieces: usize) {
        let assignments = [&format!("tetris.pieces={pieces}"), "tetris.idle_periods=60", "tetris.level=6"];
        let (controls, line) = controls();
        let (announced, came) = (std::cell::RefCell::default(), Cell::new(0));
        let request = Request {
            limits: Limits { games: Some(1), time: Some(Duration::from_mins(5)) },
            controls: Some(line),
            ..Request::unlimited(values(&assignments), 3)
        };
        let watch = |_: &TetrisPlayer, _: &Counts| came.set(controls.deal().so_far().pieces.len());
        runs::play::<P, _>(request, Announced(&announced, &came), watch).unwrap();
        let dealt = controls.deal().so_far();
        assert!(dealt.pieces.len() >= pieces && dealt.level == 6 && !dealt.heart, "{dealt:?}");
        assert!(dealt.pieces.last().is_some_and(|&(_, score)| score > 0), "{dealt:?}");
        let announced = announced.into_inner();
        for (number, &(piece, _)) in dealt.pieces.iter().enumerate().skip(1) {
            // What most looks before it announced: in the first and the last one a camera sees the screen change.
            let looks = || announced.iter().filter(|&&(came, _)| came == number).map(|&(_, next)| next);
            let next = looks().max_by_key(|&next| looks().filter(|&other| other == next).count());
            assert_eq!(next, Some(piece.letter()), "piece {number} of {dealt:?}");
        }
    }
    check::<OnEmulator>(30);
    check::<OnSimulatedRobot>(12);
}
