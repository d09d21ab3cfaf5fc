//! The player from power-on: menus, levels, heart mode, names, the next game (G17).

use engine::record::NoJournal;
use engine::{Cancel, Engine, Limits, Settings, SimulatedClock, Upright};
use gameboy::body::{ConsoleEye, ConsoleHand, body};
use gameboy::{Company, Emulator, TetrisPlayer, Until, Wishes, stackfall};

type Run = Engine<
    ConsoleEye<SimulatedClock>,
    ConsoleHand<SimulatedClock>,
    Upright,
    TetrisPlayer,
    SimulatedClock,
    NoJournal,
>;

fn run(wishes: Wishes, games: u32) -> Run {
    let clock = SimulatedClock::new();
    let console = Emulator::new(&stackfall::cartridge()).unwrap();
    let settings = Settings {
        visible_within: std::time::Duration::from_secs(4),
        limits: Limits { games: Some(games), time: Some(std::time::Duration::from_mins(5)) },
        ..Settings::default()
    };
    let player = TetrisPlayer::new(wishes);
    Engine::new(body(console, &clock), Upright, player, clock, NoJournal, Cancel::new(), settings)
}

fn wishes(level: u8, heart: bool) -> Wishes {
    Wishes {
        level,
        heart,
        initials: "YZA".to_owned(),
        until: Until::Pieces(4),
        company: Company::Alone,
        press_frames: 2,
        idle: 40,
        dawdle: 0,
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

#[test]
fn names_are_entered_and_the_next_game_starts() {
    let mut engine = run(wishes(7, true), 2);
    assert_eq!(engine.run(), engine::Ending::GamesPlayed);
    let games = engine.player().games();
    assert_eq!(games.len(), 2);
    for game in games {
        assert!(game.pieces.len() > 4 && game.score > 0, "{game:?}");
        assert!(game.name_seen, "the name stands in the table: {game:?}");
        assert_eq!(game.unclear_looks, 0);
    }
    assert_eq!(engine.counts().diverged, 0);
}
