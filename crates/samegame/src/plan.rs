//! Plans that hold whichever way the columns close.
//!
//! Filled columns close up in their old order under every orientation, so the
//! numbered moves of a solution work for all of them. Only the position of the
//! board on the screen differs, and only once a column has become empty. A plan
//! says when that happens and where each group lies under each orientation, and
//! checks the board that is seen before each move, whatever its orientation.

use crate::board::{Board, Colour};
use crate::replay::{IllegalMove, replay};
use crate::rules::{Orientation, Rules};
use crate::scoring::Scoring;

/// A solution with the cells of its groups under every orientation.
#[derive(Clone, Debug)]
pub struct Plan {
    moves: Vec<usize>,
    /// The move, counted from 1, after which the screen depends on the orientation; `None` if it never does.
    pub depends_after: Option<usize>,
    /// The cells to remove, by orientation and move.
    places: [Vec<Cells>; 3],
    /// The filled columns before each move and after the last, colours in normal form.
    boards: Vec<Vec<Column>>,
}

type Cells = Vec<(usize, usize)>;
type Column = Vec<Colour>;

const ORIENTATIONS: [Orientation; 3] = [Orientation::Left, Orientation::Right, Orientation::Mixed];

/// What to do after a look at the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// Remove the group of this number.
    Move(usize),
    /// Nothing: the plan is complete.
    Done,
    /// The board differs from the planned one: make a new plan from it.
    PlanAgain,
}

impl Plan {
    /// A plan that plays these moves from this board.
    pub fn new(board: &Board, moves: &[usize], rules: &Rules) -> Result<Self, IllegalMove> {
        let [left, right, mixed] = ORIENTATIONS
            .map(|orientation| replay(board, moves, &rules.closing(orientation), &Scoring::default()));
        let games = [left?, right?, mixed?];
        let same = |index: &usize| {
            let [left, right, mixed] = games.each_ref().map(|game| &game.steps[*index].board);
            left == right && left == mixed
        };
        let depends_after = (0..moves.len()).find(|index| !same(index)).map(|index| index + 1);
        let boards =
            std::iter::once(board).chain(games[0].steps.iter().map(|step| &step.board)).map(seen_columns);
        Ok(Self {
            moves: moves.to_vec(),
            depends_after,
            boards: boards.collect(),
            places: games.map(|game| game.steps.into_iter().map(|step| step.group.cells).collect()),
        })
    }

    /// The moves, valid under every orientation.
    pub fn moves(&self) -> &[usize] {
        &self.moves
    }

    /// The cells (column, row) that move `index`, counted from 0, removes when
    /// columns close this way; empty past the end.
    pub fn clicks(&self, index: usize, orientation: Orientation) -> &[(usize, usize)] {
        let games = ORIENTATIONS.iter().zip(&self.places);
        let places = games.filter(|(one, _)| **one == orientation).find_map(|(_, places)| places.get(index));
        places.map_or(&[], Vec::as_slice)
    }

    /// What to do after `done` moves when the board looks like this.
    pub fn next(&self, done: usize, seen: &Board) -> Next {
        match (self.boards.get(done), self.moves.get(done)) {
            (Some(wanted), _) if *wanted != seen_columns(seen) => Next::PlanAgain,
            (Some(_), Some(&number)) => Next::Move(number),
            (Some(_), None) => Next::Done,
            (None, _) => Next::PlanAgain,
        }
    }
}

/// The filled columns with colours in normal form: what can be seen under
/// any orientation. Empty cells above the columns do not count.
fn seen_columns(board: &Board) -> Vec<Column> {
    let normal = board.normal_form();
    let filled = normal.columns().iter().filter(|column| column[0] != 0);
    filled.map(|column| column.iter().copied().take_while(|&colour| colour != 0).collect()).collect()
}
