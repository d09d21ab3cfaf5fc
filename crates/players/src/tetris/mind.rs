//! Who chooses the places: our own player, another built-in one, or a plug-in (G22).

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use plugins::contestant::{Contestant, ContestantError, plugins_of};
use plugins::tbp::{Bot, BotError};
use tetris::Board;
use tetris::arena::{Player, Rules, UseEvaluator};
use tetris::evaluate::{Evaluator, Learned, Situation, ours};
use tetris::features::Placed;
use tetris::gameboy::{Mode, Setup};
use tetris::reach::Timing;
use tetris::search::Depth;
use thiserror::Error;

/// Time limit for each answer of a program.
const ANSWER_LIMIT: Duration = Duration::from_secs(2);

/// Judges boards, and how far it looks ahead; or a program that names places itself.
#[derive(Debug)]
pub struct Mind {
    pub(super) judge: Judge,
    pub(super) depth: Depth,
    pub(super) program: Option<Bot>,
}

/// Why there is no such mind.
#[derive(Debug, Error)]
pub enum MindError {
    /// Nobody has this name.
    #[error(transparent)]
    Unknown(#[from] ContestantError),
    /// The program does not start.
    #[error(transparent)]
    Program(#[from] BotError),
    /// Who asked for the program may not start one.
    #[error(
        "“{0}” is a program; programs are started when the command line names them, not by recordings or pages"
    )]
    Refused(String),
}

/// Whether a name may start a program: recordings and pages come from others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Programs {
    /// It may.
    Started,
    /// It may not.
    Refused,
}

impl Mind {
    /// Our own.
    pub fn ours() -> Mind {
        Mind { judge: Judge::Learned(Learned::ours()), depth: ours::DEPTH, program: None }
    }

    /// The one with this name: a built-in player, a plug-in of the folder, or `tbp:COMMAND`.
    pub fn named(name: &str, folder: Option<&Path>, programs: Programs) -> Result<Mind, MindError> {
        let plugins = plugins_of(folder)?;
        for (path, reason) in &plugins.broken {
            tracing::warn!("{}: skipped: {reason}", path.display());
        }
        Ok(match Contestant::named(name, &plugins)? {
            Contestant::BuiltIn(Player::Ours) => Mind::ours(),
            Contestant::BuiltIn(player) => {
                let (judge, depth) = player.with_evaluator(&gameboy_rules(), TakeEvaluator);
                Mind { judge, depth, program: None }
            }
            Contestant::Evaluator(evaluator) => {
                Mind { judge: Judge::Other(Arc::new(evaluator)), depth: Depth::Two, program: None }
            }
            Contestant::Learned { evaluator, .. } => {
                Mind { judge: Judge::Learned(evaluator), depth: ours::DEPTH, program: None }
            }
            Contestant::Program { name, .. } if programs == Programs::Refused => {
                return Err(MindError::Refused(name));
            }
            Contestant::Program { command, .. } => {
                Mind { program: Some(Bot::start(&command, ANSWER_LIMIT)?), ..Mind::ours() }
            }
        })
    }

    /// The same for the other side of the field: two identical players with the same pieces would never finish.
    #[must_use]
    pub(super) fn mirrored(self) -> Mind {
        let judge = match self.judge {
            Judge::Learned(learned) => Judge::Learned(learned.mirrored()),
            other @ Judge::Other(_) => other,
        };
        Mind { judge, ..self }
    }
}

/// Judges boards.
#[derive(Clone)]
pub enum Judge {
    /// By learned tables.
    Learned(Learned),
    /// In any other way.
    Other(Arc<dyn Evaluator + Send>),
}

impl Evaluator for Judge {
    fn prepare(&mut self, situation: &Situation<'_>) {
        match self {
            Judge::Learned(learned) => learned.prepare(situation),
            // The others judge all situations alike.
            Judge::Other(_) => {}
        }
    }

    #[inline(always)]
    fn board_value(&self, board: &Board) -> f32 {
        match self {
            Judge::Learned(learned) => learned.board_value(board),
            Judge::Other(other) => other.board_value(board),
        }
    }

    #[inline(always)]
    fn move_value(&self, placed: &Placed) -> f32 {
        match self {
            Judge::Learned(learned) => learned.move_value(placed),
            Judge::Other(other) => other.move_value(placed),
        }
    }
}

impl std::fmt::Debug for Judge {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Judge::Learned(_) => "Judge::Learned",
            Judge::Other(_) => "Judge::Other",
        })
    }
}

/// Built-in players ask the rules for the height of the field only.
fn gameboy_rules() -> Rules {
    Rules::GameBoy {
        setup: Setup::new(Mode::A, 0, false).unwrap_or_else(|_| Setup::versus()),
        timing: Timing::from_ms(75.0),
    }
}

struct TakeEvaluator;

impl UseEvaluator for TakeEvaluator {
    type Output = (Judge, Depth);

    fn with<E: Evaluator + Clone + Send + 'static>(self, evaluator: E, depth: Depth) -> (Judge, Depth) {
        (Judge::Other(Arc::new(evaluator)), depth)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn built_in_players_judge_as_they_do_in_a_comparison() {
        let board = Board::parse("#.........\n..........\n##.......#").unwrap();
        let lee = Mind::named("lee", None, Programs::Refused).unwrap();
        let published = tetris::evaluate::Lee::PUBLISHED;
        assert!((lee.judge.board_value(&board) - published.board_value(&board)).abs() < 1e-6);
        assert_eq!(lee.depth, Depth::Two);
        assert!(matches!(Mind::named("ours", None, Programs::Refused).unwrap().judge, Judge::Learned(_)));
    }

    #[test]
    fn what_is_missing_is_named() {
        let unknown = Mind::named("nobody", None, Programs::Refused).unwrap_err().to_string();
        assert!(unknown.contains("nobody") && unknown.contains("bcts"), "{unknown}");
        let folder =
            Mind::named("ours", Some(Path::new("/nowhere")), Programs::Refused).unwrap_err().to_string();
        assert!(folder.contains("no such folder"), "{folder}");
        let program = Mind::named("tbp:/nowhere/bot", None, Programs::Started).unwrap_err().to_string();
        assert!(program.contains("cannot start"), "{program}");
        let refused = Mind::named("tbp:true", None, Programs::Refused).unwrap_err();
        assert!(matches!(refused, MindError::Refused(_)), "{refused}");
    }
}
