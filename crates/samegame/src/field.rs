//! The fast board: colours as bit planes, one group removed in a few dozen
//! instructions.
//!
//! A field always closes its columns to the left; see [`crate::rules::Orientation`]
//! for why that loses nothing. Plane `p` holds bit `p` of every cell's colour,
//! so a cell is background when all planes are 0 there.

#![allow(
    clippy::needless_range_loop,
    reason = "plain loops over words, several arrays at once, are what vectorises"
)]

use std::cmp::Ordering;

use crate::board::{Board, Colour, MAX_COLOURS};
use crate::cells::{CellSet, Lanes};

/// What a board is, up to the names of its colours and mirroring; wide enough
/// that a proof may rest on it.
pub type Key = u128;

/// Seeds of the two halves of a [`Key`] (digits of √2 and √3).
const SEEDS: [u64; 2] = [0x6a09_e667_f3bc_c908, 0xbb67_ae85_84ca_a73b];

/// Colour counts, index 0 unused.
pub type Counts = [u32; MAX_COLOURS as usize + 1];

/// A board the solvers run on.
pub trait Field: Clone + Eq + Send + Sync + 'static {
    /// Its sets of cells.
    type Cells: CellSet;

    /// Colours that fit, plus one for the background.
    const COLOURS: Colour;

    /// The same board; it must fit the layout (see [`with_field!`]).
    fn from_board(board: &Board) -> Self;
    /// All cells that are not background.
    fn occupied(&self) -> Self::Cells;
    /// How many they are.
    fn occupied_count(&self) -> usize {
        self.occupied().count() as usize
    }
    /// All cells of one colour.
    fn of_colour(&self, colour: Colour) -> Self::Cells;
    /// The colour at a position.
    fn colour_at(&self, position: usize) -> Colour;
    /// Which neighbours have equal colours.
    fn links(&self) -> Links<Self::Cells>;
    /// Takes a group away, lets cells fall and columns close.
    fn remove(&mut self, group: &Self::Cells);
    /// A hash of the exact board: colours by name, no symmetry.
    fn hash(&self) -> u64;
    /// The key of the board up to the names of colours and mirroring.
    fn key(&self) -> Key;
}

/// Pairs of equal neighbours, and the groups they make.
#[derive(Clone, Copy, Debug)]
pub struct Links<C> {
    /// Cells equal to the one above.
    pub above: C,
    /// Cells equal to the one in the next column.
    pub beside: C,
    /// Cells with at least one equal neighbour.
    pub linked: C,
}

/// A group on a field.
#[derive(Clone, Copy, Debug)]
pub struct Group<C> {
    /// Its cells.
    pub cells: C,
    /// How many they are.
    pub size: u32,
    /// Position of its first cell.
    pub first: usize,
}

impl<C: CellSet> Links<C> {
    /// All cells connected with the one at `position`.
    #[inline(always)]
    pub fn group_at(&self, position: usize) -> C {
        let (column, row) = C::place(position);
        let start = column.saturating_sub(1);
        // Nothing may lead out of the window on the left.
        let entry = if start == 0 {
            0
        } else {
            self.beside.window(start - 1) & !(u64::MAX << (64 / C::WINDOW - 1) << 1)
        };
        self.group_in_window(start, (column - start) * (64 / C::WINDOW) + row, entry)
            .unwrap_or_else(|| self.wide_group_at(position))
    }

    /// The group whose first cell is at `position`.
    #[inline(always)]
    fn group_from(&self, first: usize) -> C {
        let (column, row) = C::place(first);
        self.group_in_window(column, row, 0).unwrap_or_else(|| self.wide_group_at(first))
    }

    /// The group of one bit of the window at column `start`, unless it leads out.
    ///
    /// Most groups are a few columns wide, so the whole flood runs in one word.
    #[inline(always)]
    fn group_in_window(&self, start: usize, bit: usize, entry: u64) -> Option<C> {
        let lane = 64 / C::WINDOW as u32;
        if lane == 64 {
            return None;
        }
        let above = self.above.window(start);
        let beside = self.beside.window(start);
        let mut group = 1_u64 << bit;
        loop {
            let vertical = (group & above) << 1 | (group >> 1 & above);
            let horizontal = (group & beside) << lane | (group >> lane & beside);
            let grown = group | vertical | horizontal;
            if grown == group {
                break;
            }
            group = grown;
        }
        let leads_out = group & beside & C::WINDOW_END | group & entry;
        (leads_out == 0).then(|| C::from_window(group, start))
    }

