//! Games between levels and simulated visitors.

use std::fmt;
use std::str::FromStr;

use budget::Budget;
use rand::{Rng, RngExt};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

use crate::exhibition::{self, Settings as Search};
use crate::{
    ChooseError, Column, Ending, Level, Machine, Outcome, Player, Position, SearchLevel, Settings,
    UnknownLevel, Values,
};

/// Someone who plays in the arena.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Contestant {
    /// The machine at a level.
    Level(Level),
    /// Any column.
    Random,
    /// A visitor who looks ahead and sometimes slips.
    Visitor(SearchLevel),
}

impl Contestant {
    /// The four visitors the adaptive level is tried on: random, depth 2,
    /// depth 4, and depth 6 with a slip in ten moves.
    pub const VISITORS: [&'static str; 4] = ["random", "depth-2", "depth-4", "depth-6-slips"];
}

impl FromStr for Contestant {
    type Err = UnknownLevel;

    fn from_str(name: &str) -> Result<Self, UnknownLevel> {
        let visitor =
            |depth, bad_moves| Self::Visitor(SearchLevel { search: Search::exhibition(depth), bad_moves });
        match name {
            "random" => Ok(Self::Random),
            "depth-2" => Ok(visitor(2, 0.0)),
            "depth-4" => Ok(visitor(4, 0.0)),
            "depth-6-slips" => Ok(visitor(6, 0.1)),
            _ => name.parse().map(Self::Level),
        }
    }
}

impl fmt::Display for Contestant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Level(level) => level.fmt(f),
            Self::Random => f.pad("random"),
            Self::Visitor(visitor) => match visitor.search.depth {
                exhibition::Depth::Fixed(depth) if visitor.bad_moves > 0.0 => {
                    f.pad(&format!("depth-{depth}-slips"))
                }
                exhibition::Depth::Fixed(depth) => f.pad(&format!("depth-{depth}")),
                exhibition::Depth::ByEmptyCells { .. } => f.pad("depth-by-cells"),
            },
        }
    }
}

/// A game that was played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    /// Its moves.
    pub moves: Vec<Column>,
    /// Who won; none for a draw.
    pub winner: Option<Player>,
    /// At each move decided by exact scores: who moved, and his score.
    pub scores: Vec<(Player, i32)>,
}

/// A contestant with what it remembers between games.
#[derive(Debug)]
pub struct Seat {
    contestant: Contestant,
    machine: Machine,
}

impl Seat {
    /// A seat for a contestant.
    pub fn new(contestant: Contestant, settings: Settings) -> Self {
        Self { contestant, machine: Machine::new(settings) }
    }

    /// The machine that plays or only watches.
    pub fn machine(&self) -> &Machine {
        &self.machine
    }

    fn choose(
        &mut self,
        position: &Position,
        rng: &mut impl Rng,
        budget: &Budget,
    ) -> Result<(Column, Option<i32>), ChooseError> {
        match self.contestant {
            Contestant::Random => any_column(position, rng),
            // Searchers would play the same few games over and over: their first
            // disc, of which they know nothing, is drawn.
            Contestant::Visitor(_)
            | Contestant::Level(Level::Easy | Level::Medium | Level::Hard | Level::Lego)
                if position.discs() < 2 =>
            {
                any_column(position, rng)
            }
            Contestant::Level(level) => {
                let decision = self.machine.choose(position, level, rng, budget)?;
                let exact = decision.values == Values::Scores;
                Ok((decision.column, decision.columns[decision.column.index()].filter(|_| exact)))
            }
            Contestant::Visitor(visitor) => {
                Ok((self.machine.choose_by(position, &visitor, rng, budget)?.column, None))
            }
        }
    }
}

fn any_column(position: &Position, rng: &mut impl Rng) -> Result<(Column, Option<i32>), ChooseError> {
    let open: Vec<Column> = position.legal().collect();
    if open.is_empty() {
        return Err(ChooseError::GameIsOver);
    }
    Ok((open[rng.random_range(0..open.len())], None))
}

/// Plays one game; the same seats, memories and seed give the same game.
pub fn play(first: &mut Seat, second: &mut Seat, seed: u64, budget: &Budget) -> Result<Game, ChooseError> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut position = Position::EMPTY;
    let mut game = Game { moves: Vec::new(), winner: None, scores: Vec::new() };
    while !position.is_over() {
        let player = position.to_move();
        let (mover, watcher) = match player {
            Player::First => (&mut *first, &mut *second),
            Player::Second => (&mut *second, &mut *first),
        };
        let (column, score) = mover.choose(&position, &mut rng, budget)?;
        watcher.machine.visitor.moved(&position, column);
        game.scores.extend(score.map(|score| (player, score)));
        game.moves.push(column);
        position = position.after(column);
    }
    if let Outcome::Won { winner, .. } = position.outcome() {
        game.winner = Some(winner);
    }
    first.machine.visitor.ended(ending(game.winner, Player::Second));
    second.machine.visitor.ended(ending(game.winner, Player::First));
    Ok(game)
}

fn ending(winner: Option<Player>, visitor: Player) -> Ending {
    match winner {
        Some(winner) if winner == visitor => Ending::VisitorWon,
        Some(_) => Ending::MachineWon,
        None => Ending::Drawn,
    }
}
