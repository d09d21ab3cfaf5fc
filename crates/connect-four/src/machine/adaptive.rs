//! The level that lets its visitor win about half of the games (X4).
//!
//! Before each game the machine sets itself an aim: to win or to be beaten,
//! whichever brings the visitor's share of the points closer to one half. To
//! win it plays the best exact score. To be beaten it walks into a position
//! that is lost, and the weaker the visitor, the nearer the loss: nobody is
//! given a win that he will not find.
//!
//! It is never obviously silly: it always completes its own four, and it
//! blocks a four the visitor could complete, except where a visitor who often
//! overlooks his chances has just done so: then both have not seen it. For a
//! visitor who overlooks most of them, a child perhaps, it goes further: it
//! builds the visitor's lines, and does not see its own four either.

use rand::{Rng, RngExt};
use serde::{Deserialize, Serialize};

use crate::exhibition::Evaluation;
use crate::{COLUMNS, Column, Grid7x6, Position};

/// What is remembered about a visitor, or about all visitors together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Visitor {
    /// Games finished.
    pub games: u32,
    /// Games won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Turns at which the visitor could have completed four.
    pub chances: u32,
    /// Chances taken.
    pub taken: u32,
    /// What the machine aims at in the present game.
    pub aim: Option<Aim>,
}

/// What the machine wants of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Aim {
    /// To win.
    Win,
    /// To be beaten.
    BeBeaten,
}

/// A game's result for the visitor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum VisitorResult {
    /// The visitor won.
    VisitorWon,
    /// The board is full.
    Drawn,
    /// The machine won.
    MachineWon,
}

impl Visitor {
    /// Remembers a move of the visitor in the position before it.
    pub fn moved(&mut self, before: &Position, column: Column) {
        if before.winning_cells() & Grid7x6::playable(before.occupied()) != 0 {
            self.chances += 1;
            self.taken += u32::from(before.wins_with(column));
        }
    }

    /// Remembers how a game ended.
    pub fn ended(&mut self, ending: VisitorResult) {
        self.games += 1;
        match ending {
            VisitorResult::VisitorWon => self.wins += 1,
            VisitorResult::Drawn => self.draws += 1,
            VisitorResult::MachineWon => {}
        }
        self.aim = None;
    }

    /// The aim of the present game; set at the machine's first move of it.
    fn aim(&mut self, rng: &mut impl Rng) -> Aim {
        let (won, half) = (2 * self.wins + self.draws, self.games);
        *self.aim.get_or_insert_with(|| match won.cmp(&half) {
            std::cmp::Ordering::Less => Aim::BeBeaten,
            std::cmp::Ordering::Greater => Aim::Win,
            std::cmp::Ordering::Equal => {
                if rng.random_bool(0.5) {
                    Aim::BeBeaten
                } else {
                    Aim::Win
                }
            }
        })
    }

    /// The share of chances the visitor takes, with a sharp visitor assumed at first.
    fn sharpness(&self) -> f64 {
        f64::from(self.taken + 2) / f64::from(self.chances + 2)
    }
}

/// Below this sharpness a visitor counts as one who overlooks his chances.
const DREAMY: f64 = 0.75;
/// At this sharpness and below, as one who would not win without help.
const LOST_IN_DREAMS: f64 = 0.5;

/// The column that serves the aim, from the machine's score of each column.
pub(super) fn choose(
    position: &Position,
    scores: &[Option<i32>; COLUMNS],
    visitor: &mut Visitor,
    rng: &mut impl Rng,
) -> Option<Column> {
    let open: Vec<(i32, Column)> =
        Column::CENTRE_FIRST.into_iter().filter_map(|c| scores[c.index()].map(|score| (score, c))).collect();
    let aim = visitor.aim(rng);
    if aim == Aim::BeBeaten && visitor.sharpness() <= LOST_IN_DREAMS {
        return help(position, &open, rng);
    }
    if let Some(&(_, column)) = open.iter().find(|(_, column)| position.wins_with(*column)) {
        return Some(column);
    }
    let dreamy = visitor.sharpness() < DREAMY;
    let playable = Grid7x6::playable(position.occupied());
    let must_block = position.threatened_cells() & playable;
    let sane = |column: &Column| {
        let cell = playable & Grid7x6::column(column.index());
        let lets_win =
            position.after(*column).winning_cells() & Grid7x6::playable(position.occupied() | cell) != 0;
        dreamy || (if must_block != 0 { cell & must_block != 0 } else { !lets_win })
    };
    let sane: Vec<(i32, Column)> = open.iter().copied().filter(|(_, column)| sane(column)).collect();
    let pool = if sane.is_empty() { open } else { sane };
    let wanted = match aim {
        Aim::Win => pool.iter().map(|(score, _)| *score).max(),
        Aim::BeBeaten => be_beaten(&pool, dreamy),
    }?;
    let equal: Vec<Column> =
        pool.iter().filter(|(score, _)| *score == wanted).map(|(_, column)| *column).collect();
    equal.get(rng.random_range(0..equal.len().max(1))).copied()
}

/// The column after which the visitor has most ways to complete four, and the best lines.
fn help(position: &Position, open: &[(i32, Column)], rng: &mut impl Rng) -> Option<Column> {
    let worth = |column: Column| {
        let after = position.after(column);
        let chances = after.winning_cells() & Grid7x6::playable(after.occupied());
        (!position.wins_with(column), chances.count_ones(), Evaluation::EXHIBITION.of(&after))
    };
    let most = open.iter().map(|(_, column)| worth(*column)).max()?;
    let equal: Vec<Column> =
        open.iter().map(|(_, column)| *column).filter(|column| worth(*column) == most).collect();
    equal.get(rng.random_range(0..equal.len().max(1))).copied()
}

/// The score to steer for: a lost one, soon for the dreamy and not too far for
/// the sharp; the least won one where nothing loses.
fn be_beaten(pool: &[(i32, Column)], dreamy: bool) -> Option<i32> {
    let mut lost: Vec<i32> = pool.iter().map(|(score, _)| *score).filter(|score| *score < 0).collect();
    lost.sort_unstable();
    if dreamy { lost.first().copied() } else { lost.get(lost.len() / 2).copied() }
        .or_else(|| pool.iter().map(|(score, _)| *score).min())
}
