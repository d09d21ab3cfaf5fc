//! Random boards and random games, from a seeded generator.

use budget::Budget;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::Rng;

use crate::answer::Proof;
use crate::board::{Board, BoardError, Colour, MAX_COLOURS};
use crate::cells::CellSet;
use crate::clear::auto;
use crate::field::Field;
use crate::points::Effort;
use crate::rules::Rules;

/// The generator for all random choices in this crate.
pub type Random = Xoshiro256PlusPlus;

/// A full board with colours drawn uniformly.
///
/// ```
/// use rand_xoshiro::rand_core::SeedableRng;
/// use samegame::random::{Random, random_board};
///
/// let board = random_board(15, 10, 3, &mut Random::seed_from_u64(1))?;
/// assert_eq!(board.cells(), 150);
/// # Ok::<(), samegame::board::BoardError>(())
/// ```
pub fn random_board(
    columns: usize,
    rows: usize,
    colours: Colour,
    random: &mut Random,
) -> Result<Board, BoardError> {
    let colours = colours.clamp(1, MAX_COLOURS);
    let mut cell = || 1 + below(random, colours.into()) as Colour;
    Board::from_columns((0..columns).map(|_| (0..rows).map(|_| cell()).collect()).collect())
}

/// Why no solvable board was found.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SolvableError {
    /// The size is not allowed.
    #[error(transparent)]
    Board(#[from] BoardError),
    /// Random boards of this size and this many colours can hardly ever be cleared.
    #[error("none of {tries} random boards could be cleared; use a larger board or fewer colours")]
    NoneFound {
        /// Boards tried.
        tries: u32,
    },
}

/// Random boards to try, and nodes to spend on each.
const TRIES: u32 = 1000;
const NODES_PER_TRY: u64 = 100_000;

/// A random full board that can be cleared, with moves that clear it.
pub fn solvable_board(
    columns: usize,
    rows: usize,
    colours: Colour,
    rules: &Rules,
    random: &mut Random,
) -> Result<(Board, Vec<usize>), SolvableError> {
    for _ in 0..TRIES {
        let board = random_board(columns, rows, colours, random)?;
        let answer = auto::solve(&board, rules, Effort::default(), &Budget::nodes(NODES_PER_TRY), &|_| ());
        if answer.proof == Proof::Cleared {
            return Ok((board, answer.moves));
        }
    }
    Err(SolvableError::NoneFound { tries: TRIES })
}

/// A number below `bound`, uniform enough for bounds far below 2³².
#[inline(always)]
pub fn below(random: &mut Random, bound: u32) -> u32 {
    (((random.next_u64() >> 32) * u64::from(bound)) >> 32) as u32
}

/// A number from 0 up to but not including 1.
#[inline(always)]
pub fn unit(random: &mut Random) -> f64 {
    (random.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
}

/// Plays a game with minimum group 2 to its end, drawing each move uniformly from
/// the groups, and returns the number of moves.
///
/// Groups are drawn through their cells: a linked cell is drawn uniformly, and its
/// group of `n` is accepted with probability 2/n, which makes all groups equally
/// likely without listing them.
#[inline(always)]
pub fn play_randomly<F: Field>(field: &mut F, random: &mut Random) -> u32 {
    let mut moves = 0;
    loop {
        let links = field.links();
        let count = links.linked.count();
        if count == 0 {
            return moves;
        }
        let group = loop {
            let group = links.group_at(links.linked.nth(below(random, count)));
            let size = group.count();
            if size == 2 || below(random, size) < 2 {
                break group;
            }
        };
        field.remove(&group);
        moves += 1;
    }
}
