//! The fast board on which the solvers run: a group is removed in a few dozen
//! instructions.
//!
//! A field always closes its columns to the left; see [`crate::rules::Orientation`]
//! for why nothing is lost by that.

mod links;
mod planes;

use crate::board::{Board, Colour, MAX_COLOURS};
use crate::cells::CellSet;
pub use links::{Group, Links};
pub use planes::{Planes, finish};

/// Identifies a board up to mirroring and renamed colours; wide enough that a
/// proof may rely on it.
pub type Key = u128;

/// Colour counts, index 0 unused.
pub type Counts = [u32; MAX_COLOURS as usize + 1];

/// A board that the solvers run on.
pub trait Field: Clone + Eq + Send + Sync + 'static {
    /// Its type for sets of cells.
    type Cells: CellSet;

    /// Number of colours that fit, including the background.
    const COLOURS: Colour;

    /// Converts a board, which must fit the layout (see [`with_field!`]).
    fn from_board(board: &Board) -> Self;
    /// All cells that are not background.
    fn occupied(&self) -> Self::Cells;
    /// Number of cells that are not background.
    fn occupied_count(&self) -> usize {
        self.occupied().count() as usize
    }
    /// All cells of one colour.
    fn of_colour(&self, colour: Colour) -> Self::Cells;
    /// The colour at a position.
    fn colour_at(&self, position: usize) -> Colour;
    /// Which neighbours have equal colours.
    fn links(&self) -> Links<Self::Cells>;
    /// Removes a group, lets cells fall and columns close.
    fn remove(&mut self, group: &Self::Cells);
    /// A hash of the exact board, without symmetry.
    fn hash(&self) -> u64;
    /// The key of the board up to mirroring and renamed colours.
    fn key(&self) -> Key;
}

/// Up to 16 × 15 cells and 7 colours: one cache line and a half.
pub type SmallField = Planes<4, 16, 3>;
/// Up to 20 × 15 cells and 7 colours.
pub type MiddleField = Planes<5, 16, 3>;
/// Up to 50 × 15 cells and 9 colours.
pub type WideField = Planes<13, 16, 4>;
/// Up to 24 × 31 cells and 9 colours.
pub type TallField = Planes<12, 32, 4>;
/// Any [`Board`].
pub type LargeField = Planes<50, 64, 4>;

/// Whether every layout has solvers of its own. A page waits for every byte of a module, so there only the smallest and the
/// largest have.
pub(crate) const EVERY_LAYOUT: bool = cfg!(not(target_arch = "wasm32"));

/// Runs an expression with `$Field` standing for the smallest layout that
/// holds the board.
macro_rules! with_field {
    ($board:expr, $Field:ident => $run:expr) => {{
        let board: &$crate::board::Board = $board;
        let colours = board.columns().iter().flatten().max().copied().unwrap_or(0);
        match (board.width(), board.height(), colours) {
            (0..=16, 0..=15, 0..=7) => {
                type $Field = $crate::field::SmallField;
                $run
            }
            (0..=20, 0..=15, 0..=7) if $crate::field::EVERY_LAYOUT => {
                type $Field = $crate::field::MiddleField;
                $run
            }
            (_, 0..=15, _) if $crate::field::EVERY_LAYOUT => {
                type $Field = $crate::field::WideField;
                $run
            }
            (0..=24, 0..=31, _) if $crate::field::EVERY_LAYOUT => {
                type $Field = $crate::field::TallField;
                $run
            }
            _ => {
                type $Field = $crate::field::LargeField;
                $run
            }
        }
    }};
}
pub(crate) use with_field;

/// Cells of each colour.
#[inline(always)]
pub fn colour_counts<F: Field>(field: &F) -> Counts {
    let mut counts = Counts::default();
    for colour in 1..F::COLOURS {
        counts[usize::from(colour)] = field.of_colour(colour).count();
    }
    counts
}
