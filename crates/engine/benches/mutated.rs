//! Strangers' recordings: a real one, mutated at random in many ways, is refused or shown; nothing panics, and memory stays
//! small.
//!
//! Options: `--json`, `--variants N` (100,000), `--seed S` (1).

#![allow(
    clippy::print_stdout,
    clippy::expect_used,
    missing_docs,
    reason = "a measuring program prints its figures and ends with the first thing that fails"
)]

mod mutate;

use std::alloc::{GlobalAlloc, Layout, System};
use std::io::Cursor;
use std::panic::catch_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use engine::Time;
use engine::replay::Reel;
use mutate::{Random, mutated};

/// Counts what is allocated, and the most at any time.
struct Counting;

static NOW: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);

#[expect(unsafe_code, reason = "an allocator that counts; everything is passed on")]
// SAFETY: every call is passed on to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let now = NOW.fetch_add(layout.size(), Ordering::Relaxed) + layout.size();
        MOST.fetch_max(now, Ordering::Relaxed);
        // SAFETY: the caller's promises are passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        NOW.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller's promises are passed on.
        unsafe { System.dealloc(place, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn main() {
    let number = |name: &str, default: u64| {
        let mut arguments = std::env::args().skip_while(|argument| argument != name).skip(1);
        arguments.next().map_or(default, |value| value.parse().expect("a number"))
    };
    let (variants, mut random) = (number("--variants", 100_000), Random(number("--seed", 1)));
    let (mut shown, mut refused, mut panics) = (0u64, 0u64, 0u64);
    std::panic::set_hook(Box::new(|_| ()));
    let mut most = 0;
    for variant in 0..variants {
        let file = mutated(variant, &mut random);
        let before = NOW.load(Ordering::Relaxed);
        MOST.store(before, Ordering::Relaxed);
        match catch_unwind(|| look(&file)) {
            Ok(true) => shown += 1,
            Ok(false) => refused += 1,
            Err(_) => panics += 1,
        }
        most = most.max(MOST.load(Ordering::Relaxed) - before);
    }
    println!(
        "{}",
        serde_json::json!({
            "variants": variants, "shown": shown, "refused": refused, "panics": panics,
            "most_mb": most as f64 / f64::from(1 << 20),
        })
    );
}

/// Whether it can be looked at, at all; every way to look is tried.
fn look(file: &[u8]) -> bool {
    let Ok(reel) = Reel::read(Cursor::new(file)) else { return false };
    for frame in [0, reel.frames() / 2, reel.frames() - 1] {
        let _ = reel.png(Cursor::new(file), frame);
        let _ = reel.moment(Cursor::new(file), frame, Duration::from_secs(6));
    }
    let _ = reel.frame_at(Cursor::new(file), Time::from_nanos(u64::MAX / 2));
    true
}
