//! Emptying a board, or proving that it cannot be emptied.
//!
//! - [`exhaustive`]: depth first, last group first, always the same answer;
//! - [`evolutionary`]: the document's population of move lists;
//! - [`auto`]: annealing for speed and exhaustive search for proofs, in turns.

pub mod auto;
pub mod evolutionary;
pub mod exhaustive;

use crate::field::Counts;

/// Whether some colour has too few cells left to ever make a group.
#[inline(always)]
pub(crate) fn is_hopeless(counts: &Counts, min_group: u32) -> bool {
    counts.iter().any(|&count| count != 0 && count < min_group)
}
