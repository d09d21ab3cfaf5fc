//! SameGame for people: boards, moves, and what the solvers know (S1, S4, S5).

use budget::Budget;
use rand_xoshiro::rand_core::SeedableRng;
use samegame::answer::{Answer, Proof};
use samegame::board::{Board, BoardError, MAX_COLOURS, MAX_COLUMNS, MAX_ROWS};
use samegame::points::Effort;
use samegame::random::{Random, random_board};
use samegame::replay::{IllegalMove, replay};
use samegame::rules::{MinGroupError, Orientation, Rules};
use samegame::scoring::Scoring;
use samegame::{clear, points};
use serde::{Deserialize, Serialize};

/// The side to which columns close.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Closing {
    /// To the left.
    #[default]
    Left,
    /// To the right.
    Right,
    /// To the middle.
    Mixed,
}

/// A board and its rules, as pages send them.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Table {
    /// Columns left to right, cells bottom to top, 0 for empty.
    pub board: Vec<Vec<u8>>,
    /// Size of the smallest removable group.
    #[serde(default = "smallest_group")]
    pub min_group: usize,
    /// The side to which columns close.
    #[serde(default)]
    pub closing: Closing,
}

fn smallest_group() -> usize {
    2
}

/// What a solver looks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Goal {
    /// An empty board, or the proof that there is none.
    Clear,
    /// The highest score.
    Points,
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    /// Not a board.
    #[error(transparent)]
    Board(#[from] BoardError),
    /// Not a group size.
    #[error(transparent)]
    MinGroup(#[from] MinGroupError),
    /// Not a size for a new board.
    #[error("{what} must be {least} to {most}, not {given}")]
    Size {
        /// What is wrong.
        what: &'static str,
        /// Smallest choice.
        least: usize,
        /// Largest choice.
        most: usize,
        /// What was asked for.
        given: usize,
    },
    /// A solver's moves that the rules refuse.
    #[error(transparent)]
    Illegal(#[from] IllegalMove),
}

/// A removable group.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Group {
    /// Its cells as column and row.
    pub cells: Vec<(usize, usize)>,
    /// Points for removing it.
    pub points: i32,
}

/// A board as it lies: its groups, and its end if it has come.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Look {
    /// The board.
    pub board: Vec<Vec<u8>>,
    /// Removable groups in the order of their numbers.
    pub groups: Vec<Group>,
    /// Cells left.
    pub remaining: usize,
    /// Bonus at the end; nothing while there are groups.
    pub bonus: Option<i32>,
}

/// A solver's answer, move by move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Solution {
    /// Group numbers.
    pub moves: Vec<usize>,
    /// One cell of each group, to click.
    pub clicks: Vec<(usize, usize)>,
    /// Points with bonus.
    pub score: i32,
    /// Cells left.
    pub remaining: usize,
    /// `cleared`, `impossible` or `open`.
    pub proof: &'static str,
    /// Nodes spent.
    pub nodes: u64,
}

impl Table {
    fn checked(self) -> Result<(Board, Rules), TableError> {
        let orientation = match self.closing {
            Closing::Left => Orientation::Left,
            Closing::Right => Orientation::Right,
            Closing::Mixed => Orientation::Mixed,
        };
        let rules = Rules::with_min_group(self.min_group)?.closing(orientation);
        Ok((Board::from_columns(self.board)?, rules))
    }
}

/// A new board.
pub fn deal(columns: usize, rows: usize, colours: usize, seed: u32) -> Result<Vec<Vec<u8>>, TableError> {
    let check = |what, given, least, most| {
        let fits = (least..=most).contains(&given);
        if fits { Ok(()) } else { Err(TableError::Size { what, least, most, given }) }
    };
    check("columns", columns, 2, MAX_COLUMNS)?;
    check("rows", rows, 2, MAX_ROWS)?;
    check("colours", colours, 2, usize::from(MAX_COLOURS))?;
    let mut random = Random::seed_from_u64(u64::from(seed));
    Ok(random_board(columns, rows, colours as u8, &mut random)?.columns().to_vec())
}

