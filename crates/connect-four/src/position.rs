//! The rules: positions, moves and the end of a game.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::{CELLS, Column, Grid7x6, RuleError};

/// A player: the first has red discs, the second yellow ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Player {
    /// Plays the first disc.
    First,
    /// Plays the second disc.
    Second,
}

impl Player {
    /// The opponent.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }
}

/// A cell: column, and row counted from 1 at the bottom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Cell {
    /// The column.
    pub column: Column,
    /// The row, 1–6.
    pub row: u8,
}

/// The state of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "state")]
pub enum Outcome {
    /// The game goes on.
    Open,
    /// The board is full.
    Draw,
    /// Someone has four in a line.
    Won {
        /// Who.
        winner: Player,
        /// Every cell that is part of a winning line; four or more.
        cells: Vec<Cell>,
    },
}

/// All that the rules need: the discs, which also tell who is to move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Position {
    /// Discs of the player to move.
    own: u64,
    /// Discs of both.
    occupied: u64,
}

impl Position {
    /// The empty board.
    pub const EMPTY: Position = Position { own: 0, occupied: 0 };

    /// Plays one disc, or says why the rules do not allow it.
    ///
    /// ```
    /// use connect_four::{Column, Position, RuleError, text};
    ///
    /// let centre = Column::new(4)?;
    /// let mut position = Position::EMPTY;
    /// for _ in 0..6 {
    ///     position = position.play(centre)?;
    /// }
    /// assert_eq!(
    ///     text::picture(&position),
    ///     "...o...\n\
    ///      ...x...\n\
    ///      ...o...\n\
    ///      ...x...\n\
    ///      ...o...\n\
    ///      ...x...\n"
    /// );
    /// assert_eq!(position.play(centre), Err(RuleError::ColumnFull(centre)));
    /// # Ok::<(), RuleError>(())
    /// ```
    pub fn play(&self, column: Column) -> Result<Self, RuleError> {
        if self.is_won() {
            return Err(RuleError::GameIsOver(column));
        }
        if !self.has_room(column) {
            return Err(RuleError::ColumnFull(column));
        }
        Ok(self.after(column))
    }

    /// Takes back the last disc, which was played in `column`.
    pub fn undo(&self, column: Column) -> Result<Self, RuleError> {
        let cells = self.occupied & Grid7x6::column(column.index());
        let top = cells & !(cells >> 1);
        if top & (self.own ^ self.occupied) == 0 {
            return Err(RuleError::NotTheLastDisc(column));
        }
        let before = Position { own: self.own ^ self.occupied ^ top, occupied: self.occupied ^ top };
        if before.is_won() { Err(RuleError::NotTheLastDisc(column)) } else { Ok(before) }
    }

    /// The position after a move that is known to be legal.
    #[inline]
    pub(crate) const fn after(&self, column: Column) -> Self {
        let cell = Grid7x6::playable(self.occupied) & Grid7x6::column(column.index());
        Self { own: self.own ^ self.occupied, occupied: self.occupied | cell }
    }

    /// Whether a disc fits into the column.
    #[inline]
    pub const fn has_room(&self, column: Column) -> bool {
        Grid7x6::playable(self.occupied) & Grid7x6::column(column.index()) != 0
    }

    /// The legal moves from left to right; none after the end of the game.
    ///
    /// ```
    /// use connect_four::Position;
    ///
    /// let position: Position = "444444".parse()?;
    /// let legal: Vec<u8> = position.legal().map(|column| column.number()).collect();
    /// assert_eq!(legal, [1, 2, 3, 5, 6, 7]);
    /// # Ok::<(), connect_four::RuleError>(())
    /// ```
    pub fn legal(&self) -> impl Iterator<Item = Column> + use<> {
        let position = *self;
        let over = position.is_won();
        Column::ALL.into_iter().filter(move |&column| !over && position.has_room(column))
    }

    /// Whether the player who just moved has four in a line.
    #[inline]
    pub const fn is_won(&self) -> bool {
        Grid7x6::has_four(self.own ^ self.occupied)
    }

    /// Whether the player to move completes four with this column.
    #[inline]
    pub const fn wins_with(&self, column: Column) -> bool {
        self.winning_cells() & Grid7x6::playable(self.occupied) & Grid7x6::column(column.index()) != 0
    }

    /// Whether the game has ended.
    pub const fn is_over(&self) -> bool {
        self.discs() == CELLS || self.is_won()
    }

    /// Discs on the board.
    #[inline]
    pub const fn discs(&self) -> u32 {
        self.occupied.count_ones()
    }

    /// Who is to move.
    pub const fn to_move(&self) -> Player {
        if self.discs().is_multiple_of(2) { Player::First } else { Player::Second }
    }

    /// Whose disc is in a cell.
    pub const fn disc(&self, cell: Cell) -> Option<Player> {
        let bit = bit_of(cell);
        if self.occupied & bit == 0 {
            None
        } else if self.own & bit != 0 {
            Some(self.to_move())
        } else {
            Some(self.to_move().other())
        }
    }

