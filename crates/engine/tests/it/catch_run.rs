//! Catch played through the whole loop on the simulated clock.

use std::io::Cursor;
use std::time::Duration;

use engine::record::{ClockKind, Journal, NoJournal, Recording, RunDescription};
use engine::{Cancel, Counts, Ending, Engine, Limits, Settings, SimulatedClock, Upright};
use proving::{CatchPlayer, Faults, Rules, simulated_body};

pub const PRESS: Duration = Duration::from_millis(35);
pub const PAUSE: Duration = Duration::from_millis(40);

/// What a run came to.
#[derive(Debug, PartialEq, Eq)]
pub struct Played {
    pub ending: Ending,
    pub counts: Counts,
    pub caught: u32,
    pub missed: u32,
}

pub fn player() -> CatchPlayer {
    CatchPlayer::new(PRESS, PAUSE)
}

pub fn settings(games: u32) -> Settings {
    Settings {
        visible_within: Duration::from_millis(400),
        limits: Limits { games: Some(games), time: Some(Duration::from_hours(1)) },
        ..Settings::default()
    }
}

pub fn play(settings: Settings, faults: Faults, seed: u64) -> Played {
    play_into(NoJournal, settings, faults, seed).0
}

pub fn play_into<J: Journal>(journal: J, settings: Settings, faults: Faults, seed: u64) -> (Played, J) {
    let clock = SimulatedClock::new();
    let (body, console) = simulated_body(Rules::default(), faults, seed, &clock);
    let mut engine = Engine::new(body, Upright, player(), clock, journal, Cancel::new(), settings);
    let ending = engine.run();
    let counts = engine.counts();
    let journal = engine.into_journal();
    let (caught, missed) = (console.borrow().game.caught(), console.borrow().game.missed());
    (Played { ending, counts, caught, missed }, journal)
}

pub fn description(seed: u64) -> RunDescription {
    RunDescription {
        program: "test".to_owned(),
        game: "catch".to_owned(),
        body: "simulated".to_owned(),
        seed,
        clock: ClockKind::Simulated,
        configuration: String::new(),
    }
}

/// Plays and gives back the finished recording.
pub fn record(settings: Settings, faults: Faults, seed: u64) -> (Played, Vec<u8>) {
    let recording = Recording::begin(Cursor::new(Vec::new()), &description(seed)).unwrap();
    let (played, recording) = play_into(recording, settings, faults, seed);
    (played, recording.finish(None).unwrap().into_inner())
}
