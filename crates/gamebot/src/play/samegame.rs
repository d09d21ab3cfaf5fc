//! `gamebot play samegame`: any window, round after round.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::{Args, ValueEnum};
use configuration::Values;
use engine::notes::NoReader;
use engine::{Counts, RunEnding};
use players::samegame::{Round, SamegamePlayer, Supply};
use runs::samegame::settings::{GoalWord, SamegameSettings, SamegameWindowSettings};
use runs::{Lap, Pair, Played, Request, samegame};
use serde::Serialize;

use super::{RunFlags, SeriesFlags, finish};
use crate::ending::{Ending, UsageError};
use crate::flags::GoalFlag;
use crate::output::Output;
use crate::progress;
use crate::settings::ConfigurationFlags;
use crate::table::{figures, table};

const EXAMPLES: &str = "\
Examples:
  gamebot play samegame --window 'Same Game' --rounds 10      clear ten boards in that window
  gamebot play samegame --region 100,50,640x480               a part of the screen
  gamebot play samegame --body simulated-window --look glossy --rounds 5
                                                              a simulated window, in simulated time
  gamebot play samegame --body simulated-window --set samegame_window.lost_clicks=0.03 --json
                                                              with a mouse that loses clicks
  gamebot play samegame --window 'Same Game' --learn mine.toml
                                                              keep what was found out, for --profile mine.toml

Nothing is configured: board, colours, clicks a move and the smallest group are found out.
The mouse is left alone while somebody else moves it; Ctrl-C ends the run.";

/// Play SameGame in a window.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct PlaySamegame {
    /// What the player sees and acts with.
    #[arg(long, value_enum, default_value_t = BodyName::Desktop)]
    body: BodyName,

    /// The window with this text in its title or class.
    #[arg(long, value_name = "TITLE", conflicts_with = "region")]
    window: Option<String>,

    /// A rectangle of the screen.
    #[arg(long, value_name = "X,Y,WxH")]
    region: Option<String>,

    /// The look of the simulated window.
    #[arg(long, value_name = "LOOK")]
    look: Option<String>,

    /// What to aim for.
    #[arg(long, value_enum)]
    goal: Option<GoalFlag>,

    /// Write a profile with the settings of this run and what was found out about the game.
    #[arg(long, value_name = "FILE", value_parser = in_a_folder)]
    learn: Option<PathBuf>,

    #[command(flatten)]
    series: SeriesFlags,

    #[command(flatten)]
    run: RunFlags,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum BodyName {
    /// A window of this desktop and the mouse (X11).
    Desktop,
    /// A simulated window.
    SimulatedWindow,
}

/// What is printed at the end.
#[derive(Debug, Serialize)]
struct Report {
    rounds: Vec<TimedRound>,
    cleared_share: f64,
    learned: Learned,
    game_s: f64,
    #[serde(flatten)]
    counts: Counts,
    ending: RunEnding,
}

/// A round, and how long each part of the program was busy with it (S9).
#[derive(Debug, Serialize)]
struct TimedRound {
    #[serde(flatten)]
    round: Round,
    see_ms: f64,
    solve_ms: f64,
    act_ms: f64,
}

/// What was found out about the game.
#[derive(Debug, Serialize)]
struct Learned {
    clicks: Option<u8>,
    min_group: usize,
    orientation: Option<String>,
    supply: Option<Supply>,
    settles_after_ms: u64,
}

/// Runs the verb.
pub fn run(play: &PlaySamegame, flags: &ConfigurationFlags, out: &mut Output) -> anyhow::Result<Ending> {
    let mut values = flags.load()?;
    values.update(|settings: &mut SamegameSettings| play.apply_to(settings)).map_err(UsageError::from)?;
    values
        .update(|settings: &mut SamegameWindowSettings| {
            if let Some(look) = &play.look {
                settings.look.clone_from(look);
            }
        })
        .map_err(UsageError::from)?;
    let request = play.run.request(&play.series, values)?;
    let learn = play.learn.as_deref();
    let report = match play.body {
        BodyName::Desktop => play_with::<samegame::OnDesktop>(request.in_real_time(), learn),
        BodyName::SimulatedWindow => play_with::<samegame::InSimulatedWindow>(request, learn),
    }?;
    if play.series.json {
        out.json(&report)?;
    } else {
        for (number, round) in (1..).zip(&report.rounds) {
            let TimedRound { round, see_ms, solve_ms, act_ms } = round;
            let Round { score, moves, clicks, lost_clicks, remaining, .. } = round;
            let end = if round.cleared { "cleared".to_owned() } else { format!("{remaining} tiles left") };
            writeln!(
                out,
                "round {number}  {end}  score {score}  moves {moves}  clicks {clicks}  lost {lost_clicks}  \
                 see {see_ms:.0} ms  solve {solve_ms:.0} ms  act {act_ms:.0} ms"
            )?;
        }
        if report.rounds.len() > 1 {
            writeln!(out, "\n{}", times(&report.rounds))?;
        }
    }
    finish(report.ending)
}

