//! Combines book and solver: exact answers about any position.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use budget::Budget;
use serde::{Deserialize, Serialize};

use crate::book::Book;
use crate::{CELLS, COLUMNS, Column, Exhausted, Position, Solver};

/// The exact values of an open position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Analysis {
    /// The score for the player to move: n for a win with their n-th last disc, 0 for a draw, −n for a loss.
    pub score: i32,
    /// The score of each column; `None` if it is full.
    pub columns: [Option<i32>; COLUMNS],
    /// The columns that reach the score, centre first.
    pub best: Vec<Column>,
    /// Nodes searched.
    pub nodes: u64,
}

/// Answers from the book if possible, otherwise from the solver.
#[derive(Debug)]
pub struct Analyst {
    book: Option<&'static Book>,
    solver: Solver,
    threads: usize,
}

impl Analyst {
    /// An analyst whose table may use `table_bytes` of memory.
    pub fn new(table_bytes: usize) -> Self {
        Self { book: Some(Book::embedded()), solver: Solver::new(table_bytes), threads: 1 }
    }

    /// The same without the book.
    #[must_use]
    pub fn without_book(mut self) -> Self {
        self.book = None;
        self
    }

    /// The same with several threads; answers stay the same, node counts do not.
    #[must_use]
    pub fn with_threads(mut self, threads: usize) -> Self {
        self.threads = threads.max(1);
        self
    }

    /// Forgets earlier positions.
    pub fn clear(&mut self) {
        self.solver.clear();
    }

    /// Nodes searched since the analyst was created.
    pub fn nodes(&self) -> u64 {
        self.solver.nodes()
    }

    /// The exact score; also for a position in which the game has ended.
    ///
    /// ```
    /// use budget::Budget;
    /// use connect_four::{Analyst, Position};
    ///
    /// // The first player wins from the empty board, with their very last disc. The book knows.
    /// let score = Analyst::new(1 << 24).score(&Position::EMPTY, &Budget::unlimited())?;
    /// assert_eq!(score, 1);
    /// # Ok::<(), connect_four::Exhausted>(())
    /// ```
    pub fn score(&mut self, position: &Position, budget: &Budget) -> Result<i32, Exhausted> {
        if let Some(score) = self.score_at_hand(position) {
            return Ok(score);
        }
        if self.threads > 1 {
            return self.solver.score_by_threads(position, self.threads, budget);
        }
        self.solver.score(position, budget)
    }

    /// The exact score if it needs no search.
    fn score_at_hand(&self, position: &Position) -> Option<i32> {
        ended(position).or_else(|| self.book.and_then(|book| book.score(position)))
    }

    /// The exact score and one column that reaches it.
    pub fn best(&mut self, position: &Position, budget: &Budget) -> Result<(i32, Option<Column>), Exhausted> {
        if let Some(score) = ended(position) {
            return Ok((score, None));
        }
        if let Some(book) = self.book {
            if let Some(columns) = book.columns(position) {
                let analysis = Analysis::of(columns, 0);
                return Ok((analysis.score, analysis.best.first().copied()));
            }
            if let Some(found) = book.line_move(position) {
                return Ok((found.score, Some(found.column)));
            }
        }
        self.solver.best(position, budget)
    }

    /// The exact scores of all columns, if the book has them.
    pub fn columns_at_hand(&self, position: &Position) -> Option<[Option<i32>; COLUMNS]> {
        self.book.and_then(|book| book.columns(position))
    }

    /// The column with which the book's lines continue.
    pub fn line_column(&self, position: &Position) -> Option<Column> {
        self.book.and_then(|book| book.line_move(position)).map(|entry| entry.column)
    }

