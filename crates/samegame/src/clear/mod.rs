//! Clears a board, or proves that it cannot be cleared.
//!
//! - [`exhaustive`]: depth first, last group first, always the same answer;
//! - [`evolutionary`]: a population of move lists, as in the source of S4;
//! - [`auto`]: annealing for speed and exhaustive search for proofs, alternating.

pub mod auto;
pub mod evolutionary;
pub mod exhaustive;

use crate::field::Counts;

/// Whether some colour has too few cells left to ever form a group.
#[inline(always)]
pub(crate) fn is_hopeless(counts: &Counts, min_group: u32) -> bool {
    counts.iter().any(|&count| count != 0 && count < min_group)
}
