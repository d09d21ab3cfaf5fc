//! Runs hot code with the instructions this processor has.

/// Work that is compiled twice: plainly and for AVX2, BMI and POPCNT.
pub trait HotLoop {
    /// What it answers.
    type Output;
    /// Does the work. Implementations must be `#[inline(always)]`, as must
    /// everything below that matters: only code inlined here is compiled twice.
    fn run(self) -> Self::Output;
}

/// Runs the work with the best instructions this processor has.
pub fn at_full_speed<L: HotLoop>(work: L) -> L::Output {
    #[cfg(target_arch = "x86_64")]
    if std::is_x86_feature_detected!("avx2")
        && std::is_x86_feature_detected!("bmi1")
        && std::is_x86_feature_detected!("bmi2")
        && std::is_x86_feature_detected!("lzcnt")
        && std::is_x86_feature_detected!("popcnt")
    {
        #[expect(unsafe_code, reason = "the only way to use instructions found at run time")]
        // SAFETY: every feature that `with_avx2` enables was detected just above.
        return unsafe { with_avx2(work) };
    }
    work.run()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn with_avx2<L: HotLoop>(work: L) -> L::Output {
    work.run()
}