    /// All cells connected with the one at `position`, however far.
    #[inline(always)]
    fn wide_group_at(&self, position: usize) -> C {
        let mut group = C::only(position);
        loop {
            let vertical = group.and(self.above).up().or(group.down().and(self.above));
            let horizontal = group.and(self.beside).right().or(group.left().and(self.beside));
            let grown = group.or(vertical).or(horizontal);
            if grown == group {
                return group;
            }
            group = grown;
        }
    }

    /// Calls `visit` with every group of at least `min_group` (≥ 2) cells, in
    /// the order of their numbers.
    #[inline(always)]
    pub fn for_each_group(&self, min_group: u32, mut visit: impl FnMut(Group<C>)) {
        let mut left = self.linked;
        while !left.is_empty() {
            let first = left.first();
            let cells = self.group_from(first);
            left = left.minus(cells);
            let size = cells.count();
            if size >= min_group {
                visit(Group { cells, size, first });
            }
        }
    }

    /// Cells of groups of at least `min_group` (≥ 2) cells.
    #[inline(always)]
    pub fn removable(&self, min_group: u32) -> C {
        if min_group == 2 {
            return self.linked;
        }
        let mut cells = C::NONE;
        self.for_each_group(min_group, |group| cells = cells.or(group.cells));
        cells
    }
}

/// `P` bit planes of `W` words with lanes of `S` rows, the highest of them unused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Planes<const W: usize, const S: usize, const P: usize> {
    planes: [[u64; W]; P],
}

