//! What a player sees of a position: a byte for each cell and player, and which columns are open.

#![allow(clippy::inline_always, reason = "only inlined code is compiled for the instructions of its caller")]

use ::connect_four::grid::Grid;
#[cfg(target_arch = "x86_64")]
use processor::Instructions;

use super::{COLUMNS, ROWS, SHAPE};

pub(super) type Bits = Grid<COLUMNS, ROWS>;

/// Bytes of a board.
const BOARD: usize = SHAPE.observation;
/// For every byte of a board, top row first and in each cell the player to move first: the number of the player, and
/// the cell's bit.
const PLACES: [(usize, usize); BOARD] = {
    let mut places = [(0, 0); BOARD];
    let mut at = 0;
    while at < BOARD {
        let (cell, player) = (at / 2, at % 2);
        let (line, column) = (cell / COLUMNS, cell % COLUMNS);
        places[at] = (player, column * Bits::STRIDE + ROWS - 1 - line);
        at += 1;
    }
    places
};

/// Multiplying by it gathers the seven cells of a row, a stride apart, into neighbouring bits.
const GATHER: u64 = {
    let (mut bits, mut column) = (0, 0);
    while column < COLUMNS {
        bits |= 1 << (GATHERED - column * (Bits::STRIDE - 1));
        column += 1;
    }
    bits
};
/// Where they are gathered.
const GATHERED: usize = (COLUMNS - 1) * (Bits::STRIDE - 1);

/// Writes the discs of many positions.
pub fn write_boards(own: &[u64], occupied: &[u64], boards: &mut [u8]) {
    let boards = boards.as_chunks_mut::<BOARD>().0;
    #[cfg(target_arch = "x86_64")]
    if Instructions::Bits.are_available() {
        #[expect(unsafe_code, reason = "the only way to use instructions found at run time")]
        // SAFETY: AVX2 is one of the instructions asked for just above.
        return unsafe { wide::write_boards(own, occupied, boards) };
    }
    for ((&own, &occupied), board) in own.iter().zip(occupied).zip(boards) {
        write_board(own, occupied, board);
    }
}

/// Writes the discs of one position.
pub fn write_board(own: u64, occupied: u64, board: &mut [u8]) {
    let discs = [own, own ^ occupied];
    for (cell, (player, bit)) in board.iter_mut().zip(PLACES) {
        *cell = (discs[player] >> bit & 1) as u8;
    }
}

/// Writes 1 for every column that can be played: none after the end.
#[inline(always)]
pub fn write_mask(occupied: u64, is_over: bool, mask: &mut [i8; COLUMNS]) {
    let open = open_columns(occupied, is_over);
    for (column, flag) in mask.iter_mut().enumerate() {
        *flag = (open >> column & 1) as i8;
    }
}

/// The columns that can be played, as seven bits: none after the end.
#[inline(always)]
pub fn open_columns(occupied: u64, is_over: bool) -> usize {
    gathered(room(occupied)) as usize & usize::from(is_over).wrapping_sub(1)
}

/// A bit in row 1 of every column that has room.
#[inline(always)]
pub const fn room(occupied: u64) -> u64 {
    !occupied >> (ROWS - 1) & Bits::BOTTOM
}

/// Bits of row 1 as neighbours, column 1 lowest.
#[inline(always)]
pub const fn gathered(row: u64) -> u64 {
    row.wrapping_mul(GATHER) >> GATHERED & ((1 << COLUMNS) - 1)
}

/// The number of bits in row 1, without the instruction that not every processor has for many at once.
#[inline(always)]
pub const fn count(row: u64) -> u64 {
    // The sum of all columns arrives in the last one, where it needs three of seven bits.
    row.wrapping_mul(Bits::BOTTOM) >> ((COLUMNS - 1) * Bits::STRIDE) & 0b111
}

#[cfg(target_arch = "x86_64")]
mod wide {
    //! A whole board in three registers: both players' discs are 16 bytes, from which a shuffle takes the byte of each
    //! cell's bit.

    use core::arch::x86_64::{
        __m256i, _mm_set_epi64x, _mm256_and_si256, _mm256_broadcastsi128_si256, _mm256_loadu_si256,
        _mm256_min_epu8, _mm256_set1_epi8, _mm256_shuffle_epi8, _mm256_storeu_si256,
    };

    use super::{BOARD, PLACES};

    const REGISTER: usize = size_of::<__m256i>();
    /// Where the registers are written; the last two overlap.
    const STARTS: [usize; 3] = [0, REGISTER, BOARD - REGISTER];
    /// The byte of each cell's bit.
    const BYTES: [[u8; REGISTER]; 3] = table(0);
    /// The bit within it.
    const BITS: [[u8; REGISTER]; 3] = table(1);

    const fn table(which: usize) -> [[u8; REGISTER]; 3] {
        let mut table = [[0; REGISTER]; 3];
        let mut register = 0;
        while register < STARTS.len() {
            let mut at = 0;
            while at < REGISTER {
                let (player, bit) = PLACES[STARTS[register] + at];
                table[register][at] = if which == 0 { (8 * player + bit / 8) as u8 } else { 1 << (bit % 8) };
                at += 1;
            }
            register += 1;
        }
        table
    }

    #[target_feature(enable = "avx2")]
    #[expect(unsafe_code, reason = "registers are read from and written to arrays of their size")]
    pub(super) fn write_boards(own: &[u64], occupied: &[u64], boards: &mut [[u8; BOARD]]) {
        // SAFETY: an array of 32 bytes is read.
        let read = |table: &[u8; REGISTER]| unsafe { _mm256_loadu_si256(table.as_ptr().cast()) };
        let (bytes, bits) = (BYTES.each_ref().map(read), BITS.each_ref().map(read));
        let one = _mm256_set1_epi8(1);
        for ((&own, &occupied), board) in own.iter().zip(occupied).zip(boards) {
            let discs = _mm_set_epi64x((own ^ occupied).cast_signed(), own.cast_signed());
            let discs = _mm256_broadcastsi128_si256(discs);
            for register in 0..STARTS.len() {
                let cells = _mm256_and_si256(_mm256_shuffle_epi8(discs, bytes[register]), bits[register]);
                let cells = _mm256_min_epu8(cells, one);
                // SAFETY: 32 bytes from the start are inside the board.
                unsafe { _mm256_storeu_si256(board.as_mut_ptr().add(STARTS[register]).cast(), cells) };
            }
        }
    }
}
