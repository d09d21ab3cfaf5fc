//! The player from power-on: menus, levels, heart mode, names, the next game (G17).

use std::time::Duration;

use engine::notes::NoReader;
use engine::{Body, Cancel, Engine, Latency, Limits, RunEnding, RunSettings, SimulatedClock, Upright};
use gameboy::{Emulator, stackfall};
use players::tetris::{Company, TetrisPlayer, Until, Wishes};
use simulators::console::{ConsoleEye, ConsoleHand, Lag, body, lagging_body};

type Run = Engine<
    ConsoleEye<SimulatedClock>,
    ConsoleHand<SimulatedClock>,
    Upright,
    TetrisPlayer,
    SimulatedClock,
    NoReader,
>;

fn run(wishes: Wishes, games: u32) -> Run {
    let clock = SimulatedClock::new();
    let body = body(console(), &clock);
    run_on(body, clock, wishes, games)
}

fn console() -> Emulator {
    Emulator::new(&stackfall::cartridge()).unwrap()
}

fn run_on(
    body: Body<ConsoleEye<SimulatedClock>, ConsoleHand<SimulatedClock>>,
    clock: SimulatedClock,
    wishes: Wishes,
    games: u32,
) -> Run {
    let settings = RunSettings {
        visible_within: Duration::from_secs(4),
        limits: Limits { games: Some(games), time: Some(Duration::from_mins(5)) },
        ..RunSettings::default()
    };
    let player = TetrisPlayer::new(wishes);
    Engine::new(body, Upright, player, clock, NoReader, Cancel::new(), settings)
}

fn wishes(level: u8, heart: bool) -> Wishes {
    Wishes {
        level,
        heart,
        rubble: None,
        initials: "YZA".to_owned(),
        until: Until::Pieces(4),
        company: Company::Alone,
        press_frames: 2,
        hold: Duration::from_millis(35),
        idle: 40,
        dawdle: 0,
        checks_presses: false,
    }
}

#[test]
fn every_level_is_reached_from_power_on_with_and_without_heart() {
    for level in 0..10 {
        for heart in [false, true] {
            let mut engine = run(wishes(level, heart), 1);
            while engine.player().games().first().is_none_or(|game| game.pieces.is_empty()) {
                assert_eq!(engine.tick(), None, "level {level}, heart {heart}");
            }
            let game = &engine.player().games()[0];
            assert_eq!((game.level, game.heart), (level, heart));
        }
    }
}

/// Left alone for so long, the title becomes a demo; Start ends it, and the way goes on.
#[test]
fn a_demo_is_left_for_a_game_of_ones_own() {
    let mut engine = run(Wishes { idle: 5_200, ..wishes(3, false) }, 1);
    while engine.player().games().first().is_none_or(|game| game.pieces.is_empty()) {
        assert_eq!(engine.tick(), None);
    }
    assert_eq!(engine.player().games().len(), 1, "the demo is nobody's game");
    assert_eq!(engine.player().games()[0].level, 3);
    assert!(engine.player().games()[0].unclear_looks == 0);
}

#[test]
fn names_are_entered_and_the_next_game_starts() {
    let mut engine = run(wishes(7, true), 2);
    assert_eq!(engine.run(), RunEnding::GamesPlayed);
    let games = engine.player().games();
    assert_eq!(games.len(), 2);
    for game in games {
        assert!(game.pieces.len() > 4 && game.score > 0, "{game:?}");
        assert!(game.name_seen, "the name stands in the table: {game:?}");
        assert_eq!(game.unclear_looks, 0);
    }
    assert_eq!(engine.counts().diverged, 0);
}

/// A console that is seen by a camera at another rate and phase and held by slow hands with spread.
#[test]
fn pieces_are_tracked_whatever_the_bodys_rate_latency_and_phase() {
    const fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }
    for (frame_period, eye, hand, switched_on) in [
        (Duration::from_nanos(1_000_000_000 / 30), (25, 4), (12, 3), ms(7)),
        (Duration::from_nanos(1_000_000_000 / 60), (8, 2), (5, 2), ms(3)),
        (ms(20), (60, 0), (30, 5), ms(11)),
    ] {
        let clock = SimulatedClock::new();
        let latency = |(typical, spread)| Latency { typical: ms(typical), spread: ms(spread) };
        let lag = Lag {
            frame_period,
            shown_to_captured: latency(eye),
            commanded_to_done: latency(hand),
            switched_on,
            seed: 1,
        };
        let body = lagging_body(console(), &clock, lag);
        let wishes = Wishes { until: Until::Pieces(60), press_frames: 5, ..wishes(5, false) };
        let mut engine = run_on(body, clock, wishes, 1);
        assert_eq!(engine.run(), RunEnding::GamesPlayed, "{lag:?}");
        let game = &engine.player().games()[0];
        assert!(game.pieces.len() > 60 && game.lines >= 10 && game.level >= 5, "{lag:?}: {game:?}");
        assert!(game.diverged_plans <= 4, "{lag:?}: {game:?}");
        assert!(game.name_seen, "{lag:?}: {game:?}");
    }
}
