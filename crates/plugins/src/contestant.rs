//! A player by its name: a built-in one, one of the plug-in folder, or a program that the name itself starts.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tetris::arena::{Player, UnknownPlayer};
use tetris::evaluate::Learned;

use crate::folder::{Found, find};
use crate::wasm::WasmEvaluator;

/// Before the command of a program that speaks TBP.
const PROGRAM: &str = "tbp:";

/// A player.
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
        /// Name of the file, or `tbp:` and the command line.
        name: String,
        /// The command line.
        command: Vec<String>,
    },
}

/// Why there is no such player.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum ContestantError {
    /// The plug-in folder is missing.
    #[error("--plugins {}: there is no such folder", .0.display())]
    NoFolder(PathBuf),
    /// A plug-in has the name of a built-in player: results would be credited to the wrong one.
    #[error("plug-in {0}: a built-in player has this name; rename the file")]
    BuiltInName(String),
    /// Two plug-ins have one name.
    #[error("plug-in {0}: two files have this name; rename one of them")]
    TwoFiles(String),
    /// `tbp:` without a command.
    #[error("tbp: names no program; write for example tbp:cold-clear-2")]
    NoCommand,
    /// Nobody has this name.
    #[error(transparent)]
    Unknown(#[from] UnknownPlayer),
}

/// The plug-ins of a folder, each with a name of its own; none without a folder.
pub fn plugins_of(folder: Option<&Path>) -> Result<Found, ContestantError> {
    let Some(folder) = folder else { return Ok(Found::default()) };
    if !folder.is_dir() {
        return Err(ContestantError::NoFolder(folder.to_owned()));
    }
    let found = find(folder);
    let mut seen = BTreeSet::new();
    for name in found.names() {
        if Player::named(name).is_ok() {
            return Err(ContestantError::BuiltInName(name.to_owned()));
        }
        if !seen.insert(name) {
            return Err(ContestantError::TwoFiles(name.to_owned()));
        }
    }
    Ok(found)
}

impl Contestant {
    /// The player with this name, among these plug-ins and the built-in ones; `tbp:COMMAND` is a program that speaks
    /// TBP.
    pub fn named(name: &str, plugins: &Found) -> Result<Contestant, ContestantError> {
        if let Some(command) = name.strip_prefix(PROGRAM) {
            let command: Vec<String> = command.split_whitespace().map(str::to_owned).collect();
            if command.is_empty() {
                return Err(ContestantError::NoCommand);
            }
            return Ok(Contestant::Program { name: name.to_owned(), command });
        }
        if let Some(evaluator) = plugins.evaluators.iter().find(|evaluator| evaluator.name() == name) {
            return Ok(Contestant::Evaluator(evaluator.clone()));
        }
        if let Some((name, tables)) = plugins.learned.iter().find(|(known, _)| known == name) {
            let evaluator = Learned::new(Arc::clone(tables));
            return Ok(Contestant::Learned { name: name.clone(), evaluator });
        }
        if let Some((name, command)) = plugins.programs.iter().find(|(known, _)| known == name) {
            return Ok(Contestant::Program { name: name.clone(), command: command.clone() });
        }
        Ok(Contestant::BuiltIn(Player::named(name)?))
    }

    /// The player's name.
    pub fn name(&self) -> &str {
        match self {
            Contestant::BuiltIn(player) => player.name(),
            Contestant::Evaluator(evaluator) => evaluator.name(),
            Contestant::Learned { name, .. } | Contestant::Program { name, .. } => name,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_a_built_in_player_or_a_command() {
        let none = Found::default();
        let player = Contestant::named("bcts", &none).unwrap();
        assert!(matches!(player, Contestant::BuiltIn(Player::Bcts)));
        let Ok(Contestant::Program { name, command }) = Contestant::named("tbp:my-bot --fast", &none) else {
            panic!("a program")
        };
        assert_eq!(
            (name.as_str(), command.as_slice()),
            ("tbp:my-bot --fast", ["my-bot".into(), "--fast".into()].as_slice())
        );
        assert_eq!(Contestant::named("tbp: ", &none).unwrap_err(), ContestantError::NoCommand);
        assert!(matches!(Contestant::named("nobody", &none), Err(ContestantError::Unknown(_))));
    }
}
