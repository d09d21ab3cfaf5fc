//! `gamebot play catch`: the smallest game, on every body that proves a seam of the engine.

use std::io::Write;

use clap::{Args, ValueEnum};
use engine::{Counts, RunEnding};
use runs::Finished;
use serde::Serialize;

use super::{RunFlags, SeriesFlags, finish};
use crate::ending::Ending;
use crate::output::Output;
use crate::settings::ConfigurationFlags;

const EXAMPLES: &str = "\
Examples:
  gamebot play catch                                        one game in simulated time
  gamebot play catch --games 100 --seed 7 --json            figures for another program
  gamebot play catch --record run.mcap                      keep a record for inspect, replay, Foxglove, Rerun
  gamebot play catch --set catch.lost_presses=0.2           with a hand that loses a fifth of its presses
  gamebot play catch --body simulated-camera --set catch.knock_every_ms=3000
                                                            a tilted camera that is knocked against
  gamebot play catch --body simulated-motor --set catch.stalled_drives=0.2
                                                            a motor that stalls now and then
  gamebot play catch --speed real                           in real time; Ctrl-C ends it cleanly";

/// Play Catch on its simulated bodies.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct PlayCatch {
    /// What the player sees and acts with.
    #[arg(long, value_enum, default_value_t = BodyName::Simulated)]
    body: BodyName,

    #[command(flatten)]
    series: SeriesFlags,

    #[command(flatten)]
    run: RunFlags,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum BodyName {
    /// The screen itself and buttons.
    Simulated,
    /// A camera that looks at the console at an angle.
    SimulatedCamera,
    /// A sensor above one cell at a time.
    SimulatedScanner,
    /// A motor that carries the paddle.
    SimulatedMotor,
}

impl BodyName {
    /// Its name in the register of runs.
    fn name(self) -> String {
        self.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
    }
}

/// What is printed at the end.
#[derive(Debug, Serialize)]
struct Report {
    seed: u64,
    #[serde(flatten)]
    game: serde_json::Value,
    game_s: f64,
    #[serde(flatten)]
    counts: Counts,
    ending: RunEnding,
}

/// Runs the verb.
pub fn run(play: &PlayCatch, flags: &ConfigurationFlags, out: &mut Output) -> anyhow::Result<Ending> {
    let request = play.run.request(&play.series, flags.load()?)?;
    let spinner = crate::progress::spinner(format!("playing {} games", play.series.games));
    let played = runs::find("catch", &play.body.name())?.play(request);
    spinner.finish_and_clear();
    let Finished { ending, counts, time, report } = played?;
    let report = Report {
        seed: play.series.seed(),
        game: report,
        game_s: time.elapsed().as_secs_f64(),
        counts,
        ending,
    };
    if play.series.json {
        out.json(&report)?;
    } else {
        let Report { game, game_s, counts, .. } = &report;
        let (caught, missed) = (&game["caught"], &game["missed"]);
        writeln!(
            out,
            "games {}  caught {caught}  missed {missed}  time {game_s:.1} s  looks {}  unclear {}  plans confirmed {}  diverged {}  faults {}",
            counts.games, counts.ticks, counts.unclear, counts.confirmed, counts.diverged, counts.faults
        )?;
    }
    finish(report.ending)
}
