//! Games between levels and simulated visitors.

use std::fmt;
use std::str::FromStr;

use budget::Budget;
use rand::{Rng, RngExt};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

use crate::exhibition::{self, SearchSettings};
use crate::{
    ChooseError, Column, Level, Machine, MachineSettings, Outcome, Player, Position, SearchLevel,
    UnknownLevel, Values, Visitor, VisitorResult,
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

    /// Ten strengths of visitors, weakest first: from any column to six discs ahead without a slip.
    pub const STRENGTHS: [&'static str; 10] = [
        "random",
        "depth-1-slips-50",
        "depth-1-slips-25",
        "depth-2-slips-33",
        "depth-2",
        "depth-4-slips-25",
        "depth-4-slips",
        "depth-4",
        "depth-6-slips",
        "depth-6",
    ];
}

/// A visitor's name: `depth-6` looks six discs ahead, `-slips` slips in a tenth of the moves, `-slips-25` in a quarter.
fn visitor(name: &str) -> Option<SearchLevel> {
    let mut words = name.strip_prefix("depth-")?.split('-');
    let depth = words.next()?.parse().ok().filter(|depth| (1..=12).contains(depth))?;
    let percent = match (words.next(), words.next(), words.next()) {
        (None, None, None) => 0,
        (Some("slips"), None, None) => 10,
        (Some("slips"), Some(percent), None) => percent.parse().ok().filter(|percent| *percent <= 100)?,
        _ => return None,
    };
    Some(SearchLevel { search: SearchSettings::exhibition(depth), bad_moves: f64::from(percent) / 100.0 })
}

impl FromStr for Contestant {
    type Err = UnknownLevel;

    fn from_str(name: &str) -> Result<Self, UnknownLevel> {
        if name == "random" {
            return Ok(Self::Random);
        }
        visitor(name).map(Self::Visitor).map_or_else(|| name.parse().map(Self::Level), Ok)
    }
}

impl fmt::Display for Contestant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Level(level) => level.fmt(f),
            Self::Random => f.pad("random"),
            Self::Visitor(visitor) => match visitor.search.depth {
                exhibition::Depth::Fixed(depth) => match (visitor.bad_moves * 100.0).round() {
                    0.0 => f.pad(&format!("depth-{depth}")),
                    10.0 => f.pad(&format!("depth-{depth}-slips")),
                    percent => f.pad(&format!("depth-{depth}-slips-{percent}")),
                },
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
    pub fn new(contestant: Contestant, settings: MachineSettings) -> Self {
        Self { contestant, machine: Machine::new(settings) }
    }

    /// Somebody new sits opposite: what was remembered of the last visitor is forgotten.
    pub fn meet_another(&mut self) {
        self.machine.visitor = Visitor::default();
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

fn ending(winner: Option<Player>, visitor: Player) -> VisitorResult {
    match winner {
        Some(winner) if winner == visitor => VisitorResult::VisitorWon,
        Some(_) => VisitorResult::MachineWon,
        None => VisitorResult::Drawn,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contestants_are_read_back() {
        for name in Contestant::STRENGTHS.iter().chain(&Contestant::VISITORS).chain(&["hard", "adaptive"]) {
            assert_eq!(name.parse::<Contestant>().unwrap().to_string(), *name);
        }
        for wrong in
            ["depth-", "depth-0", "depth-99", "depth-4-slips-101", "depth-4-slips-5-5", "depth-4-sleeps"]
        {
            assert!(wrong.parse::<Contestant>().is_err(), "{wrong}");
        }
    }
}
