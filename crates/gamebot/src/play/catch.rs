//! `gamebot play catch`: the proving game on its simulated body.

use std::io::Write;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use configuration::Values;
use engine::record::ClockKind;
use engine::{Cancel, Clock, Counts, Engine, Limits, RealClock, SimulatedClock, Thinking, Upright};
use proving::{CatchPlayer, Faults, Rules, simulated_body};
use serde::Serialize;

use super::recording;
use crate::ending::Ending;
use crate::output::Output;
use crate::settings::{CatchSettings, ConfigurationFlags, EngineSettings, milliseconds};

const EXAMPLES: &str = "\
Examples:
  gamebot play catch                                        one game in simulated time
  gamebot play catch --games 100 --seed 7 --json            figures for another program
  gamebot play catch --record run.mcap                      keep a record for inspect, replay, Foxglove, Rerun
  gamebot play catch --set catch.lost_presses=0.2           with a hand that loses a fifth of its presses
  gamebot play catch --speed real                           in real time; Ctrl-C ends it cleanly";

/// Play Catch on its simulated body.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct PlayCatch {
    /// How many games.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    games: u32,

    /// Where the dice start; the same seed gives the same run.
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// How fast time passes.
    #[arg(long, value_enum, default_value_t = Speed::Max)]
    speed: Speed,

    /// Write a recording of the run to this MCAP file.
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,

    /// Print one JSON document instead of text.
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Speed {
    /// Simulated time: as fast as it goes.
    Max,
    /// The clock on the wall.
    Real,
}

/// What is printed at the end.
#[derive(Debug, Serialize)]
struct Report {
    seed: u64,
    games: u32,
    caught: u32,
    missed: u32,
    game_s: f64,
    #[serde(flatten)]
    counts: Counts,
    ending: engine::Ending,
}

/// Runs the verb.
pub fn run(play: &PlayCatch, flags: &ConfigurationFlags, out: &mut Output) -> anyhow::Result<Ending> {
    let values = flags.load()?;
    let cancel = crate::interrupt::on_interrupt()?;
    let report = match play.speed {
        Speed::Max => play_on(&SimulatedClock::new(), ClockKind::Simulated, play, &values, &cancel)?,
        Speed::Real => play_on(&RealClock::start(cancel.clone()), ClockKind::Real, play, &values, &cancel)?,
    };
    if play.json {
        out.json(&report)?;
    } else {
        let Report { games, caught, missed, game_s, counts, .. } = &report;
        writeln!(
            out,
            "games {games}  caught {caught}  missed {missed}  time {game_s:.1} s  looks {}  unclear {}  plans confirmed {}  diverged {}  faults {}",
            counts.ticks, counts.unclear, counts.confirmed, counts.diverged, counts.faults
        )?;
    }
    recording::finish(report.ending)
}

fn play_on<C: Clock>(
    clock: &C,
    kind: ClockKind,
    play: &PlayCatch,
    values: &Values,
    cancel: &Cancel,
) -> anyhow::Result<Report> {
    let settings = CatchSettings::from_values(values);
    let (body, console) = simulated_body(rules(&settings), faults(&settings), play.seed, clock);
    let started = jiff::Timestamp::now();
    let recording = match &play.record {
        Some(path) => Some(recording::begin(path, "catch", "simulated", play.seed, kind, values)?),
        None => None,
    };
    let limits = Limits { games: Some(play.games), time: None };
    let engine_settings = EngineSettings::from_values(values).to_engine(Thinking::Unlimited, limits);
    let mut engine =
        Engine::new(body, Upright, player(values), clock.clone(), recording, cancel.clone(), engine_settings);
    let ending = engine.run();
    let counts = engine.counts();
    let times = engine.timings().summary();
    if let Some(recording) = engine.into_journal() {
        recording::close(recording, started, times, values)?;
    }
    let console = console.borrow();
    Ok(Report {
        seed: play.seed,
        games: console.game.games(),
        caught: console.game.caught(),
        missed: console.game.missed(),
        game_s: clock.now().elapsed().as_secs_f64(),
        counts,
        ending,
    })
}

/// The player that these settings describe.
pub fn player(values: &Values) -> CatchPlayer {
    let settings = CatchSettings::from_values(values);
    CatchPlayer::new(milliseconds(settings.press_ms), milliseconds(settings.pause_ms))
}

fn rules(settings: &CatchSettings) -> Rules {
    Rules { balls: settings.balls, fall: milliseconds(settings.fall_ms) }
}

fn faults(settings: &CatchSettings) -> Faults {
    Faults {
        hand_latency: milliseconds(settings.hand_latency_ms),
        eye_latency: milliseconds(settings.eye_latency_ms),
        lost_presses: settings.lost_presses,
        torn_frames: settings.torn_frames,
        failed_looks: settings.failed_looks,
        refused_commands: settings.refused_commands,
    }
}
