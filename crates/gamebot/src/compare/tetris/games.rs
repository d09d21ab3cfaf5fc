//! Plays the games of a comparison on several threads, and keeps finished ones in a file.

use std::collections::BTreeMap;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::Path;
use std::time::Instant;

use anyhow::Context;
use engine::Cancel;
use serde::{Deserialize, Serialize};
use tetris::arena::{Contest, GameRecord};

use super::{CompareTetris, RulesName};
use plugins::contestant::Contestant;

use crate::compare::contestant;
use crate::ending::UsageError;
use crate::jobs;

/// Finished games by player and number.
pub type FinishedGames = BTreeMap<(String, u64), FinishedGame>;

/// A finished game: one line of the file to resume from.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct FinishedGame {
    contest: Conditions,
    pub player: String,
    index: u64,
    pub seconds: f64,
    pub game: GameRecord,
}

/// What must be the same for games to be compared.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
struct Conditions {
    rules: RulesName,
    level: u8,
    heart: bool,
    press_ms: f64,
    rows: u32,
    preview: bool,
    until_max_out: bool,
    lines: u32,
    seed: u64,
}

impl Conditions {
    fn of(compare: &CompareTetris, contest: &Contest) -> Self {
        let CompareTetris { rules, level, heart, press_ms, rows, preview, lines, seed, .. } = *compare;
        let until_max_out = contest.limits.stop_at_max_out;
        Self { rules, level, heart, press_ms, rows, preview, until_max_out, lines, seed }
    }
}

/// Plays all games that are not in the file yet, on several threads.
pub fn play_all(
    compare: &CompareTetris,
    contest: &Contest,
    players: &[Contestant],
    cancel: &Cancel,
) -> anyhow::Result<FinishedGames> {
    let key = Conditions::of(compare, contest);
    let mut finished =
        compare.resume.as_deref().map_or_else(|| Ok(BTreeMap::new()), |file| read(file, &key))?;
    let jobs: Vec<(Contestant, u64)> = (0..compare.games)
        .flat_map(|index| players.iter().map(move |player| (player.clone(), index)))
        .filter(|(player, index)| !finished.contains_key(&(player.name().to_owned(), *index)))
        .collect();
    let mut file = compare.resume.as_deref().map(open_for_more).transpose()?;
    let progress = crate::progress::bar(jobs.len() as u64, "games");
    let contest = *contest;
    jobs::each(
        jobs,
        compare.threads,
        cancel,
        move |(player, index)| play_one(player, &contest, *index, &key),
        |game| {
            progress.inc(1);
            progress.set_message(format!("{}: {} lines", game.player, game.game.lines));
            write(file.as_mut(), &game).context("cannot write a finished game")?;
            finished.insert((game.player.clone(), game.index), game);
            Ok(())
        },
    )?;
    progress.finish_and_clear();
    finished.retain(|(_, index), _| *index < compare.games);
    Ok(finished)
}

#[expect(clippy::disallowed_methods, reason = "measures thinking time; nothing depends on it")]
fn play_one(player: &Contestant, contest: &Contest, index: u64, key: &Conditions) -> FinishedGame {
    let start = Instant::now();
    let game = contestant::play(player, contest, index);
    let seconds = start.elapsed().as_secs_f64();
    FinishedGame { contest: key.clone(), player: player.name().to_owned(), index, seconds, game }
}

/// The games of this contest in the file; those of other contests are ignored. Nothing is ever added to a file that
/// holds something else.
fn read(file: &Path, key: &Conditions) -> anyhow::Result<FinishedGames> {
    if !file.exists() {
        return Ok(BTreeMap::new());
    }
    let text = std::fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
    let mut games = BTreeMap::new();
    for (number, line) in text.split_inclusive(|&byte| byte == b'\n').enumerate() {
        if line.trim_ascii().is_empty() {
            continue;
        }
        match serde_json::from_slice::<FinishedGame>(line) {
            Ok(game) if game.contest == *key => {
                games.insert((game.player.clone(), game.index), game);
            }
            Ok(_) => {}
            // A killed run may leave half a line; that game is played again.
            Err(error) if number > 0 && error.is_eof() => {
                tracing::warn!("{}:{}: half a game, played again", file.display(), number + 1);
            }
            Err(error) => {
                let message = format!(
                    "--resume {}: line {} is not a finished game of `compare tetris`: {error}",
                    file.display(),
                    number + 1
                );
                return Err(UsageError(message).into());
            }
        }
    }
    Ok(games)
}

/// Opens the file so that the next game starts on a new line.
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
