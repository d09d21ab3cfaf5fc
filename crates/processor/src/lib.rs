//! Runs hot code with the best instructions that this processor has.
//!
//! Work that implements [`HotLoop`] is compiled several times, once for each
//! [`Instructions`] level, and the right version is chosen when it is called:
//!
//! ```
//! use processor::{HotLoop, at_full_speed};
//!
//! struct CountBits<'a>(&'a [u64]);
//!
//! impl HotLoop for CountBits<'_> {
//!     type Output = u32;
//!
//!     #[inline(always)]
//!     fn run(self) -> u32 {
//!         self.0.iter().map(|word| word.count_ones()).sum()
//!     }
//! }
//!
//! assert_eq!(at_full_speed(CountBits(&[0b1011, 0b1])), 4);
//! ```
//!
//! The processor is asked once; after that a choice costs one load and one
//! predictable branch, so it can be made inside a loop of nanoseconds.

use std::sync::atomic::{AtomicU8, Ordering};

/// Work that is compiled once for each level of instructions.
pub trait HotLoop {
    /// The result of the work.
    type Output;

    /// Does the work. Implementations must be `#[inline(always)]`, as must
    /// everything below that matters: only inlined code is compiled again.
    fn run(self) -> Self::Output;
}

/// Instructions beyond the target's minimum. A level includes those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Instructions {
    /// What every processor of this architecture has.
    Basic = 1,
    /// AVX2, BMI1, BMI2, LZCNT and POPCNT.
    Bits = 2,
    /// AVX-512 F, CD and VPOPCNTDQ: 512-bit registers that count bits.
    Wide = 3,
}

impl Instructions {
    /// The highest level of this processor.
    #[inline(always)]
    pub fn available() -> Instructions {
        match KNOWN.load(Ordering::Relaxed) {
            UNKNOWN => detect(),
            known if known == Instructions::Wide as u8 => Instructions::Wide,
            known if known == Instructions::Bits as u8 => Instructions::Bits,
            _ => Instructions::Basic,
        }
    }

    /// Whether this processor has these instructions.
    #[inline(always)]
    pub fn are_available(self) -> bool {
        Instructions::available() >= self
    }
}

/// The detected level, or [`UNKNOWN`].
static KNOWN: AtomicU8 = AtomicU8::new(UNKNOWN);
const UNKNOWN: u8 = 0;

#[cold]
fn detect() -> Instructions {
    let found = detected();
    KNOWN.store(found as u8, Ordering::Relaxed);
    found
}

#[cfg(target_arch = "x86_64")]
fn detected() -> Instructions {
    let bits = std::is_x86_feature_detected!("avx2")
        && std::is_x86_feature_detected!("bmi1")
        && std::is_x86_feature_detected!("bmi2")
        && std::is_x86_feature_detected!("lzcnt")
        && std::is_x86_feature_detected!("popcnt");
    let wide = std::is_x86_feature_detected!("avx512f")
        && std::is_x86_feature_detected!("avx512cd")
        && std::is_x86_feature_detected!("avx512vpopcntdq");
    match (bits, wide) {
        (true, true) => Instructions::Wide,
        (true, false) => Instructions::Bits,
        (false, _) => Instructions::Basic,
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn detected() -> Instructions {
    Instructions::Basic
}

/// Runs work that is compiled for [`Instructions::Basic`] and [`Instructions::Bits`].
#[inline(always)]
pub fn at_full_speed<L: HotLoop>(work: L) -> L::Output {
    #[cfg(target_arch = "x86_64")]
    if Instructions::Bits.are_available() {
        #[expect(unsafe_code, reason = "the only way to use instructions found at run time")]
        // SAFETY: the line above made sure that this processor has them.
        return unsafe { with_bits(work) };
    }
    with_basic(work)
}

/// Runs work that is compiled for all levels, [`Instructions::Wide`] included.
#[inline(always)]
pub fn at_full_width<L: HotLoop>(work: L) -> L::Output {
    #[cfg(target_arch = "x86_64")]
    if Instructions::Wide.are_available() {
        #[expect(unsafe_code, reason = "the only way to use instructions found at run time")]
        // SAFETY: the line above made sure that this processor has them.
        return unsafe { with_wide(work) };
    }
    at_full_speed(work)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512cd,avx512vpopcntdq,avx2,bmi1,bmi2,lzcnt,popcnt")]
fn with_wide<L: HotLoop>(work: L) -> L::Output {
    work.run()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn with_bits<L: HotLoop>(work: L) -> L::Output {
    work.run()
}

/// A function of its own, so that work may call itself through [`at_full_speed`].
#[inline(never)]
fn with_basic<L: HotLoop>(work: L) -> L::Output {
    work.run()
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Countdown(u32);

    impl HotLoop for Countdown {
        type Output = u32;

        #[inline(always)]
        fn run(self) -> u32 {
            if self.0 == 0 { 0 } else { 1 + at_full_speed(Countdown(self.0 - 1)) }
        }
    }

    #[test]
    fn work_may_call_itself_on_every_level() {
        assert_eq!(with_basic(Countdown(100)), 100);
        assert_eq!(at_full_speed(Countdown(100)), 100);
        assert_eq!(at_full_width(Countdown(100)), 100);
    }

    #[test]
    fn what_was_detected_is_remembered() {
        let first = Instructions::available();
        assert_eq!(first, detected());
        assert_eq!(Instructions::available(), first);
        assert!(Instructions::Basic.are_available());
        assert!(first.are_available());
    }
}
