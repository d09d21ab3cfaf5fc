//! `gamebot compare tetris`: every player gets the same piece sequences (P5).

use std::collections::BTreeMap;
use std::fs::OpenOptions;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use anyhow::Context;
use clap::{Args, ValueEnum};
use engine::Cancel;
use serde::{Deserialize, Serialize};
use tetris::arena::{Contest, GameRecord, Limits, Rules, Summary};
use tetris::gameboy::{Mode, Setup};
use tetris::reach::Timing;

use super::contestant::{Contestant, contestants};
use crate::ending::{Ending, UsageError};
use crate::output::Output;
use crate::plot::{Chart, Curve, PlotFile};
use crate::table;

const EXAMPLES: &str = "\
Examples:
  gamebot compare tetris --players lee,bergmark,clever,ours --games 100 --seed 1 --rules gameboy --level 9 --press-ms 75
  gamebot compare tetris --players lee,ours --plot lines.svg      a picture of how lines are spread
  gamebot compare tetris --players ours --heart                  ten levels faster
  gamebot compare tetris --players ours-survive --until death --lines 20000
  gamebot compare tetris --players lee,bergmark --rules document  the robot document's own simulation
  gamebot compare tetris --players dt10,ours --rules classic --rows 10 --games 2000

Players: lee, bergmark, height, clever, dellacherie, el-tetris, bcts, dt10, dt20, ours, ours-survive.";

