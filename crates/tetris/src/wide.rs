//! Board operations with the whole board in one 512-bit register.
//!
//! Every function has a portable twin next to its caller; tests compare both
//! with the slow reference. Inlined into the search's kernel at
//! [`processor::Instructions::Wide`], the register never goes through memory.

use std::arch::x86_64::{
    __m512i, _mm_cvtsi32_si128, _mm512_abs_epi32, _mm512_add_epi32, _mm512_alignr_epi32, _mm512_and_si512,
    _mm512_andnot_si512, _mm512_loadu_si512, _mm512_lzcnt_epi32, _mm512_mask_reduce_or_epi32,
    _mm512_maskz_add_epi32, _mm512_maskz_mov_epi32, _mm512_or_si512, _mm512_popcnt_epi32,
    _mm512_reduce_add_epi32, _mm512_set1_epi32, _mm512_sll_epi32, _mm512_slli_epi32, _mm512_srli_epi32,
    _mm512_srlv_epi32, _mm512_storeu_si512, _mm512_sub_epi32, _mm512_test_epi32_mask, _mm512_xor_si512,
};

use crate::board::{WIDTH, rows_below};
use crate::features::{Outline, Texture};
use crate::piece::Shape;

/// Lanes 1 to 10: the columns.
const COLUMNS: u16 = 0b0000_0111_1111_1110;
/// Lanes 1 to 11: lanes with a left neighbour.
const BORDERS: u16 = 0b0000_1111_1111_1110;
/// Lanes 2 to 10: columns with a column to their left.
const STEPS: u16 = 0b0000_0111_1111_1100;
/// Bits of one sum over the lanes; three sums are packed into a word.
const PACK: u32 = 10;
const PACK_MASK: u32 = (1 << PACK) - 1;
/// Steps down a well before checking whether any is deeper: a badly predicted branch costs more.
const SHALLOW: usize = 4;

#[inline]
#[target_feature(enable = "avx512f")]
#[allow(unsafe_code, reason = "one load from an array of exactly the register's size")]
fn load(lanes: &[u32; 16]) -> __m512i {
    // SAFETY: the array is 64 bytes long, which is what the load reads; it needs no alignment.
    unsafe { _mm512_loadu_si512(lanes.as_ptr().cast()) }
}

/// Fills the cells of a shape whose first column is `first` and whose lowest cells are in row `bottom`.
#[inline]
#[target_feature(enable = "avx512f")]
#[allow(unsafe_code, reason = "one load and one store of exactly the register's size")]
pub(crate) fn place(lanes: &mut [u32; 16], shape: &Shape, first: usize, bottom: u32) {
    // One lane is the wall's; the mask keeps the sixteen lanes inside the array.
    let start = (Shape::LANES / 2 - 1).wrapping_sub(first) & (Shape::LANES / 2 - 1);
    // SAFETY: `start` is at most 15 and the array has 32 lanes.
    let cells = unsafe { _mm512_loadu_si512(shape.lanes.as_ptr().add(start).cast()) };
    let cells = _mm512_sll_epi32(cells, _mm_cvtsi32_si128(bottom as i32));
    let filled = _mm512_or_si512(load(lanes), cells);
    // SAFETY: the array is 64 bytes long, which is what the store writes.
    unsafe { _mm512_storeu_si512(lanes.as_mut_ptr().cast(), filled) };
}

