//! The machine as an opponent: chooses a column at a level and says why.

mod adaptive;
mod level;
mod reason;

use budget::Budget;
use rand::{Rng, RngExt};
use serde::{Deserialize, Serialize};

pub use adaptive::{Aim, Ending, Visitor};
pub use level::{Level, SearchLevel, Settings, UnknownLevel};
pub use reason::Reason;
use reason::{Knowledge, reason};

use crate::exhibition::{self, Found, Node};
use crate::{Analyst, COLUMNS, Column, Exhausted, Position};

/// Discs from which on the scores of all columns are cheap enough to be asked for at every turn.
const EXACT_FROM: u32 = 12;

/// A choice with its explanation (C9).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decision {
    /// Where the disc goes.
    pub column: Column,
    /// The value of each column, as far as known; for the bars of the watch page.
    pub columns: [Option<i32>; COLUMNS],
    /// What these values are.
    pub values: Values,
    /// The moves both sides are expected to play, the chosen one first.
    pub line: Vec<Column>,
    /// The searched tree down to the display depth; perfect play shows the document's tree beside its exact scores.
    pub tree: Option<Node>,
    /// Why, in one sentence.
    pub reason: Reason,
    /// Positions searched.
    pub nodes: u64,
}

/// What the values of a decision mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Values {
    /// Points of the document's evaluation.
    Points,
    /// Exact scores: n for a win with the n-th last disc, 0 for a draw.
    Scores,
}

/// A decision that could not be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ChooseError {
    /// Nobody can move.
    #[error("there is nothing to choose: the game is over")]
    GameIsOver,
    /// Even the shallowest search did not fit into the budget.
    #[error(transparent)]
    Exhausted(#[from] Exhausted),
}

/// An opponent for people and other machines.
#[derive(Debug)]
pub struct Machine {
    settings: Settings,
    analyst: Analyst,
    /// What the adaptive level remembers; set it before a game, tell it of moves and endings.
    pub visitor: Visitor,
}

impl Machine {
    /// A machine with these numbers.
    pub fn new(settings: Settings) -> Self {
        Self { settings, analyst: Analyst::new(settings.table_bytes), visitor: Visitor::default() }
    }

    /// The source of its exact scores.
    pub fn analyst(&mut self) -> &mut Analyst {
        &mut self.analyst
    }

    /// Chooses a column and explains it.
    ///
    /// The same position, level, seed and node budget give the same decision,
    /// as long as the machine has been asked the same before.
    pub fn choose(
        &mut self,
        position: &Position,
        level: Level,
        rng: &mut impl Rng,
        budget: &Budget,
    ) -> Result<Decision, ChooseError> {
        if position.is_over() {
            return Err(ChooseError::GameIsOver);
        }
        match level {
            Level::Easy => self.choose_by(position, &self.settings.easy, rng, budget),
            Level::Medium => self.choose_by(position, &self.settings.medium, rng, budget),
            Level::Hard => self.choose_by(position, &self.settings.hard, rng, budget),
            Level::Lego => self.choose_by(position, &self.settings.lego, rng, budget),
            Level::Perfect => self.perfect(position, rng, budget),
            Level::Adaptive => self.adapt(position, rng, budget),
        }
    }

    /// Chooses as the documents do, with any numbers.
    pub fn choose_by(
        &self,
        position: &Position,
        level: &SearchLevel,
        rng: &mut impl Rng,
        budget: &Budget,
    ) -> Result<Decision, ChooseError> {
        let found = self.found(position, &level.search, budget)?;
        let best = found.columns[found.best.index()];
        let (good, bad): (Vec<Column>, Vec<Column>) =
            position.legal().partition(|column| found.columns[column.index()] == best);
        let slip = level.bad_moves > 0.0 && rng.random_bool(level.bad_moves.clamp(0.0, 1.0));
        let slip = slip && !bad.is_empty();
        let column = pick(if slip { &bad } else { &good }, rng).unwrap_or(found.best);
        let reason = reason(position, column, &Knowledge { exact: None, slip });
        Ok(Self::explained(found, column, reason))
    }