/// Up to 16 × 15 cells and 7 colours: one cache line and a half.
pub type SmallField = Planes<4, 16, 3>;
/// Up to 20 × 15 cells and 7 colours.
pub type MiddleField = Planes<5, 16, 3>;
/// Up to 50 × 15 cells and 9 colours.
pub type WideField = Planes<13, 16, 4>;
/// Up to 24 × 31 cells and 9 colours.
pub type TallField = Planes<12, 32, 4>;
/// Anything a [`Board`] can be.
pub type LargeField = Planes<50, 64, 4>;

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
            (0..=20, 0..=15, 0..=7) => {
                type $Field = $crate::field::MiddleField;
                $run
            }
            (_, 0..=15, _) => {
                type $Field = $crate::field::WideField;
                $run
            }
            (0..=24, 0..=31, _) => {
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

impl<const W: usize, const S: usize, const P: usize> Planes<W, S, P> {
    const LANE: u64 = u64::MAX >> (64 - S);
    const LANES: usize = 64 / S;

    /// Bit 0 of every lane.
    const BOTTOM: u64 = u64::MAX / Self::LANE;

    /// Bit of the highest row of every lane.
    const TOP: u64 = Self::BOTTOM << (S - 1);

    /// Closes the columns whose bottom bit is given, from the right, so that
    /// none still to come moves.
    #[inline(never)]
    fn close_columns(&mut self, emptied: [u64; W]) {
        for word in (0..W).rev() {
            let mut bits = emptied[word];
            while bits != 0 {
                let bit = 63 - bits.leading_zeros() as usize;
                bits &= !(1 << bit);
                self.close_column((word * 64 + bit) / S);
            }
        }
    }

    /// Closes the gap that the (empty) column leaves.
    #[inline(always)]
    fn close_column(&mut self, column: usize) {
        let (word, lane) = (column / Self::LANES, column % Self::LANES);
        let low = (1_u64 << (lane * S)) - 1;
        for plane in &mut self.planes {
            let shifted = Lanes::<W, S>(*plane).left().0;
            for w in 0..W {
                let keep = match w.cmp(&word) {
                    Ordering::Less => u64::MAX,
                    Ordering::Equal => low,
                    Ordering::Greater => 0,
                };
                plane[w] = (plane[w] & keep) | (shifted[w] & !keep);
            }
        }
    }
}

impl<const W: usize, const S: usize, const P: usize> Field for Planes<W, S, P> {
    type Cells = Lanes<W, S>;

    const COLOURS: Colour = if P == 3 { 8 } else { MAX_COLOURS + 1 };

    fn from_board(board: &Board) -> Self {
        let mut planes = [[0; W]; P];
        let filled = board.columns().iter().filter(|column| column[0] != 0);
        for (column, cells) in filled.enumerate() {
            for (row, colour) in cells.iter().enumerate() {
                let position = column * S + row;
                for (p, plane) in planes.iter_mut().enumerate() {
                    plane[position / 64] |= u64::from(colour >> p & 1) << (position % 64);
                }
            }
        }
        Self { planes }
    }

    #[inline(always)]
    fn occupied(&self) -> Lanes<W, S> {
        let mut words = [0; W];
        for w in 0..W {
            for p in 0..P {
                words[w] |= self.planes[p][w];
            }
        }
        Lanes(words)
    }

    #[inline(always)]
    fn of_colour(&self, colour: Colour) -> Lanes<W, S> {
        let mut words = [u64::MAX; W];
        for p in 0..P {
            let flip = if colour >> p & 1 == 1 { 0 } else { u64::MAX };
            for w in 0..W {
                words[w] &= self.planes[p][w] ^ flip;
            }
        }
        Lanes(words)
    }

    #[inline(always)]
    fn colour_at(&self, position: usize) -> Colour {
        (0..P).map(|p| ((self.planes[p][position / 64] >> (position % 64) & 1) as Colour) << p).sum()
    }

    #[inline(always)]
    fn links(&self) -> Links<Lanes<W, S>> {
        let (mut above, mut beside) = ([0; W], [0; W]);
        for p in 0..P {
            let plane = Lanes::<W, S>(self.planes[p]);
            let next = plane.left();
            for w in 0..W {
                above[w] |= plane.0[w] ^ plane.0[w] >> 1;
                beside[w] |= plane.0[w] ^ next.0[w];
            }
        }
        let occupied = self.occupied();
        for w in 0..W {
            above[w] = occupied.0[w] & !above[w] & !Self::TOP;
            beside[w] = occupied.0[w] & !beside[w];
        }
        let (above, beside) = (Lanes(above), Lanes(beside));
        let linked = above.or(above.up()).or(beside).or(beside.right());
        Links { above, beside, linked }
    }

    #[inline(always)]
    fn remove(&mut self, group: &Lanes<W, S>) {
        let bottom_before = self.occupied();
        let mut gone = group.0;
        // Each round closes the lowest removed cell of every column at once;
        // most groups have one or two cells a column. All arithmetic stays in
        // its lane: the unused top row absorbs the borrow.
        loop {
            let mut any = 0;
            for w in 0..W {
                let stays = ((gone[w] | Self::TOP) - Self::BOTTOM) & !gone[w];
                let falls = !(stays | Self::TOP);
                for p in 0..P {
                    let cells = self.planes[p][w];
                    self.planes[p][w] = (cells & stays) | (cells >> 1 & falls);
                }
                gone[w] = gone[w] >> 1 & falls;
                any |= gone[w];
            }
            if any == 0 {
                break;
            }
        }
        let occupied = self.occupied();
        let mut emptied = [0; W];
        let mut any = 0;
        for w in 0..W {
            emptied[w] = bottom_before.0[w] & !occupied.0[w] & Self::BOTTOM;
            any |= emptied[w];
        }
        if any != 0 {
            self.close_columns(emptied);
        }
    }

    #[inline(always)]
    fn hash(&self) -> u64 {
        let mut hash = 0_u64;
        for p in 0..P {
            hash = hash.rotate_left(23) ^ Lanes::<W, S>(self.planes[p]).mixed(SEEDS[0]);
            hash = hash.wrapping_mul(0xd6e8_feb8_6659_fd93);
        }
        hash ^ hash >> 31
    }

    fn key(&self) -> Key {
        let occupied = self.occupied();
        let columns = (0..W * Self::LANES).take_while(|&column| occupied.lane(column) != 0).count();
        let (mut straight, mut mirrored) = ([0_u64; 2], [0_u64; 2]);
        for colour in 1..Self::COLOURS {
            let cells = self.of_colour(colour);
            if cells.is_empty() {
                continue;
            }
            let mut reverse = [0; W];
            for column in 0..columns {
                let target = columns - 1 - column;
                reverse[target / Self::LANES] |= cells.lane(column) << (target % Self::LANES * S);
            }
            for (half, seed) in SEEDS.into_iter().enumerate() {
                // A sum over colours forgets their names.
                straight[half] = straight[half].wrapping_add(finish(cells.mixed(seed)));
                mirrored[half] = mirrored[half].wrapping_add(finish(Lanes::<W, S>(reverse).mixed(seed)));
            }
        }
        let join = |[high, low]: [u64; 2]| Key::from(high) << 64 | Key::from(low);
        join(straight).min(join(mirrored))
    }
}

/// Spreads every input bit over the whole word (`SplitMix64`'s finaliser).
#[inline(always)]
pub fn finish(mut x: u64) -> u64 {
    x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}

/// Cells of each colour.
#[inline(always)]
pub fn colour_counts<F: Field>(field: &F) -> Counts {
    let mut counts = Counts::default();
    for colour in 1..F::COLOURS {
        counts[usize::from(colour)] = field.of_colour(colour).count();
    }
    counts
}