/// See [`crate::features::outline`].
#[inline]
#[target_feature(enable = "avx512f,avx512cd,avx512vpopcntdq")]
pub(crate) fn outline(lanes: &[u32; 16]) -> Outline {
    let column = load(lanes);
    let height = _mm512_sub_epi32(_mm512_set1_epi32(32), _mm512_lzcnt_epi32(column));
    let left = _mm512_alignr_epi32::<15>(height, height);
    let step = _mm512_maskz_mov_epi32(STEPS, _mm512_abs_epi32(_mm512_sub_epi32(height, left)));
    let cells = _mm512_slli_epi32::<PACK>(_mm512_popcnt_epi32(column));
    let packed = _mm512_add_epi32(
        _mm512_maskz_add_epi32(COLUMNS, height, cells),
        _mm512_slli_epi32::<{ 2 * PACK }>(step),
    );
    let sums = _mm512_reduce_add_epi32(packed) as u32;
    let aggregate_height = sums & PACK_MASK;
    Outline {
        aggregate_height,
        holes: aggregate_height - (sums >> PACK & PACK_MASK),
        bumpiness: sums >> (2 * PACK),
    }
}

/// See [`crate::features::texture`].
#[inline]
#[target_feature(enable = "avx512f,avx512cd,avx512vpopcntdq,popcnt")]
pub(crate) fn texture(lanes: &[u32; 16], rows: u32) -> Texture {
    let column = load(lanes);
    let left = _mm512_alignr_epi32::<15>(column, column);
    let right = _mm512_alignr_epi32::<1>(column, column);
    let field = _mm512_set1_epi32(rows_below(rows) as i32);
    let one = _mm512_set1_epi32(1);

    let along_row = _mm512_and_si512(_mm512_xor_si512(column, left), field);
    let row_transitions = _mm512_maskz_mov_epi32(BORDERS, _mm512_popcnt_epi32(along_row));
    let from_below = _mm512_or_si512(_mm512_slli_epi32::<1>(column), one);
    let up_to_sky = _mm512_set1_epi32(rows_below(rows + 1) as i32);
    let along_column = _mm512_and_si512(_mm512_xor_si512(column, from_below), up_to_sky);
    let column_transitions = _mm512_popcnt_epi32(along_column);

    let below_top = _mm512_srlv_epi32(_mm512_set1_epi32(-1), _mm512_lzcnt_epi32(column));
    let hole = _mm512_andnot_si512(column, below_top);
    let hole_rows = _mm512_mask_reduce_or_epi32(COLUMNS, hole);
    let holes = _mm512_popcnt_epi32(hole);
    // Adding one carries through the run that stands on the floor; the rest hangs over a hole.
    let hanging = _mm512_and_si512(column, _mm512_add_epi32(column, one));
    let hole_depth = _mm512_popcnt_epi32(hanging);

    let empty = _mm512_andnot_si512(column, field);
    let mut well = _mm512_maskz_mov_epi32(COLUMNS, _mm512_and_si512(_mm512_and_si512(left, right), empty));
    let mut wells = _mm512_popcnt_epi32(well);
    for _ in 0..SHALLOW {
        well = _mm512_and_si512(_mm512_srli_epi32::<1>(well), empty);
        wells = _mm512_add_epi32(wells, _mm512_popcnt_epi32(well));
    }
    while _mm512_test_epi32_mask(well, well) != 0 {
        well = _mm512_and_si512(_mm512_srli_epi32::<1>(well), empty);
        wells = _mm512_add_epi32(wells, _mm512_popcnt_epi32(well));
    }

    let by_column = _mm512_maskz_add_epi32(
        COLUMNS,
        _mm512_slli_epi32::<PACK>(column_transitions),
        _mm512_slli_epi32::<{ 2 * PACK }>(holes),
    );
    let first = _mm512_reduce_add_epi32(_mm512_add_epi32(row_transitions, by_column)) as u32;
    let second = _mm512_maskz_add_epi32(COLUMNS, hole_depth, _mm512_slli_epi32::<PACK>(wells));
    let second = _mm512_reduce_add_epi32(second) as u32;
    Texture {
        row_transitions: first & PACK_MASK,
        column_transitions: first >> PACK & PACK_MASK,
        holes: first >> (2 * PACK),
        hole_depth: second & PACK_MASK,
        wells: second >> PACK,
        rows_with_holes: hole_rows.count_ones(),
    }
}

const _: () = assert!(WIDTH * 32 < 1 << PACK, "sums over the columns fit");
