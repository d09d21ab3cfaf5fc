//! Plans that need not know where columns go.
//!
//! Filled columns close up in their old order under every orientation, so the
//! numbered moves of a solution are good for all of them; only the place of the
//! board on the screen differs, and only once a column has become empty. A plan
//! says when that is, where each group lies under each orientation, and accepts
//! a look at the board as the next move's condition, whatever its orientation.

use crate::board::{Board, Colour};
use crate::replay::{IllegalMove, replay};
use crate::rules::{Orientation, Rules};
use crate::scoring::Scoring;

/// A solution with the places of its groups under every orientation.
#[derive(Clone, Debug)]
pub struct Plan {
    moves: Vec<usize>,
    /// After this move (from 1) the screen depends on the orientation; never when `None`.
    pub depends_after: Option<usize>,
    /// For each orientation and move the cells to be removed.
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
    /// The plan is at its end.
    Done,
    /// The board is not the one that was planned for: plan again from it.
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

    /// The moves, good under every orientation.
    pub fn moves(&self) -> &[usize] {
        &self.moves
    }

    /// The cells (column, row) that a move, counted from 0, removes when columns
    /// close this way; empty past the end.
    pub fn clicks(&self, index: usize, orientation: Orientation) -> &[(usize, usize)] {
        let games = ORIENTATIONS.iter().zip(&self.places);
        let places = games.filter(|(one, _)| **one == orientation).find_map(|(_, places)| places.get(index));
        places.map_or(&[], Vec::as_slice)
    }

    /// What to do when `done` moves are played and the board looks like this.
    pub fn next(&self, done: usize, seen: &Board) -> Next {
        match (self.boards.get(done), self.moves.get(done)) {
            (Some(wanted), _) if *wanted != seen_columns(seen) => Next::PlanAgain,
            (Some(_), Some(&number)) => Next::Move(number),
            (Some(_), None) => Next::Done,
            (None, _) => Next::PlanAgain,
        }
    }
}

/// The filled columns with colours in normal form: what a look can tell
/// whatever the orientation. Rows above the board do not count.
fn seen_columns(board: &Board) -> Vec<Column> {
    let normal = board.normal_form();
    let filled = normal.columns().iter().filter(|column| column[0] != 0);
    filled.map(|column| column.iter().copied().take_while(|&colour| colour != 0).collect()).collect()
}
