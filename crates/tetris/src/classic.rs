//! Classic Tetris on a field of any valid size, as people play it with the arrow keys (P1, P5).
//!
//! Pieces spawn at the top in the middle, in a random orientation; the game ends
//! when one has no room to spawn. Cleared lines score as on the Game Boy, every
//! ten lines raise the level, and pieces fall faster on every level.

use rand::{Rng, RngExt};

use crate::features::reference::Grid;
use crate::gameboy::line_score;
use crate::piece::{Piece, Shape};

/// Fewest and most columns.
pub const WIDTHS: std::ops::RangeInclusive<usize> = 4..=32;
/// Fewest and most rows.
pub const HEIGHTS: std::ops::RangeInclusive<usize> = 4..=40;

/// A valid field size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FieldSize {
    width: usize,
    height: usize,
}

impl FieldSize {
    /// Checks a size: 4 to 32 columns, 4 to 40 rows.
    pub fn new(width: usize, height: usize) -> Result<FieldSize, FieldSizeError> {
        if !WIDTHS.contains(&width) {
            return Err(FieldSizeError::Width { width });
        }
        if !HEIGHTS.contains(&height) {
            return Err(FieldSizeError::Height { height });
        }
        Ok(FieldSize { width, height })
    }

    /// Columns.
    pub fn width(self) -> usize {
        self.width
    }

    /// Rows.
    pub fn height(self) -> usize {
        self.height
    }
}

impl Default for FieldSize {
    /// Ten columns, twenty rows.
    fn default() -> Self {
        FieldSize { width: 10, height: 20 }
    }
}

/// Why a field size is not valid.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum FieldSizeError {
    /// Too few or too many columns.
    #[error("the field cannot have {width} columns; choose 4 to 32")]
    Width {
        /// Columns asked for.
        width: usize,
    },
    /// Too few or too many rows.
    #[error("the field cannot have {height} rows; choose 4 to 40")]
    Height {
        /// Rows asked for.
        height: usize,
    },
}

/// A piece on the field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClassicPiece {
    /// Which piece.
    pub piece: Piece,
    /// Quarter turns counter-clockwise.
    pub orientation: usize,
    /// Column of its box.
    pub x: i32,
    /// Row of its box, from the bottom.
    pub row: i32,
}

impl ClassicPiece {
    /// Its shape.
    pub fn shape(&self) -> &'static Shape {
        self.piece.shape(self.orientation)
    }

    /// Its cells on the field, as column and row.
    pub fn cells(&self) -> impl Iterator<Item = (i32, i32)> + '_ {
        self.shape().cells().map(|(x, row)| (self.x + x as i32, self.row + row as i32))
    }
}

/// What a player can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// One column to the left.
    Left,
    /// One column to the right.
    Right,
    /// A quarter turn counter-clockwise.
    Turn,
    /// One row down; locks the piece when it cannot fall.
    Down,
    /// All the way down.
    Drop,
}

/// A game of classic Tetris.
#[derive(Clone, Debug)]
pub struct ClassicGame<R> {
    random: R,
    grid: Grid,
    active: ClassicPiece,
    next: (Piece, usize),
    score: u32,
    lines: u32,
    start_level: u8,
    over: bool,
}

/// The highest level, and the highest to start at.
pub const MAX_LEVEL: u8 = 20;

impl<R: Rng> ClassicGame<R> {
    /// A new game; all random choices come from `random`.
    pub fn new(size: FieldSize, mut random: R) -> Self {
        let first = draw(&mut random);
        let next = draw(&mut random);
        let grid = Grid::empty(size.width, size.height);
        let active = spawn(&grid, first);
        Self { random, grid, active, next, score: 0, lines: 0, start_level: 0, over: false }
    }

    /// The same game from a higher level on, 20 at most; it rises when the lines have caught up.
    #[must_use]
    pub fn starting_at(mut self, level: u8) -> Self {
        self.start_level = level.min(MAX_LEVEL);
        self
    }

    /// Performs an action; returns whether it was possible.
    ///
    /// ```
    /// use rand_xoshiro::Xoshiro256PlusPlus;
    /// use rand_xoshiro::rand_core::SeedableRng;
    /// use tetris::classic::{Action, ClassicGame, FieldSize};
    ///
    /// let mut game = ClassicGame::new(FieldSize::new(10, 20)?, Xoshiro256PlusPlus::seed_from_u64(1));
    /// while game.act(Action::Left) {} // to the wall
    /// assert_eq!(game.active().cells().map(|(x, _)| x).min(), Some(0));
    /// assert!(game.act(Action::Drop));
    /// # Ok::<(), tetris::classic::FieldSizeError>(())
    /// ```
    pub fn act(&mut self, action: Action) -> bool {
        if self.over {
            return false;
        }
        match action {
            Action::Left => self.try_move(ClassicPiece { x: self.active.x - 1, ..self.active }),
            Action::Right => self.try_move(ClassicPiece { x: self.active.x + 1, ..self.active }),
            Action::Turn => {
                let orientation = (self.active.orientation + 1) % 4;
                self.try_move(ClassicPiece { orientation, ..self.active })
            }
            Action::Down => {
                let lower = ClassicPiece { row: self.active.row - 1, ..self.active };
                if !self.try_move(lower) {
                    self.lock();
                }
                true
            }
            Action::Drop => {
                while self.try_move(ClassicPiece { row: self.active.row - 1, ..self.active }) {}
                self.lock();
                true
            }
        }
    }

