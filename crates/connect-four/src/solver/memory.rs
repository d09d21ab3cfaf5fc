//! Zeroed words for a table, in huge pages if the system provides them.

use std::ptr::NonNull;
use std::sync::atomic::AtomicU64;

#[cfg(target_os = "linux")]
use memmap2::Advice;
use memmap2::MmapMut;

/// A fixed block of words shared between threads.
#[derive(Debug)]
pub(super) struct Memory {
    words: NonNull<AtomicU64>,
    len: usize,
    /// Keeps the block alive; read and written through `words` only.
    _owner: Owner,
}

#[derive(Debug)]
#[expect(dead_code, reason = "held, so that the block is released with it")]
enum Owner {
    /// Mapped: pages cost nothing until they are used.
    Mapped(MmapMut),
    /// If mapping fails.
    Boxed(Box<[AtomicU64]>),
}

#[expect(unsafe_code, reason = "the compiler cannot see that the words belong to the owner")]
// SAFETY: `words` points into memory that `_owner` keeps alive and that is
// only ever reached as shared atomics, which any thread may use.
unsafe impl Send for Memory {}
#[expect(unsafe_code, reason = "as for Send")]
// SAFETY: as for Send.
unsafe impl Sync for Memory {}

impl Memory {
    /// `len` words, all zero.
    pub(super) fn new(len: usize) -> Self {
        if let Ok(mut map) = MmapMut::map_anon(len * size_of::<AtomicU64>()) {
            // Otherwise address translation takes a quarter of the search time;
            // a failure only makes the search slower.
            #[cfg(target_os = "linux")]
            let _ = map.advise(Advice::HugePage);
            let words = NonNull::from(&mut map[..]).cast();
            return Self { words, len, _owner: Owner::Mapped(map) };
        }
        let mut boxed: Box<[AtomicU64]> = (0..len).map(|_| AtomicU64::new(0)).collect();
        let words = NonNull::from(&mut boxed[..]).cast();
        Self { words, len, _owner: Owner::Boxed(boxed) }
    }

    #[inline(always)]
    pub(super) fn words(&self) -> &[AtomicU64] {
        #[expect(unsafe_code, reason = "mapped memory is bytes to the compiler")]
        // SAFETY: the owner holds `len` words from `words` on, page-aligned or
        // boxed as words, zeroed at the start, and reached only through here.
        unsafe {
            std::slice::from_raw_parts(self.words.as_ptr(), self.len)
        }
    }

    /// Asks the processor to bring a word into its cache.
    #[inline(always)]
    #[cfg_attr(
        not(target_arch = "x86_64"),
        expect(unused_variables, reason = "others have no such instruction")
    )]
    pub(super) fn prefetch(&self, index: usize) {
        #[cfg(target_arch = "x86_64")]
        #[expect(unsafe_code, reason = "the instruction takes a raw pointer")]
        // SAFETY: prefetching has no effect a program can see, whatever the address.
        unsafe {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            _mm_prefetch::<_MM_HINT_T0>(self.words.as_ptr().wrapping_add(index).cast());
        }
    }
}
