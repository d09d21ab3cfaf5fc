//! Zeroed memory for a table, in huge pages where the system grants them.

use std::sync::atomic::AtomicU64;

use memmap2::MmapMut;

/// A block of words shared between threads.
#[derive(Debug)]
pub(super) struct Memory {
    map: MmapMut,
    words: *const AtomicU64,
    len: usize,
}

#[allow(unsafe_code)]
unsafe impl Send for Memory {}
#[allow(unsafe_code)]
unsafe impl Sync for Memory {}

impl Memory {
    pub(super) fn new(len: usize) -> Self {
        let mut map = MmapMut::map_anon(len * 8).unwrap();
        let _ = map.advise(memmap2::Advice::HugePage);
        let words = map.as_mut_ptr() as *const AtomicU64;
        Self { map, words, len }
    }

    #[inline(always)]
    pub(super) fn words(&self) -> &[AtomicU64] {
        #[allow(unsafe_code)]
        unsafe {
            std::slice::from_raw_parts(self.words, self.len)
        }
    }

    #[inline(always)]
    pub(super) fn prefetch(&self, index: usize) {
        #[cfg(target_arch = "x86_64")]
        #[allow(unsafe_code)]
        unsafe {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            _mm_prefetch::<_MM_HINT_T0>(self.words.wrapping_add(index).cast());
        }
    }
}
