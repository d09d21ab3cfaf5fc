//! Two players on two consoles with a cable between them (G19).

use std::fmt::Write;
use std::time::Instant;

use configuration::Values;
use engine::record::NoJournal;
use engine::{Cancel, Clock, Engine, Limits, RealClock, SimulatedClock, Thinking, Upright};
use gameboy::body::linked_bodies;
use gameboy::player::GameLog;
use gameboy::{Cartridge, Company, LinkedConsoles, TetrisPlayer, Wishes};
use serde::Serialize;
use tetris::gameboy::FRAMES_PER_SECOND;

use super::quiet::QuietOutput;
use super::{PlayTetris, Speed, wishes, write_report};
use crate::ending::{Ending, UsageError};
use crate::output::Output;
use crate::play::recording;
use crate::settings::EngineSettings;

#[derive(Debug, Serialize)]
struct Report {
    seed: u64,
    games: Vec<MatchReport>,
    wall_s: f64,
}

/// A match: the caller's figures first.
#[derive(Debug, Serialize)]
struct MatchReport {
    rounds_won: [u8; 2],
    pieces: [usize; 2],
    presses: [u32; 2],
    diverged_plans: [u32; 2],
    game_s: f64,
}

/// Plays and reports.
#[expect(clippy::disallowed_methods, reason = "measures how long matches take; nothing depends on it")]
pub fn run(
    play: &PlayTetris,
    values: &Values,
    cartridge: &Cartridge,
    cancel: &Cancel,
    out: &mut Output,
) -> anyhow::Result<Ending> {
    let wishes = wishes(values)?;
    let limits = Limits { games: Some(play.games), time: None };
    let settings = EngineSettings::from_values(values).to_engine(Thinking::Unlimited, limits);
    let began = Instant::now();
    let [calls, listens] = {
        let _quiet = QuietOutput::begin()?;
        let consoles = LinkedConsoles::new(cartridge).map_err(|error| UsageError(error.to_string()))?;
        match play.speed {
            Speed::Max => {
                let clock = SimulatedClock::new();
                let clocks = [clock.participant(), clock.participant()];
                // Whoever holds no handle does not keep the others waiting.
                drop(clock);
                play_both(consoles, clocks, &wishes, settings, cancel)
            }
            Speed::Real => {
                let clock = RealClock::start(cancel.clone());
                play_both(consoles, [clock.clone(), clock], &wishes, settings, cancel)
            }
        }?
    };
    let games = calls.0.iter().zip(&listens.0).filter(|(game, _)| game.rounds.is_some());
    let report = Report {
        seed: play.seed,
        games: games.map(|(calls, listens)| match_report(calls, listens)).collect(),
        wall_s: began.elapsed().as_secs_f64(),
    };
    write_report(out, play.json, &report, &text(&report))?;
    recording::finish(calls.1)
}

type Side = (Vec<GameLog>, engine::Ending);

fn play_both<C: Clock>(
    consoles: LinkedConsoles,
    clocks: [C; 2],
    wishes: &Wishes,
    settings: engine::Settings,
    cancel: &Cancel,
) -> anyhow::Result<[Side; 2]> {
    let bodies = linked_bodies(consoles, [&clocks[0], &clocks[1]]);
    let sides = std::thread::scope(|scope| {
        let companies = [Company::Calls, Company::Listens];
        let running: Vec<_> = (bodies.into_iter().zip(clocks).zip(companies))
            .map(|((body, clock), company)| {
                let wishes = Wishes { company, ..wishes.clone() };
                let cancel = cancel.clone();
                scope.spawn(move || {
                    // A new participant takes its place in the order of the clock first.
                    clock.sleep_until(clock.now());
                    let player = TetrisPlayer::new(wishes);
                    let mut engine = Engine::new(body, Upright, player, clock, NoJournal, cancel, settings);
                    let ending = engine.run();
                    (engine.player().games().to_vec(), ending)
                })
            })
            .collect();
        running.into_iter().map(|side| side.join().ok()).collect::<Option<Vec<_>>>()
    });
    let sides = sides.ok_or_else(|| anyhow::anyhow!("a player ended in a panic"))?;
    sides.try_into().map_err(|_| anyhow::anyhow!("two players were started"))
}

fn match_report(calls: &GameLog, listens: &GameLog) -> MatchReport {
    let (won, lost) = calls.rounds.unwrap_or_default();
    MatchReport {
        rounds_won: [won, lost],
        pieces: [calls.pieces.len(), listens.pieces.len()],
        presses: [calls.presses, listens.presses],
        diverged_plans: [calls.diverged_plans, listens.diverged_plans],
        game_s: (calls.last_period - calls.first_period) as f64 / FRAMES_PER_SECOND,
    }
}

fn text(report: &Report) -> String {
    let mut text = String::new();
    for (index, game) in report.games.iter().enumerate() {
        // Writing to a String cannot fail.
        let _ = writeln!(
            text,
            "match {}  rounds {}:{}  pieces {} and {}  diverged {} and {}  time {:.1} s",
            index + 1,
            game.rounds_won[0],
            game.rounds_won[1],
            game.pieces[0],
            game.pieces[1],
            game.diverged_plans[0],
            game.diverged_plans[1],
            game.game_s,
        );
    }
    text
}
