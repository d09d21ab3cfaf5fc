//! How many frames the emulator makes of one second of processor time, our cartridge in play, and how many
//! of them are seen as well.
//!
//! `cargo bench -p players --bench console [-- --json]`

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a measurement that cannot start says so")]

use std::time::Duration;

use engine::{Picture, PixelFormat};
use gameboy::display::{PERIOD, SCREEN_HEIGHT, SCREEN_WIDTH, TICKS_PER_SECOND};
use gameboy::{Console, Emulator, stackfall};
use players::tetris::see::{KnownTiles, see};
use tetris::gameboy::Buttons;

const FRAMES: u32 = 30_000;
const FRAMES_PER_SECOND: f64 = TICKS_PER_SECOND as f64 / PERIOD as f64;

fn main() {
    let json = std::env::args().any(|argument| argument == "--json");
    let emulated = best(|| frames_per_cpu_s(|_| ()));
    let known = KnownTiles::stackfall();
    let mut picture = Picture::black(SCREEN_WIDTH as u32, SCREEN_HEIGHT as u32, PixelFormat::Gray8);
    let seen = best(|| {
        frames_per_cpu_s(|console| {
            console.screen().write_luma(&mut picture.pixels);
            std::hint::black_box(see(&picture, 0, &known)).unwrap();
        })
    });
    let figures = [
        ("frames_per_cpu_s", emulated),
        ("real_time_factor", emulated / FRAMES_PER_SECOND),
        ("frames_seen_per_cpu_s", seen),
    ];
    if json {
        let fields: Vec<_> = figures.iter().map(|(name, value)| format!("\"{name}\": {value}")).collect();
        println!("{{{}}}", fields.join(", "));
    } else {
        for (name, value) in figures {
            println!("{name:24} {value:>12.1}");
        }
    }
}

/// The best of three: other work on the machine only ever slows down.
fn best(mut measure: impl FnMut() -> f64) -> f64 {
    (0..3).map(|_| measure()).fold(0.0, f64::max)
}

fn frames_per_cpu_s(mut look: impl FnMut(&Emulator)) -> f64 {
    let mut console = Emulator::new(&stackfall::cartridge()).unwrap();
    for frame in 0..200 {
        console.step(held(frame)).unwrap();
    }
    let start = cpu_time();
    for frame in 200..200 + FRAMES {
        console.step(held(frame)).unwrap();
        look(&console);
    }
    f64::from(FRAMES) / cpu_time().saturating_sub(start).as_secs_f64()
}

/// The same presses as in `xtask/src/bench/gameboy_peer.py`: Start every now and then leads from any
/// menu into a game (and pauses and resumes it), and pieces are spread over the field.
fn held(frame: u32) -> Buttons {
    if frame < 160 || frame % 4_000 < 160 {
        return if frame % 20 < 2 { Buttons::START } else { Buttons::NONE };
    }
    match (frame % 64, frame / 64 % 4) {
        (0..2, _) => Buttons::A,
        (4..30, 0) => Buttons::LEFT,
        (4..30, 1) => Buttons::RIGHT,
        (4..6, 2) => Buttons::LEFT,
        (30..60, _) => Buttons::DOWN,
        _ => Buttons::NONE,
    }
}

fn cpu_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}
