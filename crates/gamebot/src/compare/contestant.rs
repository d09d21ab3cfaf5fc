//! The players of a Tetris comparison: built-in ones and plug-ins (G22).

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use plugins::folder::{Found, find};
use plugins::tbp::Bot;
use plugins::wasm::WasmEvaluator;
use tetris::arena::{Contest, GameRecord, Player, Rules, play_gameboy};
use tetris::evaluate::{Learned, ours};
use tetris::search::Depth;

use crate::ending::UsageError;

/// Time limit for each answer of a program.
const ANSWER_LIMIT: Duration = Duration::from_secs(2);

/// A player of a comparison.
#[derive(Clone, Debug)]
pub enum Contestant {
    /// A built-in player.
    BuiltIn(Player),
    /// An evaluator from a WebAssembly file.
    Evaluator(WasmEvaluator),
    /// Tables learned by `gamebot tune tetris`.
    Learned {
        /// Name of the file.
        name: String,
        /// The evaluator with these tables.
        evaluator: Learned,
    },
    /// A program that speaks TBP.
    Program {
        /// Name of the file.
        name: String,
        /// The command line.
        command: Vec<String>,
    },
}

/// Finds players by name, in the plug-in folder and among the built-in ones.
pub fn contestants(names: &[String], folder: Option<&Path>) -> Result<Vec<Contestant>, UsageError> {
    if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
        return Err(UsageError(format!("--plugins {}: there is no such folder", folder.display())));
    }
    let plugins = folder.map(find).unwrap_or_default();
    check_names(&plugins)?;
    for (path, reason) in &plugins.broken {
        tracing::warn!("{}: skipped: {reason}", path.display());
    }
    names.iter().map(|name| contestant(name, &plugins)).collect()
}

/// A name stands for one player: results would be credited to the wrong one.
fn check_names(plugins: &Found) -> Result<(), UsageError> {
    let mut seen = BTreeSet::new();
    for name in plugins.names() {
        if Player::named(name).is_ok() {
            let message = format!("plug-in {name}: a built-in player has this name; rename the file");
            return Err(UsageError(message));
        }
        if !seen.insert(name) {
            let message = format!("plug-in {name}: two files have this name; rename one of them");
            return Err(UsageError(message));
        }
    }
    Ok(())
}

fn contestant(name: &str, plugins: &Found) -> Result<Contestant, UsageError> {
    if let Some(evaluator) = plugins.evaluators.iter().find(|evaluator| evaluator.name() == name) {
        return Ok(Contestant::Evaluator(evaluator.clone()));
    }
    if let Some((name, tables)) = plugins.learned.iter().find(|(known, _)| known == name) {
        return Ok(Contestant::Learned { name: name.clone(), evaluator: Learned::new(Arc::clone(tables)) });
    }
    if let Some((name, command)) = plugins.programs.iter().find(|(known, _)| known == name) {
        return Ok(Contestant::Program { name: name.clone(), command: command.clone() });
    }
    Player::named(name).map(Contestant::BuiltIn).map_err(|unknown| UsageError(unknown.to_string()))
}

impl Contestant {
    /// The player's name.
    pub fn name(&self) -> &str {
        match self {
            Contestant::BuiltIn(player) => player.name(),
            Contestant::Evaluator(evaluator) => evaluator.name(),
            Contestant::Learned { name, .. } | Contestant::Program { name, .. } => name,
        }
    }

    /// Plays game number `index` of the contest; a plug-in that fails loses it.
    pub fn play(&self, contest: &Contest, index: u64) -> GameRecord {
        match self {
            Contestant::BuiltIn(player) => player.play(contest, index),
            Contestant::Evaluator(evaluator) => {
                let game = contest.play(evaluator.clone(), Depth::Two, index);
                if let Some(reason) = evaluator.failure() {
                    tracing::warn!("{}: {reason}", evaluator.name());
                }
                game
            }
            Contestant::Learned { evaluator, .. } => contest.play(evaluator.clone(), ours::DEPTH, index),
            Contestant::Program { name, command } => play_program(name, command, contest, index),
        }
    }
}

fn play_program(name: &str, command: &[String], contest: &Contest, index: u64) -> GameRecord {
    let seed = contest.game_seed(index);
    let lost = GameRecord { seed, died: true, ..GameRecord::default() };
    let Rules::GameBoy { setup, timing } = contest.rules else {
        tracing::warn!("{name}: programs can only play by the Game Boy's rules");
        return lost;
    };
    let mut bot = match Bot::start(command, ANSWER_LIMIT) {
        Ok(bot) => bot,
        Err(reason) => {
            tracing::warn!("{name}: {reason}");
            return lost;
        }
    };
    play_gameboy(timing, setup, seed, contest.limits, |situation, placements| {
        match bot.decide(situation.board, situation.active, situation.preview, placements) {
            Ok(placement) => Some((placement, 0)),
            Err(reason) => {
                tracing::warn!("{name}: {reason}");
                None
            }
        }
    })
}