    /// The best exact score; where the scores of all columns are at hand, any of the best columns.
    fn perfect(
        &mut self,
        position: &Position,
        rng: &mut impl Rng,
        budget: &Budget,
    ) -> Result<Decision, ChooseError> {
        let before = self.analyst.nodes();
        let (columns, column) = if let Some(columns) = self.analyst.columns_at_hand(position) {
            (columns, None)
        } else if position.discs() >= EXACT_FROM_PERFECT {
            (self.analyst.analyse(position, budget)?.columns, None)
        } else {
            let (score, column) = self.analyst.best(position, budget)?;
            let mut columns = [None; COLUMNS];
            if let Some(column) = column {
                columns[column.index()] = Some(score);
            }
            (columns, column)
        };
        let score = columns.iter().flatten().copied().max();
        let best: Vec<Column> = position
            .legal()
            .filter(|c| columns[c.index()].is_some() && columns[c.index()] == score)
            .collect();
        // In the opening the lines of the book lead on from one of the equal moves only.
        let column = column.or_else(|| self.analyst.line_column(position)).or_else(|| pick(&best, rng));
        let column = column.ok_or(ChooseError::GameIsOver)?;
        self.exact_decision(position, column, columns, before, budget)
    }

    /// As strong as the visitor.
    fn adapt(
        &mut self,
        position: &Position,
        rng: &mut impl Rng,
        budget: &Budget,
    ) -> Result<Decision, ChooseError> {
        let before = self.analyst.nodes();
        let exact = match self.analyst.columns_at_hand(position) {
            Some(columns) => Some(columns),
            None if position.discs() >= EXACT_FROM => Some(self.analyst.analyse(position, budget)?.columns),
            None => None,
        };
        let Some(columns) = exact else {
            // So early the points of a shallow search tell as much as a visitor sees.
            let found = self.found(position, &self.settings.medium.search, budget)?;
            let column = adaptive::choose(position, &found.columns, &mut self.visitor, rng);
            let column = column.ok_or(ChooseError::GameIsOver)?;
            let reason = reason(position, column, &Knowledge { exact: None, slip: false });
            return Ok(Self::explained(found, column, reason));
        };
        let column =
            adaptive::choose(position, &columns, &mut self.visitor, rng).ok_or(ChooseError::GameIsOver)?;
        self.exact_decision(position, column, columns, before, budget)
    }

    /// A decision by exact scores, with the document's tree beside it.
    fn exact_decision(
        &self,
        position: &Position,
        column: Column,
        columns: [Option<i32>; COLUMNS],
        nodes_before: u64,
        budget: &Budget,
    ) -> Result<Decision, ChooseError> {
        let shown = exhibition::Settings::exhibition(self.settings.display_depth.clamp(1, 4));
        let found = self.found(position, &shown, budget)?;
        let reason = reason(position, column, &Knowledge { exact: Some(&columns), slip: false });
        let nodes = self.analyst.nodes() - nodes_before + found.nodes;
        Ok(Decision { columns, values: Values::Scores, nodes, ..Self::explained(found, column, reason) })
    }

    fn found(
        &self,
        position: &Position,
        search: &exhibition::Settings,
        budget: &Budget,
    ) -> Result<Found, ChooseError> {
        let found = exhibition::search(position, search, self.settings.display_depth, budget)?;
        found.ok_or(ChooseError::GameIsOver)
    }

    /// The decision for `column`, which need not be the one the search likes best.
    fn explained(found: Found, column: Column, reason: Reason) -> Decision {
        Decision {
            column,
            columns: found.columns,
            values: Values::Points,
            line: found.lines[column.index()].clone(),
            nodes: found.nodes,
            tree: Some(found.into_tree(column)),
            reason,
        }
    }
}

/// Discs from which on perfect play asks for all columns, to vary among equals.
const EXACT_FROM_PERFECT: u32 = 18;

fn pick(columns: &[Column], rng: &mut impl Rng) -> Option<Column> {
    if columns.is_empty() { None } else { Some(columns[rng.random_range(0..columns.len())]) }
}
