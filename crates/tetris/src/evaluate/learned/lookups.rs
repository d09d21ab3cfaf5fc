//! The table entries that make up the value of a board.
//!
//! | table | one for each | index |
//! |---|---|---|
//! | four wide | 4 neighbouring columns | their steps, −4 to 4, and the lowest height |
//! | five wide | 5 neighbouring columns | their steps, −2 to 2 |
//! | pairs | 2 neighbouring columns | both heights |
//! | columns | column | height, holes, and depth of the uppermost hole |
//! | ready | board | rows that only lack a bar, holes, greatest height |
//! | holes | board | rows with holes, their depth, holes |
//! | outline | board | sum of heights, highest minus lowest |

use crate::board::{Board, WIDTH};
use crate::gameboy::ROWS;

const HEIGHTS: usize = ROWS as usize + 1;
const FOUR_WIDE: usize = 9 * 9 * 9 * 8;
const FIVE_WIDE: usize = 5 * 5 * 5 * 5;
const PAIR: usize = HEIGHTS * HEIGHTS;
const COLUMN: usize = HEIGHTS * 4 * 5;
const READY: usize = 6 * 6 * HEIGHTS;
const HOLES: usize = 5 * 8 * 6;
const OUTLINE: usize = 46 * 10;

const FOURS: usize = WIDTH - 3;
const FIVES: usize = WIDTH - 4;
const PAIRS: usize = WIDTH - 1;

const AT_FIVES: usize = FOURS * FOUR_WIDE;
const AT_PAIRS: usize = AT_FIVES + FIVES * FIVE_WIDE;
const AT_COLUMNS: usize = AT_PAIRS + PAIRS * PAIR;
const AT_READY: usize = AT_COLUMNS + WIDTH * COLUMN;
const AT_HOLES: usize = AT_READY + READY;
const AT_OUTLINE: usize = AT_HOLES + HOLES;

/// Number of entries in all tables of one pace.
pub const ENTRIES: usize = AT_OUTLINE + OUTLINE;
/// Number of entries for one board.
pub const LOOKUPS: usize = FOURS + FIVES + PAIRS + WIDTH + 3;

/// The entries of a board.
pub fn lookups(board: &Board) -> [u32; LOOKUPS] {
    let mut found = [0; LOOKUPS];
    let mut next = 0;
    for_each_lookup(board, |entry| {
        found[next] = entry as u32;
        next += 1;
    });
    found
}

/// Calls `look_up` with every entry of the board, always in the same order.
#[inline(always)]
pub fn for_each_lookup(board: &Board, mut look_up: impl FnMut(usize)) {
    let mut height = [0; WIDTH];
    let (mut holes, mut rows_with_holes, mut cover) = (0, 0u32, 0);
    for x in 0..WIDTH {
        let column = board.column(x);
        let top = (u32::BITS - column.leading_zeros()).min(ROWS);
        height[x] = top as usize;
        let empty = !column & ((1 << top) - 1);
        let depth = if empty == 0 { 0 } else { (top + empty.leading_zeros() - u32::BITS).min(4) };
        let own = empty.count_ones();
        holes += own;
        rows_with_holes |= empty;
        cover += depth;
        look_up(AT_COLUMNS + x * COLUMN + (height[x] * 4 + own.min(3) as usize) * 5 + depth as usize);
    }

    let (mut wide, mut narrow) = ([0; PAIRS], [0; PAIRS]);
    let (mut sum, mut lowest, mut highest, mut well) = (height[0], height[0], height[0], 0);
    for x in 0..PAIRS {
        let (left, right) = (height[x], height[x + 1]);
        let step = right as i32 - left as i32;
        wide[x] = (step.clamp(-4, 4) + 4) as usize;
        narrow[x] = (step.clamp(-2, 2) + 2) as usize;
        look_up(AT_PAIRS + x * PAIR + left * HEIGHTS + right);
        sum += right;
        highest = highest.max(right);
        if right < lowest {
            (lowest, well) = (right, x + 1);
        }
    }
    for x in 0..FOURS {
        let low = height[x].min(height[x + 1]).min(height[x + 2]).min(height[x + 3]);
        let steps = (wide[x] * 9 + wide[x + 1]) * 9 + wide[x + 2];
        look_up(x * FOUR_WIDE + steps * 8 + (low / 2).min(7));
    }
    for x in 0..FIVES {
        let steps = ((narrow[x] * 5 + narrow[x + 1]) * 5 + narrow[x + 2]) * 5 + narrow[x + 3];
        look_up(AT_FIVES + x * FIVE_WIDE + steps);
    }

    let mut complete = u32::MAX;
    for x in 0..WIDTH {
        complete &= if x == well { u32::MAX } else { board.column(x) };
    }
    let ready = (complete >> lowest).trailing_ones().min(5) as usize;
    let holes = holes.min(5) as usize;
    let rows_with_holes = rows_with_holes.count_ones().min(4) as usize;
    look_up(AT_READY + (ready * 6 + holes) * HEIGHTS + highest);
    look_up(AT_HOLES + (rows_with_holes * 8 + cover.min(7) as usize) * 6 + holes);
    look_up(AT_OUTLINE + (sum / 4).min(45) * 10 + (highest - lowest).min(9));
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn every_board_has_its_entries(columns: [u32; WIDTH]) {
            let found = lookups(&Board::from_columns(columns));
            let mut sorted = found.to_vec();
            sorted.sort_unstable();
            sorted.dedup();
            prop_assert_eq!(sorted.len(), LOOKUPS);
            prop_assert!(found.iter().all(|&entry| (entry as usize) < ENTRIES));
        }
    }

    #[test]
    fn rows_that_wait_for_a_bar_are_counted_from_the_well_up() {
        let ready = |drawing: &str| {
            let found = lookups(&Board::parse(drawing).unwrap());
            found
                .iter()
                .map(|&e| e as usize)
                .find(|e| (AT_READY..AT_HOLES).contains(e))
                .unwrap()
                .checked_sub(AT_READY)
                .map(|entry| (entry / HEIGHTS / 6, entry / HEIGHTS % 6, entry % HEIGHTS))
                .unwrap()
        };
        assert_eq!(ready("#########.\n#########."), (2, 0, 2));
        assert_eq!(ready("##.#######\n##.#######\n.#########"), (2, 1, 3));
        assert_eq!(ready(".........#\n##.#######"), (1, 0, 2));
    }
}
