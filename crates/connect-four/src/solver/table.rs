//! The transposition table: what earlier nodes proved about a position.
//!
//! A slot is one atomic word, so threads share the table without locks. The
//! key is mixed by a bijection; its top bits choose the bucket and the others
//! are stored, so that a hit is never wrong:
//!
//! ```text
//!  63            24 23      19 18     13 12      7 6          0
//!  | key remainder | work log2 | lower+32 | upper+32 | generation |
//! ```
//!
//! Two slots make a bucket: the first keeps the most expensive entry, the second
//! the newest. A table uses only as many buckets as a search needs and grows when
//! it gets crowded: a table that fits the processor's cache is worth more than
//! one that forgets nothing.

use std::sync::atomic::{AtomicU64, Ordering};

use super::memory::Memory;

/// Odd, so that multiplication modulo 2^bits is a bijection (golden ratio).
const MIX: u64 = 0x9E37_79B9_7F4A_7C15;
const SLOTS: usize = 2;
/// The fewest buckets: 64 KiB, with which the remainder of a 49-bit key still fits.
const MIN_BITS: u32 = 12;
const MAX_BITS: u32 = 36;
const REST_SHIFT: u32 = 24;
const WORK_SHIFT: u32 = 19;
const LOWER_SHIFT: u32 = 13;
const UPPER_SHIFT: u32 = 7;
const WORK_MASK: u64 = 31;
const SCORE_MASK: u64 = 63;
/// Also the largest generation.
const GENERATION_MASK: u64 = 127;
const OFFSET: i32 = 32;

/// Proved limits of a position's score for the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Limits {
    /// The score is at least this.
    pub lower: i32,
    /// The score is at most this.
    pub upper: i32,
}

/// A table shared by all threads of a search.
#[derive(Debug)]
pub(crate) struct Table {
    memory: Memory,
    /// Bits of a key, mixed or not.
    key_bits: u32,
    /// Log2 of the buckets in use.
    bits: u32,
    /// Log2 of the buckets that fit into the memory.
    room_bits: u32,
    /// Log2 of the buckets that may hold words of an earlier generation.
    used_bits: u32,
    /// Words of other generations count as empty; 0 is never used.
    generation: u64,
}

impl Table {
    /// A table for keys of `key_bits` with room for `bytes`, rounded down to a power of two.
    pub(crate) fn new(key_bits: u32, bytes: usize) -> Self {
        let buckets = (bytes / (SLOTS * size_of::<AtomicU64>())).max(1);
        let room_bits = buckets.ilog2().clamp(MIN_BITS, MAX_BITS).min(key_bits.max(MIN_BITS));
        Self {
            memory: Memory::new(SLOTS << room_bits),
            key_bits: key_bits.max(MIN_BITS),
            bits: MIN_BITS,
            room_bits,
            used_bits: MIN_BITS,
            generation: 1,
        }
    }

    /// Forgets everything, usually at the cost of one addition.
    pub(crate) fn clear(&mut self) {
        self.bits = MIN_BITS;
        self.generation += 1;
        if self.generation > GENERATION_MASK {
            self.generation = 1;
            for slot in &self.memory.words()[..SLOTS << self.used_bits] {
                slot.store(0, Ordering::Relaxed);
            }
            self.used_bits = MIN_BITS;
        }
    }

    /// Slots in use.
    pub(crate) fn slots(&self) -> u64 {
        (SLOTS as u64) << self.bits
    }

    /// Whether the table has grown to its full size.
    pub(crate) fn is_full_grown(&self) -> bool {
        self.bits == self.room_bits
    }

    /// Grows to 2^`bits` buckets, or as many as fit; never shrinks.
    pub(crate) fn grow_to(&mut self, bits: u32) {
        self.grow(bits.saturating_sub(self.bits));
    }

