//! Catch played through the whole loop on the simulated clock.

use std::io::Cursor;
use std::time::Duration;

use engine::notes::{NoReader, NoteReader};
use engine::record::{ClockKind, NoteTypes, Recording, RunDescription};
use engine::{
    Body, Cancel, Counts, Engine, Eye, Hand, Limits, Rectify, RunEnding, RunSettings, SimulatedClock, Upright,
};
use proving::{Action, CatchPlayer, Console, Faults, Hands, Rules, SharedConsole, direct_body};

pub const PRESS: Duration = Duration::from_millis(35);
pub const PAUSE: Duration = Duration::from_millis(40);

/// What a run came to.
#[derive(Debug, PartialEq, Eq)]
pub struct Played {
    pub ending: RunEnding,
    pub counts: Counts,
    pub caught: u32,
    pub missed: u32,
}

pub fn player() -> CatchPlayer {
    CatchPlayer::new(Hands::Buttons { press: PRESS, pause: PAUSE })
}

pub fn settings(games: u32) -> RunSettings {
    RunSettings {
        visible_within: Duration::from_millis(400),
        limits: Limits { games: Some(games), time: Some(Duration::from_hours(1)) },
        ..RunSettings::default()
    }
}

pub fn play(settings: RunSettings, faults: Faults, seed: u64) -> Played {
    play_into(NoReader, settings, faults, seed).0
}

pub fn play_into<N: NoteReader>(reader: N, settings: RunSettings, faults: Faults, seed: u64) -> (Played, N) {
    let clock = SimulatedClock::new();
    let console = Console::new(Rules::default(), faults, seed);
    let body = direct_body(&console, &clock);
    play_on(body, Upright, player(), clock, &console, reader, settings)
}

/// Plays with any body on this console.
pub fn play_on<E: Eye, H: Hand<Action = Action>, R: Rectify, N: NoteReader>(
    body: Body<E, H>,
    rectifier: R,
    player: CatchPlayer,
    clock: SimulatedClock,
    console: &SharedConsole,
    reader: N,
    settings: RunSettings,
) -> (Played, N) {
    let mut engine = Engine::new(body, rectifier, player, clock, reader, Cancel::new(), settings);
    let ending = engine.run();
    let counts = engine.counts();
    let reader = engine.into_reader();
    let (caught, missed) = (console.borrow().game.caught(), console.borrow().game.missed());
    (Played { ending, counts, caught, missed }, reader)
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

/// Plays and returns the finished recording.
pub fn record(settings: RunSettings, faults: Faults, seed: u64) -> (Played, Vec<u8>) {
    let (played, recording) = play_into(recording(seed), settings, faults, seed);
    (played, recording.finish(None).unwrap().into_inner())
}

/// A recording into memory.
pub fn recording(seed: u64) -> Recording<Cursor<Vec<u8>>> {
    Recording::begin(Cursor::new(Vec::new()), &description(seed), NoteTypes::of::<CatchPlayer>()).unwrap()
}
