//! `gamebot play samegame`: any window, round after round.

use std::io::Write;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use engine::notes::NoReader;
use engine::{Counts, Limits, RunEnding};
use players::samegame::{Round, SamegamePlayer};
use runs::samegame::settings::{GoalWord, SamegameSettings, SamegameWindowSettings};
use runs::{Pair, Played, Request, samegame};
use serde::Serialize;

use super::{Speed, finish};
use crate::ending::{Ending, UsageError};
use crate::output::Output;
use crate::settings::ConfigurationFlags;

const EXAMPLES: &str = "\
Examples:
  gamebot play samegame --window 'Same Game' --rounds 10      clear ten boards in that window
  gamebot play samegame --region 100,50,640x480               a part of the screen
  gamebot play samegame --body simulated-window --look glossy --rounds 5
                                                              a simulated window, in simulated time
  gamebot play samegame --body simulated-window --set samegame_window.lost_clicks=0.03 --json
                                                              with a mouse that loses clicks

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

    /// How many rounds.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,

    /// What to strive for.
    #[arg(long, value_enum)]
    goal: Option<GoalFlag>,

    /// Random seed of solver and simulated window.
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// How fast time passes in a simulated window.
    #[arg(long, value_enum, default_value_t = Speed::Max)]
    speed: Speed,

    /// Write a recording of the run to this MCAP file.
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,

    /// Print one JSON document instead of text.
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum BodyName {
    /// A window of this desktop and the mouse (X11).
    Desktop,
    /// A simulated window.
    SimulatedWindow,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum GoalFlag {
    /// An empty board.
    Clear,
    /// The highest score.
    Points,
}

/// What is printed at the end.
#[derive(Debug, Serialize)]
struct Report {
    rounds: Vec<Round>,
    cleared_share: f64,
    game_s: f64,
    #[serde(flatten)]
    counts: Counts,
    ending: RunEnding,
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
    let request = Request {
        values,
        seed: play.seed,
        speed: match play.body {
            BodyName::Desktop => runs::Speed::Real,
            BodyName::SimulatedWindow => play.speed.into(),
        },
        limits: Limits { games: Some(play.rounds), time: None },
        record: play.record.clone(),
        live: None,
        cancel: crate::interrupt::on_interrupt()?,
    };
    let report = match play.body {
        BodyName::Desktop => play_with::<samegame::OnDesktop>(request),
        BodyName::SimulatedWindow => play_with::<samegame::InSimulatedWindow>(request),
    }?;
    if play.json {
        out.json(&report)?;
    } else {
        for (number, round) in (1..).zip(&report.rounds) {
            let Round { score, moves, clicks, lost_clicks, remaining, .. } = round;
            let end = if round.cleared { "cleared".to_owned() } else { format!("{remaining} tiles left") };
            writeln!(
                out,
                "round {number}  {end}  score {score}  moves {moves}  clicks {clicks}  lost {lost_clicks}"
            )?;
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

fn play_with<P: Pair<Player = SamegamePlayer>>(request: Request) -> anyhow::Result<Report> {
    let Played { player, counts, ending, time, .. } = runs::play::<P, _>(request, NoReader, |_, _| ())?;
    let rounds = player.rounds().to_vec();
    let cleared = rounds.iter().filter(|round| round.cleared).count();
    let cleared_share = cleared as f64 / rounds.len().max(1) as f64;
    Ok(Report { rounds, cleared_share, game_s: time.elapsed().as_secs_f64(), counts, ending })
}