    /// The exact scores of all columns.
    ///
    /// ```
    /// use budget::Budget;
    /// use connect_four::{Analyst, Position};
    ///
    /// let analysis = Analyst::new(1 << 24).analyse(&Position::EMPTY, &Budget::unlimited())?;
    /// // Only the centre wins; columns 3 and 5 draw.
    /// assert_eq!(analysis.columns, [-2, -1, 0, 1, 0, -1, -2].map(Some));
    /// # Ok::<(), connect_four::Exhausted>(())
    /// ```
    pub fn analyse(&mut self, position: &Position, budget: &Budget) -> Result<Analysis, Exhausted> {
        if let Some(columns) = self.book.and_then(|book| book.columns(position)) {
            return Ok(Analysis::of(columns, 0));
        }
        let before = self.solver.nodes();
        let columns = if self.threads > 1 {
            self.columns_by_threads(position, budget)?
        } else {
            let mut columns = [None; COLUMNS];
            for column in position.legal() {
                columns[column.index()] = Some(-self.score(&position.after(column), budget)?);
            }
            columns
        };
        Ok(Analysis::of(columns, self.solver.nodes() - before))
    }

    /// The moves of perfect play by both sides from here; of equally good columns, the first one found.
    pub fn line(&mut self, position: &Position, budget: &Budget) -> Result<Vec<Column>, Exhausted> {
        let (mut position, mut line) = (*position, Vec::new());
        while let (_, Some(column)) = self.best(&position, budget)? {
            line.push(column);
            position = position.after(column);
        }
        Ok(line)
    }

    /// Each thread takes the next column, and when there is none left it helps with an unfinished
    /// one; all share the table.
    fn columns_by_threads(
        &mut self,
        position: &Position,
        budget: &Budget,
    ) -> Result<[Option<i32>; COLUMNS], Exhausted> {
        let (mut columns, mut open) = ([None; COLUMNS], Vec::new());
        for column in Column::CENTRE_FIRST.into_iter().filter(|&column| position.has_room(column)) {
            let child = position.after(column);
            match self.score_at_hand(&child) {
                Some(score) => columns[column.index()] = Some(-score),
                None => open.push((column, child, AtomicBool::new(false))),
            }
        }
        let next = AtomicUsize::new(0);
        let shared = self.solver.shared(position.discs() + 1);
        let work = || {
            let (mut scores, mut spent) = (Vec::new(), 0);
            loop {
                let own = open.get(next.fetch_add(1, Ordering::Relaxed));
                let under_way = || open.iter().rfind(|(.., finished)| !finished.load(Ordering::Relaxed));
                let Some((column, child, finished)) = own.or_else(under_way) else {
                    return (Ok(scores), spent);
                };
                let (score, nodes) = shared.score_unless(child, own.is_none(), finished, budget);
                spent += nodes;
                match score {
                    Ok(Some(score)) => scores.push((*column, -score)),
                    Ok(None) => (),
                    Err(exhausted) => return (Err(exhausted), spent),
                }
            }
        };
        let found: Vec<(Result<Vec<_>, _>, u64)> = std::thread::scope(|scope| {
            let others: Vec<_> = (1..self.threads).map(|_| scope.spawn(work)).collect();
            let first = work();
            let others =
                others.into_iter().map(|thread| thread.join().unwrap_or((Err(Exhausted { nodes: 0 }), 0)));
            others.chain([first]).collect()
        });
        self.solver.count_nodes(found.iter().map(|(_, nodes)| nodes).sum());
        for (scores, _) in found {
            for (column, score) in scores? {
                columns[column.index()] = Some(score);
            }
        }
        Ok(columns)
    }
}

impl Analysis {
    fn of(columns: [Option<i32>; COLUMNS], nodes: u64) -> Self {
        let score = columns.iter().flatten().copied().max().unwrap_or(0);
        let best = Column::CENTRE_FIRST.into_iter().filter(|c| columns[c.index()] == Some(score)).collect();
        Self { score, columns, best, nodes }
    }
}

/// The score of a position in which nobody can move.
fn ended(position: &Position) -> Option<i32> {
    if position.is_won() {
        // The opponent won with the previous disc.
        return Some(-((CELLS as i32 + 2 - position.discs() as i32) / 2));
    }
    (position.discs() == CELLS).then_some(0)
}
