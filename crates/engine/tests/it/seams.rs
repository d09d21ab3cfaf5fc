//! The seams between engine and bodies, each proved by one body of Catch (X1, X2, X3).

use std::io::Cursor;
use std::time::Duration;

use engine::broadcast::{self, Sight};
use engine::notes::Topic;
use engine::replay::{Note, Outcome, Tape};
use engine::{Body, Cancel, Clock, Engine, Latency, RunEnding, RunSettings, SimulatedClock, Time, Upright};
use proving::scanner::NOT_LOOKED_AT;
use proving::{
    BezelRectifier, ButtonHand, CatchPlayer, Console, Faults, Hands, MotorHand, Rules, Scanner, ScreenEye,
    TiltedCamera, direct_body,
};

use crate::catch_run::{self, PRESS, Played, play_on, player, recording, settings};
use crate::replaying::replay_rectified;

const fn ms(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

fn notes(file: &[u8]) -> Vec<Note> {
    Tape::open(Cursor::new(file)).unwrap().collect()
}

fn count(file: &[u8], topic: Topic, part: &str) -> usize {
    let text = |note: &Note| String::from_utf8_lossy(&note.bytes).into_owned();
    notes(file).iter().filter(|note| note.topic == topic && text(note).contains(part)).count()
}

/// A game before a camera that is knocked against every three seconds.
fn camera_game() -> (Played, Vec<u8>) {
    let clock = SimulatedClock::new();
    let rules = Rules { balls: 6, ..Rules::default() };
    let console = Console::new(rules, Faults { knock_every: ms(3_000), ..Faults::default() }, 3);
    let body = Body { eye: TiltedCamera::new(&console, &clock), hand: ButtonHand::new(&console, &clock) };
    let rectifier = BezelRectifier::default();
    let (played, recording) = play_on(body, rectifier, player(), clock, &console, recording(3), settings(1));
    (played, recording.finish(None).unwrap().into_inner())
}

#[test]
fn a_lost_calibration_is_named_and_found_again() {
    let (played, file) = camera_game();
    assert_eq!(played.ending, RunEnding::GamesPlayed);
    assert_eq!((played.caught, played.missed), (6, 0));
    let lost = count(&file, Topic::Unclear, "calibration_lost");
    let found = count(&file, Topic::Screen, "\"fit\":1.0");
    assert!(lost >= 3, "{lost} knocks in twelve seconds");
    assert_eq!(found, lost + 1, "every loss is followed by a new place of the screen");
    assert_eq!(played.counts.unclear as usize, lost, "nothing else was unclear");
    let replayed = replay_rectified(BezelRectifier::default(), player(), settings(1), file);
    assert!(matches!(replayed, Outcome::Equal { .. }), "{replayed:?}");
}

/// A game in which a sensor has to be sent to the cells.
fn scanned_game(faults: Faults) -> (Played, Vec<u8>) {
    let clock = SimulatedClock::new();
    let console = Console::new(Rules::default(), faults, 4);
    let body = Body { eye: Scanner::new(&console, &clock), hand: ButtonHand::new(&console, &clock) };
    let (played, recording) = play_on(body, Upright, player(), clock, &console, recording(4), settings(1));
    (played, recording.finish(None).unwrap().into_inner())
}

#[test]
fn an_eye_that_must_be_directed_looks_only_where_the_player_wants() {
    let (played, file) = scanned_game(Faults { lost_presses: 0.05, ..Faults::default() });
    assert_eq!(played.ending, RunEnding::GamesPlayed);
    assert!(played.caught >= 19, "{played:?}");
    let scans: Vec<_> = notes(&file)
        .into_iter()
        .filter(|note| note.topic == Topic::Frame)
        .map(|note| note.picture().unwrap().0)
        .collect();
    assert!(scans.iter().all(|scan| (scan.width, scan.height) == (10, 9)), "one pixel a cell");
    let looked_at = |scan: &engine::Picture| scan.pixels.iter().filter(|p| **p != NOT_LOOKED_AT).count();
    let (all, few) = scans.iter().map(looked_at).partition::<Vec<_>, _>(|cells| *cells == 90);
    assert!(few.iter().all(|cells| *cells <= 9), "the ball's column and the paddle");
    assert!(few.len() > 2 * all.len(), "{} scans of everything, {} directed ones", all.len(), few.len());
    let replayed = replay_rectified(Upright, player(), settings(1), file);
    assert!(matches!(replayed, Outcome::Equal { .. }), "{replayed:?}");
}

fn motor_player() -> CatchPlayer {
    CatchPlayer::new(Hands::Motor { at_most: ms(1_000), press: PRESS })
}

fn motor_settings() -> RunSettings {
    let patience = engine::Patience { pause: ms(50), ..engine::Patience::default() };
    RunSettings { patience, ..settings(1) }
}

/// A game with a motor that stalls in this share of its drives.
fn motor_game(stalled_drives: f64) -> (Played, Vec<u8>) {
    let clock = SimulatedClock::new();
    let console = Console::new(Rules::default(), Faults { stalled_drives, ..Faults::default() }, 5);
    let body = Body { eye: ScreenEye::new(&console, &clock), hand: MotorHand::new(&console, &clock) };
    let (played, recording) =
        play_on(body, Upright, motor_player(), clock, &console, recording(5), motor_settings());
    (played, recording.finish(None).unwrap().into_inner())
}

#[test]
fn a_plan_waits_for_a_hand_that_reports_its_end() {
    let (played, file) = motor_game(0.0);
    assert_eq!((played.caught, played.missed, played.counts.faults), (20, 0, 0));
    let commands: Vec<_> = notes(&file)
        .into_iter()
        .filter(|note| note.topic == Topic::Command)
        .map(|note| (note.time, String::from_utf8(note.bytes).unwrap()))
        .filter(|(_, json)| json.contains("drive_to"))
        .collect();
    let mut durations: Vec<_> = commands
        .chunks(2)
        .map(|pair| {
            assert!(pair[0].1.contains("begin") && pair[1].1.contains("end"), "{pair:?}");
            pair[1].0.since(pair[0].0)
        })
        .collect();
    durations.sort();
    durations.dedup();
    assert!(durations.len() > 8, "every drive takes the time it takes: {durations:?}");
}

#[test]
fn a_stalled_motor_is_a_fault_and_the_game_goes_on() {
    let (played, file) = motor_game(0.3);
    assert_eq!(played.ending, RunEnding::GamesPlayed);
    assert!(played.counts.faults > 2 && played.caught >= 16, "{played:?}");
    assert_eq!(count(&file, Topic::Fault, "\"fault\":\"stalled\""), played.counts.faults as usize);
    let replayed = replay_rectified(Upright, motor_player(), motor_settings(), file);
    assert!(matches!(replayed, Outcome::Equal { .. }), "{replayed:?}");
}

#[test]
fn a_hand_that_never_reports_is_timed_out() {
    let clock = SimulatedClock::new();
    let console = Console::new(Rules::default(), Faults::default(), 5);
    let body = Body { eye: ScreenEye::new(&console, &clock), hand: MotorHand::new(&console, &clock) };
    // No drive over more than one column ends in that time.
    let hasty = CatchPlayer::new(Hands::Motor { at_most: ms(80), press: PRESS });
    let (played, recording) = play_on(body, Upright, hasty, clock, &console, recording(5), motor_settings());
    assert!(played.counts.faults > 0, "{played:?}");
    let file = recording.finish(None).unwrap().into_inner();
    assert!(count(&file, Topic::Fault, "\"fault\":\"silent\"") > 0);
}

#[test]
fn a_run_is_cancelled_in_the_middle_of_a_drive() {
    let clock = SimulatedClock::new();
    let cancel = Cancel::new();
    let console = Console::new(Rules::default(), Faults::default(), 5);
    let body = Body { eye: ScreenEye::new(&console, &clock), hand: MotorHand::new(&console, &clock) };
    let mut engine = Engine::new(
        body,
        Upright,
        CatchPlayer::new(Hands::Motor { at_most: ms(100_000), press: PRESS }),
        clock.clone(),
        recording(5),
        cancel.clone(),
        settings(1),
    );
    // Another participant of the clock throws the switch while the motor turns.
    let other = clock.participant();
    let ending = std::thread::scope(|scope| {
        scope.spawn(move || {
            other.sleep_until(Time::START + ms(100));
            cancel.cancel();
        });
        engine.run()
    });
    assert_eq!(ending, RunEnding::Cancelled);
    let file = engine.into_reader().finish(None).unwrap().into_inner();
    let commands = [count(&file, Topic::Command, "begin"), count(&file, Topic::Command, "end")];
    assert_eq!(commands, [1, 0], "the first drive never ended");
    let paddle = console.borrow().game.paddle();
    clock.sleep(ms(5_000));
    assert_eq!(console.borrow().game.paddle(), paddle, "the motor was stopped");
    let replayed = replay_rectified(Upright, motor_player_at_most(100_000), settings(1), file);
    assert!(matches!(replayed, Outcome::Equal { .. }), "{replayed:?}");
}

fn motor_player_at_most(at_most: u64) -> CatchPlayer {
    CatchPlayer::new(Hands::Motor { at_most: ms(at_most), press: PRESS })
}

#[test]
fn declared_latencies_with_spread_save_looks_that_cannot_show_anything_yet() {
    let latency = |typical, spread| Latency { typical: ms(typical), spread: ms(spread) };
    let faults = Faults { hand_latency: latency(60, 30), eye_latency: latency(50, 40), ..Faults::default() };
    let played = catch_run::play(settings(3), faults, 7);
    assert_eq!(played.ending, RunEnding::GamesPlayed);
    assert!(played.caught >= 57, "{played:?}");
    // The effect of a plan is seen with the first look after it; without the declared times it took three.
    let per_plan = played.counts.pending as f64 / played.counts.confirmed as f64;
    assert!(per_plan < 0.5, "{per_plan} unclear looks a plan: {played:?}");
}

#[test]
fn a_viewer_that_stops_reading_misses_notes_and_changes_nothing() {
    let (undisturbed, file) = catch_run::record(settings(4), Faults::default(), 6);
    let (broadcast, live) = broadcast::open();
    let mut stuck = live.watch().unwrap();
    let mut gone = live.watch();
    let clock = SimulatedClock::new();
    let console = Console::new(Rules::default(), Faults::default(), 6);
    let body = direct_body(&console, &clock);
    let reader = (recording(6), Some(broadcast));
    let mut engine = Engine::new(body, Upright, player(), clock, reader, Cancel::new(), settings(4));
    let ending = engine.run_watched(|engine| {
        if engine.counts().ticks == 100 {
            gone = None;
        }
    });
    assert_eq!((ending, engine.counts()), (undisturbed.ending, undisturbed.counts));
    let (recording, broadcast) = engine.into_reader();
    drop(broadcast);
    assert!(recording.finish(None).unwrap().into_inner() == file, "the recording is the same");
    // The stuck viewer reads on at last: first what holds on, then the gap, then the newest notes.
    let first = stuck.blocking_next();
    assert!(matches!(&first, Some(Sight::Missed(missed)) if *missed > 1_000), "{first:?}");
    let rest: Vec<_> = std::iter::from_fn(|| stuck.blocking_next()).collect();
    assert_eq!(rest.len(), 1_024);
    let Some(Sight::Note(last)) = rest.last() else { panic!("{rest:?}") };
    assert_eq!((last.topic, last.json.as_slice()), (Topic::Ending, b"\"games_played\"".as_slice()));
    assert!(stuck.newest_frame().is_some_and(|frame| frame.picture().width > 0));
    assert!(live.watch().is_none(), "the run has ended");
}

#[test]
fn viewers_see_what_is_recorded() {
    let (broadcast, live) = broadcast::open();
    let mut viewer = live.watch().unwrap();
    let rules = Rules { balls: 1, ..Rules::default() };
    let clock = SimulatedClock::new();
    let console = Console::new(rules, Faults::default(), 6);
    let body = direct_body(&console, &clock);
    let reader = (recording(6), broadcast);
    let mut engine = Engine::new(body, Upright, player(), clock, reader, Cancel::new(), settings(1));
    engine.run();
    let (recording, broadcast) = engine.into_reader();
    let late = live.watch().unwrap();
    drop(broadcast);
    let shown: Vec<_> = std::iter::from_fn(|| viewer.blocking_next())
        .map(|sight| match sight {
            Sight::Note(note) => (note.topic, note.time, note.json.clone()),
            other => panic!("{other:?}"),
        })
        .collect();
    let file = recording.finish(None).unwrap().into_inner();
    let recorded: Vec<_> = notes(&file)
        .into_iter()
        .filter(|note| note.topic != Topic::Frame)
        .map(|note| (note.topic, note.time, note.bytes))
        .collect();
    assert_eq!(shown, recorded);
    // Who comes late still learns about the body and how it ended.
    let mut late = late;
    let topics: Vec<_> = std::iter::from_fn(|| late.try_next())
        .map(|sight| if let Sight::Note(note) = sight { note.topic } else { panic!("{sight:?}") })
        .collect();
    assert_eq!(topics, [Topic::Ending, Topic::Body]);
}

#[test]
fn recordings_of_version_0_1_0_replay_equal() {
    let file = std::fs::read("../../fixtures/recordings/catch-0.1.0.mcap").unwrap();
    let outcome = replay_rectified(Upright, player(), settings(1), file);
    assert_eq!(outcome, Outcome::Equal { notes: 420 });
}
