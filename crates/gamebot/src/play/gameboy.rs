//! `gamebot play gameboy`: any cartridge, played by a program of the user's own (G22).

use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use engine::{Counts, RunEnding};
use runs::gameboy::{AgentSettings, OnEmulator};
use runs::settings::TetrisSettings;
use serde::Serialize;

use super::tetris::{QuietOutput, TerminalView};
use super::{RunFlags, SeriesFlags, finish};
use crate::ending::{Ending, UsageError};
use crate::output::Output;
use crate::settings::ConfigurationFlags;

const EXAMPLES: &str = "\
Examples:
  gamebot play gameboy --player \"program:python3 examples/menu_walker.py\"
                                                         an agent that walks the menus of our own cartridge
  gamebot play gameboy --rom my-game.gb --player program:./my-agent --speed real --show
                                                         your cartridge, your agent, in real time
  gamebot play gameboy --player program:./my-agent --record run.mcap
                                                         keep a record for inspect and replay

The agent gets every screen, answers with timed presses, and says when a game is over: docs/agents.md.";

/// Play any Game Boy game with a program of your own.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct PlayGameboy {
    /// Who plays: program:COMMAND [default: agent.command of the profile].
    #[arg(long, value_name = "PLAYER", value_parser = player)]
    player: Option<String>,

    /// What it sees and presses with.
    #[arg(long, value_enum, default_value_t = BodyName::Emulator)]
    body: BodyName,

    /// A cartridge image of your own, instead of the embedded one.
    #[arg(long, value_name = "FILE")]
    rom: Option<PathBuf>,

    /// End after this time on the console's clock.
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u32).range(1..))]
    seconds: Option<u32>,

    /// Show the screen in the terminal (on standard error), two pixels a character.
    #[arg(long)]
    show: bool,

    #[command(flatten)]
    series: SeriesFlags,

    #[command(flatten)]
    run: RunFlags,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum BodyName {
    /// An emulated console: exact pixels, exact presses.
    Emulator,
}

#[derive(Debug, Serialize)]
struct Report {
    agent: String,
    game_s: f64,
    counts: Counts,
    ending: RunEnding,
}

/// Runs the verb.
pub fn run(play: &PlayGameboy, flags: &ConfigurationFlags, out: &mut Output) -> anyhow::Result<Ending> {
    let mut values = flags.load()?;
    let agent = |agent: &mut AgentSettings| {
        if let Some(command) = &play.player {
            agent.command.clone_from(command);
        }
    };
    values.update(agent).map_err(UsageError::from)?;
    let rom = |tetris: &mut TetrisSettings| {
        if let Some(rom) = &play.rom {
            tetris.rom = rom.display().to_string();
        }
    };
    values.update(rom).map_err(UsageError::from)?;
    let mut request = play.run.request(&play.series, values)?;
    request.limits.time = play.seconds.map(|seconds| Duration::from_secs(u64::from(seconds)));
    let BodyName::Emulator = play.body;
    let played = {
        let _quiet = QuietOutput::begin()?;
        runs::play::<OnEmulator, _>(request, play.show.then(TerminalView::new), |_, _| ())?
    };
    let report = Report {
        agent: played.player.name().to_owned(),
        game_s: played.time.elapsed().as_secs_f64(),
        counts: played.counts,
        ending: played.ending,
    };
    if play.series.json {
        out.json(&report)?;
    } else {
        let Report { agent, game_s, counts, .. } = &report;
        writeln!(
            out,
            "agent {agent}  time {game_s:.1} s  screens {}  plans {}  unanswered {}",
            counts.ticks, counts.confirmed, counts.unclear
        )?;
    }
    finish(report.ending)
}

/// `program:COMMAND`, without its first word.
fn player(text: &str) -> Result<String, String> {
    let command = text.strip_prefix("program:").map(str::trim).filter(|command| !command.is_empty());
    command.map(str::to_owned).ok_or_else(|| "program:COMMAND, as in program:./my-agent".to_owned())
}
