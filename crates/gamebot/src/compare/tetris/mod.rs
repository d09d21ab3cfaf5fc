//! `gamebot compare tetris`: all players on the same piece sequences (P5).

mod games;
mod report;

use std::io::Write;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use serde::{Deserialize, Serialize};
use tetris::arena::{Contest, Limits, Rules};
use tetris::gameboy::{Mode, Setup};
use tetris::reach::Timing;

use super::contestant::contestants;
use crate::ending::{Ending, UsageError};
use crate::output::Output;
use crate::plot::PlotFile;
use games::play_all;
use report::{Report, chart, player_report, text};

const EXAMPLES: &str = "\
Examples:
  gamebot compare tetris --players lee,bergmark,clever,ours --games 100 --seed 1 --rules gameboy --level 9 --press-ms 75
  gamebot compare tetris --players lee,ours --plot lines.svg      plot the distribution of lines
  gamebot compare tetris --players ours --heart                  ten levels faster
  gamebot compare tetris --players ours-survive --until death --lines 20000
  gamebot compare tetris --players lee,bergmark --rules document  the simulation of the Game Boy robot's thesis (G12)
  gamebot compare tetris --players dt10,ours --rules classic --rows 10 --games 2000

Players: lee, bergmark, height, clever, dellacherie, el-tetris, bcts, dt10, dt20, ours, ours-survive.";

/// Compare Tetris players on the same piece sequences.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct CompareTetris {
    /// Players, separated by commas.
    #[arg(long, value_delimiter = ',', default_value = "lee,bergmark,clever,ours")]
    players: Vec<String>,

    /// Games per player.
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,

    /// Random seed; the same seed gives the same pieces.
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Rules of the game.
    #[arg(long, value_enum, default_value_t = RulesName::Gameboy)]
    rules: RulesName,

    /// Start level, 0 to 9.
    #[arg(long, default_value_t = 9)]
    level: u8,

    /// Heart mode: ten levels faster.
    #[arg(long)]
    heart: bool,

    /// Milliseconds per key press, including the pause; 0 (document rules only): pieces wait for the keys.
    #[arg(long, default_value_t = 75.0)]
    press_ms: f64,

    /// Rows of the classic field.
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(4..=28))]
    rows: u32,

    /// Show players the next piece on the classic field.
    #[arg(long)]
    preview: bool,

    /// When a game ends [default: max-out for gameboy, death for the others].
    #[arg(long, value_enum)]
    until: Option<Until>,

    /// Lines after which a game is stopped.
    #[arg(long, default_value_t = 1_000_000)]
    lines: u32,

    /// Number of threads.
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,

    /// Keep finished games in this file, and resume from it if it exists.
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,

    /// Folder of plug-ins: NAME.wasm or NAME.wat evaluators, NAME.values learned tables,
    /// NAME.tbp programs.
    #[arg(long, value_name = "FOLDER")]
    plugins: Option<PathBuf>,

    /// Plot the distribution of lines to this file (.svg or .png); may be repeated.
    #[arg(long, value_name = "FILE")]
    plot: Vec<PlotFile>,

    /// Print one JSON document instead of text.
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Serialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
enum RulesName {
    /// The Game Boy's rules, exact to the frame, with the placements that keys can reach in time.
    Gameboy,
    /// The simulation of the Game Boy robot's thesis.
    Document,
    /// Ten columns, uniform pieces, straight drops.
    Classic,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Until {
    /// At 999,999 points, or when the game is lost.
    MaxOut,
    /// When the game is lost.
    Death,
}

/// Runs the verb.
pub fn run(compare: &CompareTetris, out: &mut Output) -> anyhow::Result<Ending> {
    let contest = contest(compare)?;
    let players = contestants(&compare.players, compare.plugins.as_deref())?;
    let cancel = crate::interrupt::on_interrupt()?;
    let games = play_all(compare, &contest, &players, &cancel)?;
    let report = Report {
        rules: compare.rules,
        level: compare.level,
        heart: compare.heart,
        press_ms: compare.press_ms,
        seed: compare.seed,
        players: players.iter().map(|player| player_report(player.name(), &games)).collect(),
    };
    if compare.json {
        out.json(&report)?;
    } else {
        writeln!(out, "{}", text(&report))?;
    }
    out.flush()?;
    let chart = chart(compare, &players, &games);
    compare.plot.iter().try_for_each(|file| file.draw(&chart))?;
    Ok(if cancel.is_cancelled() { Ending::Interrupted } else { Ending::Success })
}

fn contest(compare: &CompareTetris) -> anyhow::Result<Contest> {
    if !(compare.press_ms >= 0.0 && compare.press_ms <= 1_000.0) {
        let message = format!("--press-ms {}: choose 0 to 1000", compare.press_ms);
        return Err(UsageError(message).into());
    }
    if compare.rules == RulesName::Gameboy && Timing::from_ms(compare.press_ms).period == 0 {
        let message = format!(
            "--press-ms {}: shorter than a frame (16.7 ms) only with --rules document, where 0 lets pieces wait",
            compare.press_ms
        );
        return Err(UsageError(message).into());
    }
    if compare.heart && compare.rules != RulesName::Gameboy {
        return Err(UsageError("--heart: only with --rules gameboy".to_owned()).into());
    }
    let setup =
        Setup::new(Mode::A, compare.level, compare.heart).map_err(|error| UsageError(error.to_string()))?;
    let rules = match compare.rules {
        RulesName::Gameboy => Rules::GameBoy { setup, timing: Timing::from_ms(compare.press_ms) },
        RulesName::Document => {
            let press_ms = (compare.press_ms > 0.0).then_some(compare.press_ms);
            Rules::Document { level: compare.level, press_ms }
        }
        RulesName::Classic => Rules::Classic { rows: compare.rows, preview: compare.preview },
    };
    let until = compare.until.unwrap_or(match compare.rules {
        RulesName::Gameboy => Until::MaxOut,
        RulesName::Document | RulesName::Classic => Until::Death,
    });
    let limits = Limits { lines: compare.lines, stop_at_max_out: until == Until::MaxOut };
    Ok(Contest { rules, limits, seed: compare.seed })
}