impl PlaySamegame {
    fn apply_to(&self, settings: &mut SamegameSettings) {
        if let Some(window) = &self.window {
            settings.window.clone_from(window);
        }
        if let Some(region) = &self.region {
            settings.region.clone_from(region);
        }
        match self.goal {
            Some(GoalFlag::Clear) => settings.goal = GoalWord::Clear,
            Some(GoalFlag::Points) => settings.goal = GoalWord::Points,
            None => {}
        }
    }
}

fn play_with<P: Pair<Player = SamegamePlayer>>(
    request: Request,
    learn: Option<&Path>,
) -> anyhow::Result<Report> {
    let values = request.values.clone();
    let bar = progress::bar(request.limits.games.unwrap_or(1).into(), "rounds");
    let played = runs::play::<P, _>(request, NoReader, |_, counts| bar.set_position(counts.games.into()))?;
    bar.finish_and_clear();
    let Played { player, counts, ending, time, laps, .. } = played;
    if let Some(path) = learn {
        write_learned(path, values, &player)?;
    }
    let ms = |time: std::time::Duration| time.as_secs_f64() * 1e3;
    // The last round may be unfinished: it has no lap of its own.
    let laps = laps.iter().copied().chain(std::iter::repeat(Lap::default()));
    let rounds: Vec<_> = player
        .rounds()
        .iter()
        .zip(laps)
        .map(|(round, lap)| TimedRound {
            round: round.clone(),
            see_ms: ms(lap.see),
            solve_ms: ms(lap.solve),
            act_ms: ms(lap.act),
        })
        .collect();
    let cleared = rounds.iter().filter(|timed| timed.round.cleared).count();
    let cleared_share = cleared as f64 / rounds.len().max(1) as f64;
    let learned = Learned {
        clicks: player.clicks_learned(),
        min_group: player.min_group(),
        orientation: player.orientation().map(|orientation| format!("{orientation:?}").to_lowercase()),
        supply: player.supply(),
        settles_after_ms: player.settles_after().as_millis() as u64,
    };
    Ok(Report { rounds, cleared_share, learned, game_s: time.elapsed().as_secs_f64(), counts, ending })
}

/// A file whose folder is there: nobody wants to hear at a run's end that it is not.
fn in_a_folder(text: &str) -> Result<PathBuf, UsageError> {
    let path = PathBuf::from(text);
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    match folder.filter(|folder| !folder.is_dir()) {
        Some(folder) => Err(UsageError(format!("there is no folder {}; create it first", folder.display()))),
        None => Ok(path),
    }
}

/// Writes the settings of a run and what was found out in it as a profile.
fn write_learned(path: &Path, mut values: Values, player: &SamegamePlayer) -> anyhow::Result<()> {
    if player.clicks_learned().is_none() {
        tracing::warn!("no move has worked, so nothing was learned: {} is not written", path.display());
        return Ok(());
    }
    samegame::learn(&mut values, player)?;
    let profile = format!(
        "# SameGame as it was found: settings of a run, and what it learned.\n{}",
        values.to_profile()
    );
    std::fs::write(path, profile).with_context(|| format!("cannot write {}", path.display()))
}

/// Shortest, mean and longest time of each part of a round.
fn times(rounds: &[TimedRound]) -> comfy_table::Table {
    let mut table = table(&["time", "shortest", "mean", "longest"]);
    let parts: [(&str, fn(&TimedRound) -> f64); 4] = [
        ("see ms", |timed| timed.see_ms),
        ("solve ms", |timed| timed.solve_ms),
        ("act ms", |timed| timed.act_ms),
        ("round s", |timed| timed.round.round_s),
    ];
    for (name, part) in parts {
        let values = || rounds.iter().map(part);
        let (least, most) = (values().fold(f64::MAX, f64::min), values().fold(0.0, f64::max));
        let mean = values().sum::<f64>() / rounds.len().max(1) as f64;
        let cells = [least, mean, most].map(|value| format!("{value:.1}"));
        table.add_row([vec![name.to_owned()], cells.to_vec()].concat());
    }
    figures(table)
}
