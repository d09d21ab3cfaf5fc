//! Runs hot code with the instructions this processor has.

/// Work that is compiled twice: plainly and for AVX2.
pub(crate) trait HotLoop {
    /// What it answers.
    type Output;
    /// Does the work. Implementations must be `#[inline(always)]`, as must everything below that
    /// matters: only code inlined here is compiled twice.
    fn run(self) -> Self::Output;
}

/// Runs the work with the best instructions this processor has.
pub(crate) fn at_full_speed<L: HotLoop>(work: L) -> L::Output {
    #[cfg(target_arch = "x86_64")]
    if std::is_x86_feature_detected!("avx2") {
        #[expect(unsafe_code, reason = "the only way to use instructions found at run time")]
        // SAFETY: the feature that `with_avx2` enables was detected just above.
        return unsafe { with_avx2(work) };
    }
    work.run()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn with_avx2<L: HotLoop>(work: L) -> L::Output {
    work.run()
}
