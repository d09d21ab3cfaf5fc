//! The machine as an opponent: chooses a column at a level and says why.

mod adaptive;
mod level;
mod reason;
mod remark;

use budget::Budget;
use rand::{Rng, RngExt};
use serde::{Deserialize, Serialize};

pub use adaptive::{Aim, Visitor, VisitorResult};
pub use level::{Level, MachineSettings, SearchLevel, UnknownLevel};
pub use reason::Reason;
use reason::{Knowledge, reason};
pub use remark::remark;

use crate::exhibition::{self, Found, Node};
use crate::{Analyst, COLUMNS, Column, Exhausted, Outlook, Position};

/// Discs from which on the scores of all columns are cheap enough to be asked for at every turn.
const EXACT_FROM: u32 = 12;

/// A choice with its explanation (C9).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decision {
    /// Where the disc goes.
    pub column: Column,
    /// The value of each column, as far as known; for the bars of the watch page.
    pub columns: [Option<i32>; COLUMNS],
    /// The same as outcome and distance, for people.
    pub outlooks: [Option<Outlook>; COLUMNS],
    /// What these values are.
    pub values: Values,
    /// The moves both sides are expected to play, the chosen one first.
    pub line: Vec<Column>,
    /// The tree of the search that decided, down to the display depth; none where exact scores decided.
    pub tree: Option<Node>,
    /// Whether this is the best column the machine knew.
    pub intent: Intent,
    /// Why, in one sentence.
    pub reason: Reason,
    /// Positions searched.
    pub nodes: u64,
}

/// How a choice relates to what the machine knew.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Intent {
    /// No column was better.
    Best,
    /// A bad move, as EASY makes them now and then.
    Slip,
    /// A worse column, so that the visitor may win: ADAPTIVE.
    Yields,
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
    settings: MachineSettings,
    analyst: Analyst,
    /// What the adaptive level remembers; set it before a game, tell it of moves and endings.
    pub visitor: Visitor,
}

impl Machine {
    /// A machine with these numbers.
    pub fn new(settings: MachineSettings) -> Self {
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
        let intent = if slip { Intent::Slip } else { Intent::Best };
        Ok(Self::by_points(position, found, column, intent))
    }

    /// What the machine would play in somebody else's place: by exact scores if they take at most `nodes`, otherwise as
    /// HARD does. With it the machine comments on a game between people.
    pub fn advise(
        &mut self,
        position: &Position,
        rng: &mut impl Rng,
        nodes: u64,
    ) -> Result<Decision, ChooseError> {
        if position.is_over() {
            return Err(ChooseError::GameIsOver);
        }
        let before = self.analyst.nodes();
        match self.analyst.analyse(position, &Budget::nodes(nodes)) {
            Ok(analysis) => {
                let column = pick(&analysis.best, rng).ok_or(ChooseError::GameIsOver)?;
                Ok(self.by_scores(position, column, analysis.columns, Intent::Best, before))
            }
            Err(Exhausted { .. }) => self.choose_by(position, &self.settings.hard, rng, &Budget::unlimited()),
        }
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
        Ok(self.by_scores(position, column, columns, Intent::Best, before))
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
        // So early the points of a shallow search tell as much as a visitor sees.
        let found = match exact {
            Some(_) => None,
            None => Some(self.found(position, &self.settings.medium.search, budget)?),
        };
        let columns = exact.or(found.as_ref().map(|found| found.columns)).unwrap_or_default();
        let column =
            adaptive::choose(position, &columns, &mut self.visitor, rng).ok_or(ChooseError::GameIsOver)?;
        let best = columns.iter().flatten().max();
        let intent = if columns[column.index()].as_ref() == best { Intent::Best } else { Intent::Yields };
        Ok(match found {
            Some(found) => Self::by_points(position, found, column, intent),
            None => self.by_scores(position, column, columns, intent, before),
        })
    }

    /// A decision for `column` by exact scores.
    fn by_scores(
        &mut self,
        position: &Position,
        column: Column,
        columns: [Option<i32>; COLUMNS],
        intent: Intent,
        nodes_before: u64,
    ) -> Decision {
        let outlooks = columns.map(|score| score.map(|score| Outlook::of_score(position, score)));
        let nodes = self.analyst.nodes() - nodes_before;
        let reason = reason(position, column, &Knowledge { columns: &columns, outlooks: &outlooks, intent });
        let line = self.line(position, column);
        Decision {
            column,
            columns,
            outlooks,
            values: Values::Scores,
            line,
            tree: None,
            intent,
            reason,
            nodes,
        }
    }

    /// A decision for `column` by a search, which need not be the column that the search likes best.
    fn by_points(position: &Position, found: Found, column: Column, intent: Intent) -> Decision {
        let known = Knowledge { columns: &found.columns, outlooks: &found.outlooks, intent };
        Decision {
            column,
            columns: found.columns,
            outlooks: found.outlooks,
            values: Values::Points,
            line: found.lines[column.index()].clone(),
            nodes: found.nodes,
            intent,
            reason: reason(position, column, &known),
            tree: Some(found.into_tree(column)),
        }
    }

    /// Perfect play from `column` on, as far as it is quickly known.
    fn line(&mut self, position: &Position, column: Column) -> Vec<Column> {
        let budget = Budget::nodes(LINE_NODES);
        let (mut line, mut position) = (vec![column], position.after(column));
        while line.len() < LONGEST_LINE
            && let Ok((_, Some(next))) = self.analyst.best(&position, &budget)
        {
            line.push(next);
            position = position.after(next);
        }
        line
    }

    fn found(
        &self,
        position: &Position,
        search: &exhibition::SearchSettings,
        budget: &Budget,
    ) -> Result<Found, ChooseError> {
        let found = exhibition::search(position, search, self.settings.display_depth, budget)?;
        found.ok_or(ChooseError::GameIsOver)
    }
}

/// Discs from which on perfect play asks for all columns, to vary among equals.
const EXACT_FROM_PERFECT: u32 = 18;
/// What the expected line behind an exact decision may cost …
const LINE_NODES: u64 = 20_000;
/// … and how much of it people can take in.
const LONGEST_LINE: usize = 8;

fn pick(columns: &[Column], rng: &mut impl Rng) -> Option<Column> {
    if columns.is_empty() { None } else { Some(columns[rng.random_range(0..columns.len())]) }
}