/// Compare Tetris players on the same piece sequences.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct CompareTetris {
    /// Who plays, separated by commas.
    #[arg(long, value_delimiter = ',', default_value = "lee,bergmark,clever,ours")]
    players: Vec<String>,

    /// Games for each player.
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,

    /// Where the dice start; the same seed gives the same pieces.
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// What is played.
    #[arg(long, value_enum, default_value_t = RulesName::Gameboy)]
    rules: RulesName,

    /// Start level, 0 to 9.
    #[arg(long, default_value_t = 9)]
    level: u8,

    /// Heart mode: ten levels faster than shown.
    #[arg(long)]
    heart: bool,

    /// Milliseconds a key press takes, pause included; 0 (document rules only): pieces wait for the keys.
    #[arg(long, default_value_t = 75.0)]
    press_ms: f64,

    /// Rows of the classic field.
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(4..=28))]
    rows: u32,

    /// Show the next piece on the classic field.
    #[arg(long)]
    preview: bool,

    /// When a game ends [default: max-out for gameboy, death for the others].
    #[arg(long, value_enum)]
    until: Option<Until>,

    /// Lines after which a game is broken off.
    #[arg(long, default_value_t = 1_000_000)]
    lines: u32,

    /// Threads that play.
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,

    /// Keep finished games in this file, and go on from it when it is there.
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,

    /// A folder with plug-ins: NAME.wasm or NAME.wat evaluators, NAME.values tables that were
    /// learned, NAME.tbp programs.
    #[arg(long, value_name = "FOLDER")]
    plugins: Option<PathBuf>,

    /// Draw how the games' lines are spread into this file (.svg or .png); may be repeated.
    #[arg(long, value_name = "FILE")]
    plot: Vec<PlotFile>,

    /// Print one JSON document instead of text.
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
enum RulesName {
    /// The Game Boy's, to the frame, with what keys can reach in time.
    Gameboy,
    /// The simulation of the robot's document.
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

/// What is printed at the end.
#[derive(Debug, Serialize)]
struct Report {
    rules: RulesName,
    level: u8,
    heart: bool,
    press_ms: f64,
    seed: u64,
    players: Vec<PlayerReport>,
}

#[derive(Debug, Serialize)]
struct PlayerReport {
    name: String,
    #[serde(flatten)]
    summary: Summary,
    decision_us_mean: f64,
}

/// A finished game, one line of the file to resume from.
#[derive(Clone, Debug, Deserialize, Serialize)]
struct FinishedGame {
    contest: String,
    player: String,
    index: u64,
    seconds: f64,
    game: GameRecord,
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
    let chart = chart(compare, &players, &games);
    compare.plot.iter().try_for_each(|file| file.draw(&chart))?;
    if compare.json {
        out.json(&report)?;
    } else {
        writeln!(out, "{}", text(&report))?;
    }
    Ok(if cancel.is_cancelled() { Ending::Interrupted } else { Ending::Success })
}

fn contest(compare: &CompareTetris) -> anyhow::Result<Contest> {
    if !(compare.press_ms >= 0.0 && compare.press_ms <= 1_000.0) {
        let message = format!("--press-ms {} is not between 0 and 1000", compare.press_ms);
        return Err(UsageError(message).into());
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

/// Plays what is not in the file yet, on several threads; by player and game.
fn play_all(
    compare: &CompareTetris,
    contest: &Contest,
    players: &[Contestant],
    cancel: &Cancel,
) -> anyhow::Result<BTreeMap<(String, u64), FinishedGame>> {
    let key = format!("{contest:?}");
    let mut finished =
        compare.resume.as_deref().map_or_else(|| Ok(BTreeMap::new()), |file| read(file, &key))?;
    let jobs: Vec<(&Contestant, u64)> = (0..compare.games)
        .flat_map(|index| players.iter().map(move |player| (player, index)))
        .filter(|(player, index)| !finished.contains_key(&(player.name().to_owned(), *index)))
        .collect();
    let file = compare.resume.as_deref().map(open_for_more).transpose()?;
    let progress = crate::progress::bar(jobs.len() as u64, "games");
    let next = AtomicUsize::new(0);
    let done = Mutex::new((file, Vec::new(), None::<std::io::Error>));
    std::thread::scope(|scope| {
        for _ in 0..compare.threads {
            scope.spawn(|| {
                while let Some(&(player, index)) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if cancel.is_cancelled() {
                        break;
                    }
                    let game = play_one(player, contest, index, &key);
                    progress.inc(1);
                    progress.set_message(format!("{}: {} lines", player.name(), game.game.lines));
                    let Ok(mut done) = done.lock() else { break };
                    if let Err(error) = write(done.0.as_mut(), &game) {
                        done.2 = Some(error);
                        break;
                    }
                    done.1.push(game);
                }
            });
        }
    });
    progress.finish_and_clear();
    let (_, games, error) = done.into_inner().map_err(|_| anyhow::anyhow!("a game ended in a panic"))?;
    if let Some(error) = error {
        return Err(error).context("cannot write a finished game");
    }
    finished.extend(games.into_iter().map(|game| ((game.player.clone(), game.index), game)));
    finished.retain(|(_, index), _| *index < compare.games);
    Ok(finished)
}

#[expect(clippy::disallowed_methods, reason = "measures how long players think; nothing depends on it")]
fn play_one(player: &Contestant, contest: &Contest, index: u64, key: &str) -> FinishedGame {
    let start = Instant::now();
    let game = player.play(contest, index);
    let seconds = start.elapsed().as_secs_f64();
    FinishedGame { contest: key.to_owned(), player: player.name().to_owned(), index, seconds, game }
}

/// Games of this contest in the file; games of others are left alone.
fn read(file: &Path, key: &str) -> anyhow::Result<BTreeMap<(String, u64), FinishedGame>> {
    if !file.exists() {
        return Ok(BTreeMap::new());
    }
    let reader =
        BufReader::new(std::fs::File::open(file).with_context(|| format!("cannot read {}", file.display()))?);
    let mut games = BTreeMap::new();
    for (number, line) in reader.lines().enumerate() {
        let line = line?;
        if line.is_empty() {
            continue;
        }
        let game: FinishedGame = match serde_json::from_str(&line) {
            Ok(game) => game,
            // A run that was killed leaves half a line; that game is played again.
            Err(error) => {
                tracing::warn!("{}:{}: not a finished game: {error}", file.display(), number + 1);
                continue;
            }
        };
        if game.contest == key {
            games.insert((game.player.clone(), game.index), game);
        }
    }
    Ok(games)
}

/// Opens the file so that the next game begins on a line of its own.
fn open_for_more(path: &Path) -> anyhow::Result<std::fs::File> {
    let open = || -> std::io::Result<std::fs::File> {
        let whole = std::fs::read(path).map_or(true, |text| text.last().is_none_or(|&last| last == b'\n'));
        let mut file = OpenOptions::new().create(true).append(true).open(path)?;
        if !whole {
            file.write_all(b"\n")?;
        }
        Ok(file)
    };
    open().with_context(|| format!("cannot write finished games to {}", path.display()))
}

fn write(file: Option<&mut std::fs::File>, game: &FinishedGame) -> std::io::Result<()> {
    let Some(file) = file else { return Ok(()) };
    let mut line = serde_json::to_string(game)?;
    line.push('\n');
    file.write_all(line.as_bytes())
}

fn player_report(name: &str, games: &BTreeMap<(String, u64), FinishedGame>) -> PlayerReport {
    let own: Vec<&FinishedGame> = games.values().filter(|game| game.player == name).collect();
    let records: Vec<GameRecord> = own.iter().map(|game| game.game).collect();
    let summary = Summary::of(&records);
    let seconds: f64 = own.iter().map(|game| game.seconds).sum();
    let decision_us_mean = seconds * 1e6 / summary.pieces.max(1) as f64;
    PlayerReport { name: name.to_owned(), summary, decision_us_mean }
}

/// For each player, the share of games that cleared at most so many lines.
fn chart(
    compare: &CompareTetris,
    players: &[Contestant],
    games: &BTreeMap<(String, u64), FinishedGame>,
) -> Chart {
    let curve = |player: &Contestant| {
        let own = games.values().filter(|game| game.player == player.name());
        let mut lines: Vec<u32> = own.map(|game| game.game.lines).collect();
        lines.sort_unstable();
        let share = |games: usize| 100.0 * games as f64 / lines.len() as f64;
        // Two points a game make steps.
        let step = |(index, &lines): (usize, &u32)| {
            [(f64::from(lines), share(index)), (f64::from(lines), share(index + 1))]
        };
        Curve { name: player.name().to_owned(), points: lines.iter().enumerate().flat_map(step).collect() }
    };
    Chart {
        title: format!("Tetris, {} games each, seed {}", compare.games, compare.seed),
        x: "lines".to_owned(),
        y: "% of games with at most so many".to_owned(),
        curves: players.iter().map(curve).collect(),
    }
}

fn text(report: &Report) -> String {
    let mut rows = table::table(&[
        "player",
        "games",
        "lines",
        "± σ",
        "points",
        "± σ",
        "max-outs",
        "lines to it",
        "tetrises",
        "deaths",
        "µs",
    ]);
    for PlayerReport { name, summary, decision_us_mean } in &report.players {
        rows.add_row([
            name.clone(),
            summary.games.to_string(),
            format!("{:.1} ± {:.1}", summary.lines_mean, summary.lines_ci95),
            format!("{:.1}", summary.lines_sd),
            format!("{:.0} ± {:.0}", summary.score_mean, summary.score_ci95),
            format!("{:.0}", summary.score_sd),
            summary.max_outs.to_string(),
            summary.lines_to_max_out_mean.map_or_else(|| "–".to_owned(), |lines| format!("{lines:.1}")),
            format!("{:.0} %", 100.0 * summary.tetris_share),
            summary.deaths.to_string(),
            format!("{decision_us_mean:.0}"),
        ]);
    }
    format!("{}\n± in means: 95 % confidence interval; σ: standard deviation of games", table::figures(rows))
}
