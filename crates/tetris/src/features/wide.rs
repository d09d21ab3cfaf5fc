//! [`texture`](super::texture) with all columns of the board in one 512-bit register.

use std::arch::x86_64::{
    _mm512_add_epi32, _mm512_alignr_epi32, _mm512_and_si512, _mm512_andnot_si512, _mm512_loadu_si512,
    _mm512_lzcnt_epi32, _mm512_mask_reduce_or_epi32, _mm512_maskz_mov_epi32, _mm512_or_si512,
    _mm512_popcnt_epi32, _mm512_reduce_add_epi32, _mm512_set1_epi32, _mm512_slli_epi32, _mm512_srli_epi32,
    _mm512_srlv_epi32, _mm512_test_epi32_mask, _mm512_xor_si512,
};

use super::Texture;
use crate::board::rows_below;

/// Lanes 1 to 10: the columns.
const COLUMNS: u16 = 0b0000_0111_1111_1110;
/// Lanes 1 to 11: what has a left neighbour.
const BORDERS: u16 = 0b0000_1111_1111_1110;

/// Whether this processor can run [`texture`].
#[inline(always)]
pub(super) fn is_available() -> bool {
    std::arch::is_x86_feature_detected!("avx512f")
        && std::arch::is_x86_feature_detected!("avx512cd")
        && std::arch::is_x86_feature_detected!("avx512vpopcntdq")
}

/// The same as the portable function.
#[target_feature(enable = "avx512f,avx512cd,avx512vpopcntdq,popcnt")]
#[allow(unsafe_code, reason = "one load from an array of exactly the register's size")]
pub(super) fn texture(lanes: &[u32; 16], rows: u32) -> Texture {
    // SAFETY: the array is 64 bytes long, which is what the load reads; it needs no alignment.
    let column = unsafe { _mm512_loadu_si512(lanes.as_ptr().cast()) };
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
    let holes = _mm512_andnot_si512(column, below_top);
    let hole_rows = _mm512_mask_reduce_or_epi32(COLUMNS, holes);
    // Adding one carries through the run that stands on the floor; what stays hangs over a hole.
    let hanging = _mm512_and_si512(column, _mm512_add_epi32(column, one));

    let empty = _mm512_andnot_si512(column, field);
    let mut well = _mm512_maskz_mov_epi32(COLUMNS, _mm512_and_si512(_mm512_and_si512(left, right), empty));
    let mut wells = _mm512_popcnt_epi32(well);
    loop {
        well = _mm512_and_si512(_mm512_srli_epi32::<1>(well), empty);
        if _mm512_test_epi32_mask(well, well) == 0 {
            break;
        }
        wells = _mm512_add_epi32(wells, _mm512_popcnt_epi32(well));
    }

    // Two sums in one register: none of them reaches 2^16.
    let transitions = _mm512_add_epi32(
        row_transitions,
        _mm512_slli_epi32::<16>(_mm512_maskz_mov_epi32(COLUMNS, column_transitions)),
    );
    let transitions = _mm512_reduce_add_epi32(transitions) as u32;
    let hole_counts =
        _mm512_add_epi32(_mm512_popcnt_epi32(holes), _mm512_slli_epi32::<16>(_mm512_popcnt_epi32(hanging)));
    let hole_counts = _mm512_reduce_add_epi32(_mm512_maskz_mov_epi32(COLUMNS, hole_counts)) as u32;
    Texture {
        row_transitions: transitions & 0xFFFF,
        column_transitions: transitions >> 16,
        holes: hole_counts & 0xFFFF,
        hole_depth: hole_counts >> 16,
        wells: _mm512_reduce_add_epi32(wells) as u32,
        rows_with_holes: hole_rows.count_ones(),
    }
}
