//! The garbage with which a B-type game starts.

use super::randomiser::DivSource;
use super::setup::SetupError;
use crate::board::{Board, WIDTH};

/// Lines that win a B-type game.
pub const B_TYPE_LINES: u32 = 25;
/// Highest garbage setting.
const MAX_HIGH: u8 = 5;

/// Two rows of garbage for each step of `high` (0 to 5).
///
/// Every cell is filled when a divider value is odd: the cartridge toggles
/// between block and gap while it counts the value down. A row without a gap
/// gets one at its right end.
pub fn garbage_board<D: DivSource + ?Sized>(high: u8, div: &mut D) -> Result<Board, SetupError> {
    if high > MAX_HIGH {
        return Err(SetupError::High { high });
    }
    let mut board = Board::EMPTY;
    for row in (0..2 * usize::from(high)).rev() {
        let mut gap = false;
        for x in 0..WIDTH {
            let filled = div.first() % 2 == 1;
            gap |= !filled;
            if filled && (x + 1 < WIDTH || gap) {
                board.fill(x, row);
            }
        }
    }
    Ok(board)
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;
    use crate::gameboy::IdealDiv;

    #[test]
    fn each_step_adds_two_rows_with_a_gap_and_half_the_cells() {
        let mut div = IdealDiv(Xoshiro256PlusPlus::seed_from_u64(3));
        let mut cells = 0;
        for _ in 0..500 {
            for high in 0..=MAX_HIGH {
                let board = garbage_board(high, &mut div).unwrap();
                assert!(board.height() <= 2 * u32::from(high));
                assert_eq!(board.full_rows(), 0);
                cells += board.cells();
            }
        }
        let share = f64::from(cells) / f64::from(500 * 10 * (2 + 4 + 6 + 8 + 10));
        assert!((share - 0.5).abs() < 0.01, "{share}");
        assert_eq!(garbage_board(6, &mut div), Err(SetupError::High { high: 6 }));
    }

    #[test]
    fn a_row_without_a_gap_loses_its_rightmost_cell() {
        let board = garbage_board(1, &mut || 1).unwrap();
        assert_eq!(board, Board::parse("#########.\n#########.").unwrap());
    }
}
