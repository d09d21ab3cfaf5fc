//! The players of a Tetris comparison: built-in ones and plug-ins (G22).

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Mutex;
use std::time::Duration;

use plugins::contestant::{Contestant, ContestantError, plugins_of};
use plugins::tbp::Bot;
use tetris::arena::{Contest, GameRecord, Rules, play_gameboy};
use tetris::evaluate::ours;
use tetris::search::Depth;

use crate::ending::UsageError;

/// Time limit for each answer of a program.
const ANSWER_LIMIT: Duration = Duration::from_secs(2);

/// Finds players by name, in the plug-in folder and among the built-in ones.
pub fn contestants(names: &[String], folder: Option<&Path>) -> Result<Vec<Contestant>, UsageError> {
    let usage = |error: ContestantError| UsageError(error.to_string());
    let plugins = plugins_of(folder).map_err(usage)?;
    for (path, reason) in &plugins.broken {
        tracing::warn!("{}: skipped: {reason}", path.display());
    }
    names.iter().map(|name| Contestant::named(name, &plugins).map_err(usage)).collect()
}

/// Plays game number `index` of the contest; a plug-in that fails loses it.
pub fn play(player: &Contestant, contest: &Contest, index: u64) -> GameRecord {
    match player {
        Contestant::BuiltIn(player) => player.play(contest, index),
        Contestant::Evaluator(evaluator) => {
            let game = contest.play(evaluator.clone(), Depth::Two, index);
            if let Some(reason) = evaluator.failure() {
                complain(evaluator.name(), &reason);
            }
            game
        }
        Contestant::Learned { evaluator, .. } => contest.play(evaluator.clone(), ours::DEPTH, index),
        Contestant::Program { name, command } => play_program(name, command, contest, index),
    }
}

/// Logs what is wrong with a plug-in, each thing once: it may go wrong in every game.
fn complain(name: &str, reason: &str) {
    static LOGGED: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    let complaint = format!("{name}: {reason}");
    let is_new = LOGGED.lock().is_ok_and(|mut logged| logged.insert(complaint.clone()));
    if is_new {
        tracing::warn!("{complaint}");
    }
}

fn play_program(name: &str, command: &[String], contest: &Contest, index: u64) -> GameRecord {
    let seed = contest.game_seed(index);
    let lost = GameRecord { seed, died: true, ..GameRecord::default() };
    let Rules::GameBoy { setup, timing } = contest.rules else {
        complain(name, "programs can only play by the Game Boy's rules");
        return lost;
    };
    let mut bot = match Bot::start(command, ANSWER_LIMIT) {
        Ok(bot) => bot,
        Err(reason) => {
            complain(name, &reason.to_string());
            return lost;
        }
    };
    play_gameboy(timing, setup, seed, contest.limits, |situation, placements| {
        match bot.decide(situation.board, situation.active, situation.preview, placements) {
            Ok(placement) => Some((placement, 0)),
            Err(reason) => {
                complain(name, &reason.to_string());
                None
            }
        }
    })
}