    /// Multiplies the buckets by 2^`more`, or by as much as fits; entries move to their new places.
    pub(crate) fn grow(&mut self, more: u32) {
        let more = more.min(self.room_bits - self.bits);
        if more == 0 {
            return;
        }
        let rest_bits = self.key_bits - self.bits - more;
        let words = self.memory.words();
        // From the top: bucket i spreads over buckets i·2^more and up, which
        // are all behind the buckets still to be read.
        for bucket in (0..1_usize << self.bits).rev() {
            let old = &words[bucket * SLOTS..(bucket + 1) * SLOTS];
            let held = [old[0].swap(0, Ordering::Relaxed), old[1].swap(0, Ordering::Relaxed)];
            for word in held.into_iter().filter(|word| word & GENERATION_MASK == self.generation) {
                let rest = word >> REST_SHIFT;
                let place = ((bucket << more) | (rest >> rest_bits) as usize) * SLOTS;
                let moved = (rest & ((1 << rest_bits) - 1)) << REST_SHIFT | word & ((1 << REST_SHIFT) - 1);
                let taken = words[place].load(Ordering::Relaxed) & GENERATION_MASK == self.generation;
                words[place + usize::from(taken)].store(moved, Ordering::Relaxed);
            }
        }
        self.bits += more;
        self.used_bits = self.used_bits.max(self.bits);
    }

    /// Index of the first slot, and the remainder of a key.
    #[inline(always)]
    fn place(&self, key: u64) -> (usize, u64) {
        let mixed = key.wrapping_mul(MIX) & ((1 << self.key_bits) - 1);
        let rest_bits = self.key_bits - self.bits;
        ((mixed >> rest_bits) as usize * SLOTS, mixed & ((1 << rest_bits) - 1))
    }

    /// Asks the processor to bring the position's bucket into its cache.
    #[inline(always)]
    pub(crate) fn prefetch(&self, key: u64) {
        let (index, _) = self.place(key);
        self.memory.prefetch(index);
    }

    /// What is known about the position.
    #[inline(always)]
    pub(crate) fn get(&self, key: u64) -> Option<Limits> {
        let (index, rest) = self.place(key);
        let bucket = &self.memory.words()[index..index + SLOTS];
        let wanted = |word: u64| word >> REST_SHIFT == rest && word & GENERATION_MASK == self.generation;
        bucket.iter().map(|slot| slot.load(Ordering::Relaxed)).find(|&word| wanted(word)).map(limits)
    }

    /// Adds what a search proved at the cost of `nodes`.
    #[inline(always)]
    pub(crate) fn put(&self, key: u64, proved: Limits, nodes: u64) {
        let (index, rest) = self.place(key);
        let [first, second] = [&self.memory.words()[index], &self.memory.words()[index + 1]];
        let [costliest, newest] = [first.load(Ordering::Relaxed), second.load(Ordering::Relaxed)];
        let work = u64::from(nodes.max(1).ilog2()).min(WORK_MASK);
        let entry = |limits: Limits, work: u64| {
            rest << REST_SHIFT
                | work << WORK_SHIFT
                | ((limits.lower + OFFSET) as u64) << LOWER_SHIFT
                | ((limits.upper + OFFSET) as u64) << UPPER_SHIFT
                | self.generation
        };
        for (slot, old) in [(first, costliest), (second, newest)] {
            if old >> REST_SHIFT == rest && old & GENERATION_MASK == self.generation {
                let known = limits(old);
                let both =
                    Limits { lower: known.lower.max(proved.lower), upper: known.upper.min(proved.upper) };
                slot.store(entry(both, work.max(old >> WORK_SHIFT & WORK_MASK)), Ordering::Relaxed);
                return;
            }
        }
        if costliest & GENERATION_MASK != self.generation {
            first.store(entry(proved, work), Ordering::Relaxed);
        } else if work >= costliest >> WORK_SHIFT & WORK_MASK {
            second.store(costliest, Ordering::Relaxed);
            first.store(entry(proved, work), Ordering::Relaxed);
        } else {
            second.store(entry(proved, work), Ordering::Relaxed);
        }
    }
}

#[inline(always)]
fn limits(word: u64) -> Limits {
    Limits {
        lower: (word >> LOWER_SHIFT & SCORE_MASK) as i32 - OFFSET,
        upper: (word >> UPPER_SHIFT & SCORE_MASK) as i32 - OFFSET,
    }
}
