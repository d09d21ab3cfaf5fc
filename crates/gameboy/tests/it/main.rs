//! The console and the cartridge together.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on fails")]

mod cartridge;
mod console;
#[path = "../../examples/lockstep/images.rs"]
mod images;
mod link;
mod lockstep;
mod randomiser;
mod second_opinion;
mod sound;
mod torture;
#[path = "../../examples/tour/tour.rs"]
mod tour;
#[path = "../../examples/lockstep/walk.rs"]
mod walk;

use gameboy::Console;
use gameboy::memory::{Scene, scene};
use tetris::gameboy::Buttons;

/// Two frames of a press, then some of rest.
fn press(console: &mut impl Console, buttons: Buttons, rest: u32) {
    for frame in 0..2 + rest {
        console.step(if frame < 2 { buttons } else { Buttons::NONE }).unwrap();
    }
}

/// From power-on into an A-type game on level 0, leaving the title alone for `idle` frames.
fn start_game(console: &mut impl Console, idle: u32) {
    for _ in 0..30 + idle {
        console.step(Buttons::NONE).unwrap();
    }
    press(console, Buttons::START, 8);
    press(console, Buttons::START, 8);
    press(console, Buttons::START, 8);
    assert_eq!(scene(console), Scene::Play);
}
