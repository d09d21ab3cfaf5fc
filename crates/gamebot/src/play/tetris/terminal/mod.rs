//! Tetris for people in the terminal: one key lets a player take over, any other takes it back (P1, P2, P4).

mod picture;
mod screen;

use std::io::IsTerminal;
use std::path::PathBuf;

use browser::tetris::{Choices, Pilot, PlayerName, RulesName, Session, UnknownPlayer, machine_buttons};
use engine::Cancel;
use serde::{Deserialize, Serialize};
use tetris::gameboy::FRAMES_PER_SECOND;

use screen::Screen;

use super::{PlayTetris, write_report};
use crate::ending::{Ending, UsageError};
use crate::output::Output;

/// Pieces after which a game without a person ends.
const MOST_PIECES: u32 = 100_000;

/// What is kept for the next time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
struct Kept {
    rules: RulesName,
    width: usize,
    height: usize,
    player: PlayerName,
    pace_ms: u32,
}

impl Default for Kept {
    fn default() -> Self {
        Kept { rules: RulesName::Gameboy, width: 10, height: 20, player: PlayerName::Ours, pace_ms: 200 }
    }
}

/// One game.
#[derive(Debug, Serialize)]
struct GameReport {
    seed: u64,
    score: u32,
    lines: u32,
    level: u8,
    pieces: u32,
    game_s: f64,
}

#[derive(Debug, Serialize)]
struct Report {
    rules: RulesName,
    player: PlayerName,
    games: Vec<GameReport>,
}

/// Plays.
pub fn run(play: &PlayTetris, cancel: &Cancel, out: &mut Output) -> anyhow::Result<Ending> {
    let kept = choose(play)?;
    let is_terminal = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
    if !is_terminal && play.player.is_none() {
        let why = "--body terminal needs a terminal; name a --player to let it play without one";
        return Err(UsageError(why.to_owned()).into());
    }
    let mut report = Report { rules: kept.rules, player: kept.player, games: Vec::new() };
    let first_seed =
        play.series.seed.unwrap_or_else(|| if is_terminal { new_seed() } else { play.series.seed() });
    for game in 0..play.series.games {
        let seed = first_seed.wrapping_add(u64::from(game)) & u64::from(u32::MAX);
        let session =
            Session::new(choices(play, &kept, seed)).map_err(|error| UsageError(error.to_string()))?;
        let seen = is_terminal && !play.series.json;
        let session = if seen {
            let pilot = play.player.as_ref().map(|_| Pilot::new(kept.pace_ms));
            Screen::open(&session, kept.player, kept.pace_ms, pilot)?.play(session, cancel)?
        } else {
            unseen(session, kept.player, cancel)
        };
        report.games.push(GameReport {
            seed,
            score: session.score(),
            lines: session.lines(),
            level: session.level(),
            pieces: session.pieces(),
            game_s: f64::from(session.frames()) / FRAMES_PER_SECOND,
        });
        // Whoever quits a game wants no other.
        if cancel.is_cancelled() || (seen && !session.is_over()) {
            break;
        }
    }
    let text = |game: &GameReport| {
        format!("score {}  lines {}  level {}  pieces {}\n", game.score, game.lines, game.level, game.pieces)
    };
    write_report(out, play.series.json, &report, &report.games.iter().map(text).collect::<String>())?;
    Ok(if cancel.is_cancelled() { Ending::Interrupted } else { Ending::Success })
}

/// Other pieces every time: nobody wants to play the same game again and again.
#[expect(clippy::disallowed_methods, reason = "a person's game is not meant to be the same again")]
fn new_seed() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    now.map_or(0, |time| time.as_millis() as u64)
}

/// Flags over what was kept; what a person chose is kept again.
fn choose(play: &PlayTetris) -> anyhow::Result<Kept> {
    let file = settings_file();
    let before = file.as_ref().and_then(|file| std::fs::read_to_string(file).ok());
    let mut kept: Kept = before.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default();
    if let Some(size) = play.size {
        (kept.rules, kept.width, kept.height) = (RulesName::Classic, size.0, size.1);
    } else if let Some(rules) = play.rules {
        kept.rules = rules;
    }
    if let Some(name) = &play.player {
        kept.player = name.parse().map_err(|error: UnknownPlayer| UsageError(error.to_string()))?;
    }
    kept.pace_ms = play.pace_ms.unwrap_or(kept.pace_ms);
    choices(play, &kept, 0).check().map_err(|error| UsageError(error.to_string()))?;
    if let Some(file) = file {
        keep(&file, &kept);
    }
    Ok(kept)
}

/// A disk that keeps nothing is no reason not to play.
fn keep(file: &PathBuf, kept: &Kept) {
    let written = file
        .parent()
        .map_or(Ok(()), std::fs::create_dir_all)
        .and_then(|()| std::fs::write(file, serde_json::to_string_pretty(kept).unwrap_or_default()));
    if let Err(error) = written {
        tracing::warn!("{}: {error}; settings are not kept", file.display());
    }
}

fn settings_file() -> Option<PathBuf> {
    let set = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let folder = set("XDG_CONFIG_HOME").or_else(|| set("HOME").map(|home| home.join(".config")))?;
    Some(folder.join("gamebot/terminal-tetris.json"))
}

fn choices(play: &PlayTetris, kept: &Kept, seed: u64) -> Choices {
    let level = u8::try_from(play.level.unwrap_or(0)).unwrap_or(u8::MAX);
    match kept.rules {
        RulesName::Gameboy => Choices { heart: play.heart, ..Choices::gameboy(level, seed as u32) },
        RulesName::Classic => {
            Choices { level, heart: play.heart, ..Choices::classic(kept.width, kept.height, seed as u32) }
        }
    }
}

/// A whole game without a picture, as fast as it goes.
fn unseen(mut session: Session, player: PlayerName, cancel: &Cancel) -> Session {
    let mut pilot = Pilot::new(0);
    while !session.is_over() && session.pieces() < MOST_PIECES && !cancel.is_cancelled() {
        let held = machine_buttons(&session, &mut pilot, player, 0);
        session.step(held);
    }
    session
}
