//! Colours as bit planes: the layout of every fast board.
//!
//! Plane `p` holds bit `p` of every cell's colour, so a cell is background when
//! its bit is 0 in all planes.

#![allow(
    clippy::needless_range_loop,
    reason = "plain loops over words, several arrays at once, are what vectorises"
)]

use std::cmp::Ordering;

use super::{Field, Key, Links};
use crate::board::{Board, Colour, MAX_COLOURS};
use crate::cells::{CellSet, Lanes};

/// Seeds of the two halves of a [`Key`] (digits of √2 and √3).
const SEEDS: [u64; 2] = [0x6a09_e667_f3bc_c908, 0xbb67_ae85_84ca_a73b];

/// `P` bit planes of `W` words with lanes of `S` rows, the highest of them unused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Planes<const W: usize, const S: usize, const P: usize> {
    planes: [[u64; W]; P],
}

impl<const W: usize, const S: usize, const P: usize> Planes<W, S, P> {
    const LANE: u64 = u64::MAX >> (64 - S);
    const LANES: usize = 64 / S;

    /// Bit 0 of every lane.
    const BOTTOM: u64 = u64::MAX / Self::LANE;

    /// Bit of the highest row of every lane.
    const TOP: u64 = Self::BOTTOM << (S - 1);

    /// Closes the columns whose bottom bits are given, from right to left, so that
    /// those still to be closed do not move.
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
        // most groups have one or two cells per column. All arithmetic stays in
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
                // A sum over colours does not depend on their names.
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