    /// The cell into which the next disc in this column falls; `None` if the column is full.
    pub fn landing(&self, column: Column) -> Option<Cell> {
        let cell = Grid7x6::playable(self.occupied) & Grid7x6::column(column.index());
        (cell != 0).then(|| cell_of(cell.trailing_zeros()))
    }

    /// Open, drawn or won, with the winning cells.
    ///
    /// ```
    /// use connect_four::{Outcome, Player, text};
    ///
    /// let position = text::read_picture(
    ///     ".......
    ///      .......
    ///      .......
    ///      .......
    ///      ..ooo..
    ///      ..xxxx.",
    /// )?;
    /// let Outcome::Won { winner, cells } = position.outcome() else { panic!("x has won") };
    /// assert_eq!((winner, cells.len()), (Player::First, 4));
    /// # Ok::<(), connect_four::RuleError>(())
    /// ```
    pub fn outcome(&self) -> Outcome {
        let last = self.own ^ self.occupied;
        if Grid7x6::has_four(last) {
            let cells = cells_of(Grid7x6::fours(last));
            Outcome::Won { winner: self.to_move().other(), cells }
        } else if self.discs() == CELLS {
            Outcome::Draw
        } else {
            Outcome::Open
        }
    }

    /// The position mirrored left to right.
    #[must_use]
    pub const fn mirrored(&self) -> Self {
        Self { own: Grid7x6::mirrored(self.own), occupied: Grid7x6::mirrored(self.occupied) }
    }

    /// A number unique to the position.
    #[inline]
    pub const fn key(&self) -> u64 {
        self.own + self.occupied
    }

    /// The position with this key; it is not checked that there is one.
    pub const fn from_key(key: u64) -> Self {
        // In each column, the highest bit of the key plus one marks the cell where the next disc falls.
        let marked = key + Grid7x6::BOTTOM;
        let (mut occupied, mut column) = (0, 0);
        while column < crate::COLUMNS {
            let shift = column * Grid7x6::STRIDE;
            let bits = marked >> shift & ((1 << Grid7x6::STRIDE) - 1);
            let height = if bits == 0 { 0 } else { bits.ilog2() };
            occupied |= ((1 << height) - 1) << shift;
            column += 1;
        }
        Self { own: key.wrapping_sub(occupied), occupied }
    }

    /// Discs of the player to move, as bits; see [`crate::grid`].
    #[inline]
    pub const fn own(&self) -> u64 {
        self.own
    }

    /// All discs, as bits.
    #[inline]
    pub const fn occupied(&self) -> u64 {
        self.occupied
    }

    /// The discs of one player, as bits.
    pub const fn discs_of(&self, player: Player) -> u64 {
        match (player, self.to_move()) {
            (Player::First, Player::First) | (Player::Second, Player::Second) => self.own,
            (Player::First, Player::Second) | (Player::Second, Player::First) => self.own ^ self.occupied,
        }
    }

    /// Empty cells, playable now or not, that complete four for the player to move.
    #[inline]
    pub const fn winning_cells(&self) -> u64 {
        Grid7x6::winning_cells(self.own, self.occupied)
    }

    /// Empty cells, playable now or not, that complete four for the opponent.
    #[inline]
    pub const fn threatened_cells(&self) -> u64 {
        Grid7x6::winning_cells(self.own ^ self.occupied, self.occupied)
    }

    /// A position from bits that are known to be valid.
    pub(crate) const fn from_bits(own: u64, occupied: u64) -> Self {
        Self { own, occupied }
    }
}

const fn bit_of(cell: Cell) -> u64 {
    1 << (cell.column.index() * Grid7x6::STRIDE + cell.row as usize - 1)
}

pub(crate) fn cell_of(bit: u32) -> Cell {
    let stride = Grid7x6::STRIDE as u32;
    let column = Column::ALL[(bit / stride) as usize % Column::ALL.len()];
    Cell { column, row: (bit % stride) as u8 + 1 }
}

pub(crate) fn cells_of(mut bits: u64) -> Vec<Cell> {
    let mut cells = Vec::new();
    while bits != 0 {
        cells.push(cell_of(bits.trailing_zeros()));
        bits &= bits - 1;
    }
    cells
}

/// Reads moves in playing order: `"4453"`.
impl FromStr for Position {
    type Err = RuleError;

    fn from_str(moves: &str) -> Result<Self, RuleError> {
        let mut position = Position::EMPTY;
        for (index, symbol) in moves.chars().enumerate() {
            let place = index + 1;
            let at = |reason| RuleError::AtMove { place, reason: Box::new(reason) };
            let number = symbol.to_digit(10).ok_or_else(|| at(RuleError::NotAColumn(symbol)))?;
            let column = Column::new(number as u8).map_err(at)?;
            position = position.play(column).map_err(at)?;
        }
        Ok(position)
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Position({} discs)\n{}", self.discs(), crate::text::picture(self))
    }
}