/// What lies on the table.
pub fn look(table: Table) -> Result<Look, TableError> {
    let (board, rules) = table.checked()?;
    Ok(look_at(&board, rules))
}

fn look_at(board: &Board, rules: Rules) -> Look {
    let scoring = Scoring::default();
    let groups = board.groups(rules.min_group());
    let bonus =
        groups.is_empty().then(|| scoring.end_points(board.colour_counts().map(|count| count as u32)));
    let group = |group: samegame::board::CellGroup| Group {
        points: scoring.group.of(group.cells.len() as u32),
        cells: group.cells,
    };
    Look {
        board: board.columns().to_vec(),
        groups: groups.into_iter().map(group).collect(),
        remaining: board.cells(),
        bonus,
    }
}

/// The table after the group with this cell is removed; unchanged if the cell is in no group.
pub fn remove(table: Table, cell: (usize, usize)) -> Result<Look, TableError> {
    let (board, rules) = table.checked()?;
    let group = board.groups(rules.min_group()).into_iter().find(|group| group.cells.contains(&cell));
    let after = group.map(|group| board.without(&group, rules.orientation));
    Ok(look_at(&after.unwrap_or(board), rules))
}

/// Solves the board with this many nodes; the same nodes and seed give the same answer.
pub fn solve(table: Table, goal: Goal, nodes: u64, seed: u64) -> Result<Solution, TableError> {
    let (board, rules) = table.checked()?;
    let (scoring, effort, budget) = (Scoring::default(), Effort { threads: 1, seed }, Budget::nodes(nodes));
    let Answer { moves, proof, nodes, .. } = match goal {
        Goal::Clear => clear::auto::solve(&board, &rules, effort, &budget, &|_| ()),
        Goal::Points => points::solve(&board, &rules, &scoring, effort, &budget, &|_| ()),
    };
    let played = replay(&board, &moves, &rules, &scoring)?;
    let clicks = played.steps.iter().filter_map(|step| step.group.cells.first().copied()).collect();
    let proof = match proof {
        Proof::Cleared => "cleared",
        Proof::Impossible => "impossible",
        Proof::Open => "open",
    };
    Ok(Solution { moves, clicks, score: played.score, remaining: played.remaining, proof, nodes })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(board: &str) -> Table {
        let board: Board = board.parse().unwrap();
        Table { board: board.columns().to_vec(), min_group: 2, closing: Closing::Left }
    }

    #[test]
    fn a_board_is_cleared_or_proved_impossible() {
        let solution = solve(table("[[1,2],[1,2],[1,1]]"), Goal::Clear, 10_000, 1).unwrap();
        assert_eq!((solution.proof, solution.remaining, solution.score), ("cleared", 0, 1004));
        let stuck = solve(table("[[1,2],[2,1]]"), Goal::Clear, 10_000, 1).unwrap();
        assert_eq!(stuck.proof, "impossible");
        let points = solve(table("[[1,2],[1,2],[1,1]]"), Goal::Points, 1_000, 1).unwrap();
        assert_eq!((points.score, points.clicks.len()), (1004, 2));
    }

    #[test]
    fn moves_are_played_and_ends_are_noticed() {
        let look = remove(table("[[1,2],[1,2],[1,1]]"), (2, 1)).unwrap();
        assert_eq!((look.remaining, look.groups.len(), look.bonus), (2, 1, None));
        let unchanged = remove(table("[[1,2],[2,1]]"), (0, 0)).unwrap();
        assert_eq!((unchanged.remaining, unchanged.bonus), (4, Some(0)));
    }

    #[test]
    fn sizes_are_checked() {
        assert_eq!(deal(51, 10, 3, 1).unwrap_err().to_string(), "columns must be 2 to 50, not 51");
        assert_eq!(deal(15, 10, 12, 1).unwrap_err().to_string(), "colours must be 2 to 9, not 12");
        assert_eq!(deal(15, 10, 3, 1).unwrap(), deal(15, 10, 3, 1).unwrap());
    }
}