    fn try_move(&mut self, to: ClassicPiece) -> bool {
        let free = is_free(&self.grid, &to);
        if free {
            self.active = to;
        }
        free
    }

    fn lock(&mut self) {
        let active = self.active;
        for (x, row) in active.cells() {
            self.grid.fill(x as usize, row as usize);
        }
        let level = self.level();
        let cleared = self.grid.clear_rows();
        self.lines += cleared;
        self.score = self.score.saturating_add(line_score(cleared, level));
        self.active = spawn(&self.grid, self.next);
        self.next = draw(&mut self.random);
        self.over = !is_free(&self.grid, &self.active);
    }

    /// The locked cells.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The piece in play.
    pub fn active(&self) -> ClassicPiece {
        self.active
    }

    /// The next piece and its orientation.
    pub fn next(&self) -> (Piece, usize) {
        self.next
    }

    /// Points.
    pub fn score(&self) -> u32 {
        self.score
    }

    /// Lines cleared.
    pub fn lines(&self) -> u32 {
        self.lines
    }

    /// One level for every ten lines, from the start level to 20.
    pub fn level(&self) -> u8 {
        ((self.lines / 10).min(u32::from(MAX_LEVEL)) as u8).max(self.start_level)
    }

    /// Milliseconds per row: 800 at first, a seventh less on every level.
    pub fn row_ms(&self) -> u32 {
        (0..self.level()).fold(800, |ms, _| ms * 6 / 7)
    }

    /// Whether the game has ended.
    pub fn is_over(&self) -> bool {
        self.over
    }
}

fn draw<R: Rng>(random: &mut R) -> (Piece, usize) {
    (Piece::from_index(random.random_range(0..Piece::COUNT)), random.random_range(0..4))
}

fn spawn(grid: &Grid, (piece, orientation): (Piece, usize)) -> ClassicPiece {
    let shape = piece.shape(orientation);
    let x = (grid.width() - shape.width) as i32 / 2 - shape.left as i32;
    let row = grid.height() as i32 - (shape.bottom + shape.height) as i32;
    ClassicPiece { piece, orientation, x, row }
}

fn is_free(grid: &Grid, piece: &ClassicPiece) -> bool {
    piece.cells().all(|(x, row)| !grid.is_filled(x, row))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rand::SeedableRng;
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;

    fn game(width: usize, height: usize, seed: u64) -> ClassicGame<Xoshiro256PlusPlus> {
        let size = FieldSize::new(width, height).unwrap();
        ClassicGame::new(size, Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    #[test]
    fn sizes_are_checked() {
        assert_eq!(FieldSize::new(3, 20), Err(FieldSizeError::Width { width: 3 }));
        assert_eq!(FieldSize::new(10, 41), Err(FieldSizeError::Height { height: 41 }));
        assert_eq!(FieldSize::new(10, 20), Ok(FieldSize::default()));
    }

    #[test]
    fn pieces_appear_in_every_orientation() {
        let turned: std::collections::BTreeSet<_> =
            (0..60).map(|seed| game(10, 20, seed).active().orientation).collect();
        assert_eq!(turned.len(), 4);
    }

    #[test]
    fn lines_score_and_speed_up() {
        let mut game = game(4, 40, 1);
        // On four columns flat bars clear a line each; play bars only.
        for cleared in 1..=10 {
            game.active = spawn(&game.grid, (Piece::I, 0));
            game.act(Action::Drop);
            assert_eq!((game.lines(), game.score()), (cleared, 40 * cleared));
        }
        assert_eq!(game.level(), 1);
        assert!(game.row_ms() < 800);
        let mut fast = game.clone().starting_at(5);
        fast.active = spawn(&fast.grid, (Piece::I, 0));
        fast.act(Action::Drop);
        assert_eq!((fast.level(), fast.score() - game.score()), (5, 6 * 40));
        assert!(fast.row_ms() < game.row_ms());
    }

    #[test]
    fn walls_stop_a_piece_and_turning_needs_room() {
        let mut game = game(10, 20, 2);
        for _ in 0..20 {
            game.act(Action::Left);
        }
        assert!(!game.act(Action::Left));
        assert_eq!(game.active().cells().map(|(x, _)| x).min(), Some(0));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]

        #[test]
        fn a_game_on_any_field_ends_and_keeps_its_cells_inside(
            width in 4usize..=32, height in 4usize..=40, seed in any::<u64>(), moves in proptest::collection::vec(0usize..4, 0..50),
        ) {
            let mut game = game(width, height, seed);
            for action in moves {
                game.act([Action::Left, Action::Right, Action::Turn, Action::Down][action]);
                prop_assert!(game.active().cells().all(|(x, row)| x >= 0 && x < width as i32 && row >= 0) || game.is_over());
            }
            let mut pieces = 0;
            while !game.is_over() && pieces < 2_000 {
                game.act(Action::Drop);
                pieces += 1;
            }
            prop_assert!(game.is_over() || width == 4);
            prop_assert!(!game.is_over() || !game.act(Action::Drop));
        }
    }
}
