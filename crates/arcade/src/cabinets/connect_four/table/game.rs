//! One game on the table: who sits where, what was played, how it ended.

use std::time::Duration;

use connect_four::{Column, Level, Position};

use crate::cabinets::connect_four::event::{ExplainedTurn, Side};
use crate::cabinets::connect_four::{Colour, GameNumber, Outcome};
use crate::visitor::{Name, Token};

/// Who plays a side.
#[derive(Clone, Debug, PartialEq)]
pub enum Seated {
    /// A visitor.
    Human {
        /// Who.
        token: Token,
        /// By which name.
        name: Name,
    },
    /// The machine.
    Machine(Level),
    /// A visitor who went away; the name stays on the result.
    Left(Name),
}

impl Seated {
    pub(super) fn side(&self) -> Side {
        match self {
            Seated::Human { name, .. } | Seated::Left(name) => Side { name: name.to_string(), level: None },
            Seated::Machine(level) => Side { name: format!("Gamebot {}", level.name()), level: Some(*level) },
        }
    }

    pub(super) fn token(&self) -> Option<&Token> {
        match self {
            Seated::Human { token, .. } => Some(token),
            Seated::Machine(_) | Seated::Left(_) => None,
        }
    }
}

/// A game on the table.
#[derive(Clone, Debug)]
pub(super) struct Game {
    pub(super) number: GameNumber,
    pub(super) red: Seated,
    pub(super) yellow: Seated,
    pub(super) moves: Vec<Column>,
    pub(super) position: Position,
    pub(super) started_at: Duration,
    /// Since when the side to move could have moved.
    pub(super) turn_since: Duration,
    /// The open question to the player to move.
    pub(super) asked: bool,
    /// A machine's turn that waits for the robot or for its time.
    pub(super) decided: Option<Box<ExplainedTurn>>,
    pub(super) result: Option<Outcome>,
    pub(super) ended_at: Duration,
    pub(super) rematch_wanted: Vec<Token>,
}

impl Game {
    pub(super) fn new(number: GameNumber, red: Seated, yellow: Seated, now: Duration) -> Game {
        Game {
            number,
            red,
            yellow,
            moves: Vec::new(),
            position: Position::EMPTY,
            started_at: now,
            turn_since: now,
            asked: false,
            decided: None,
            result: None,
            ended_at: now,
            rematch_wanted: Vec::new(),
        }
    }

    pub(super) fn seated(&self, disc: Colour) -> &Seated {
        match disc {
            Colour::Red => &self.red,
            Colour::Yellow => &self.yellow,
        }
    }

    pub(super) fn disc_of(&self, token: &Token) -> Option<Colour> {
        Colour::BOTH.into_iter().find(|disc| self.seated(*disc).token() == Some(token))
    }

    pub(super) fn to_move(&self) -> Colour {
        self.position.to_move().into()
    }

    pub(super) fn is_demo(&self) -> bool {
        matches!((&self.red, &self.yellow), (Seated::Machine(_), Seated::Machine(_)))
    }

    pub(super) fn is_over(&self) -> bool {
        self.result.is_some()
    }

    pub(super) fn humans(&self) -> impl Iterator<Item = (Colour, &Token, &Name)> {
        [(Colour::Red, &self.red), (Colour::Yellow, &self.yellow)].into_iter().filter_map(|(disc, seated)| {
            match seated {
                Seated::Human { token, name } => Some((disc, token, name)),
                Seated::Machine(_) | Seated::Left(_) => None,
            }
        })
    }
}
