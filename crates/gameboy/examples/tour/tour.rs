//! A tour through the cartridge that looks the same on every emulator: menus, demo, games, endings, rockets.
//!
//! Buttons depend on the cartridge's own count of frames. What depends on the console's divider, and so on the
//! emulator, is set from outside: which pieces come, and the rubble of a B-type game. `xtask/src/bench/tour_peer.py`
//! does the same in PyBoy.

use gameboy::{Console, Crash, Screen};
use tetris::gameboy::Buttons;

/// A console whose memory can be set.
pub trait Open: Console {
    /// Sets a byte.
    fn set(&mut self, address: u16, value: u8);
}

/// Frames after the display was off until all emulators show a picture.
const SETTLED: u32 = 1;
/// The first frame that is told about: when an emulator has drawn the title differs by a frame.
pub const FIRST: u32 = 4;
/// Frames from one press to the next, and how many of them it lasts.
const BLOCK: u32 = 12;
const PRESS: u32 = 5;

const LCDC: u16 = 0xFF40;
/// The display's control register when it shows a screen.
const SHOWN: u8 = 0xD3;
const SCENE: u16 = 0xC0A0;
const FRAME: u16 = 0xC0A1;
const GAME_TYPE: u16 = 0xC0A5;
const HIGH: u16 = 0xC0A9;
const FIRST_DIGIT: u16 = 0xC0AF;
const LINES: u16 = 0xC0B0;
const PIECE: u16 = 0xC0B2;
const TOP: u16 = 0xC0B5;
const PREVIEW: u16 = 0xC0B6;
const HIDDEN: u16 = 0xC0B7;
const PHASE: u16 = 0xC0B8;
const DRAWS: u16 = 0xC0CC;
const MUSIC: u16 = 0xC0FC;
const FIELD: u16 = 0xC202;
const TYPE: u8 = 1;
const PLAY: u8 = 5;
const BLANK: u8 = 0x2F;
const CELL: u8 = 0x82;

/// The buttons for the frame with this number.
fn buttons(frame: u32, quiet: u32, scene: u8) -> Buttons {
    if frame < quiet || frame % BLOCK >= PRESS {
        return Buttons::NONE;
    }
    let block = frame / BLOCK;
    // Start comes twice, so that a game does not stay paused.
    if dice(block).is_multiple_of(24) || dice(block - 1).is_multiple_of(24) {
        return Buttons::START;
    }
    match dice(block) % 16 {
        0..3 => Buttons::LEFT,
        3..6 => Buttons::RIGHT,
        // Up and Down would choose silence sooner or later.
        6..11 | 14 if scene == TYPE => Buttons::NONE,
        6..11 => Buttons::DOWN,
        11 => Buttons::A,
        12 | 13 => Buttons::B,
        14 => Buttons::UP,
        _ => Buttons::NONE,
    }
}

fn dice(block: u32) -> u32 {
    let mixed = block.wrapping_mul(2_654_435_761);
    (mixed ^ mixed >> 15).wrapping_mul(2_246_822_519) >> 13
}

/// Sets what the divider has decided to what the tour wants.
fn arrange(console: &mut impl Open) {
    let draws = console.peek(DRAWS);
    if console.peek(LCDC) & 0x80 == 0 {
        // The display is off while a game's screen is drawn, and the first pieces are not shown yet.
        let count = console.peek(FRAME);
        console.set(PIECE, count % 7);
        console.set(PREVIEW, (count / 7) % 7);
        console.set(HIDDEN, (count / 3) % 7);
        console.set(MUSIC, count / 4 % 2);
        if console.peek(SCENE) <= TYPE {
            console.set(GAME_TYPE, count / 8 % 2);
        }
        if console.peek(GAME_TYPE) == 1 {
            let rubble = 18 - 2 * u16::from(console.peek(HIGH).min(5));
            for row in 9..19 {
                for x in 0..10 {
                    let filled = row > rubble && (row * 7 + x * 3 + u16::from(count)) % 5 < 2;
                    console.set(FIELD + 16 * row + x, if filled { CELL } else { BLANK });
                }
            }
        }
        return;
    }
    console.set(HIDDEN, ((u16::from(draws) * 5 + 3) % 7) as u8);
    let just_came = console.peek(SCENE) == PLAY && console.peek(PHASE) == 0 && console.peek(TOP) == 2;
    if just_came && draws.is_multiple_of(3) {
        for x in 0..10 {
            console.set(FIELD + 16 * 18 + x, CELL);
        }
    }
    if just_came && draws.is_multiple_of(5) {
        console.set(FIRST_DIGIT, 1 + draws % 3);
        if console.peek(GAME_TYPE) == 1 {
            console.set(LINES, 1);
        }
    }
}

/// One frame of the tour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stop {
    /// Number of the frame, from 1.
    pub frame: u32,
    /// What the cartridge shows.
    pub scene: u8,
    /// Which music is chosen.
    pub music: u8,
    /// Checksum of the picture; nothing for the last one before the display is off and the first one after,
    /// which emulators show differently.
    pub picture: Option<u32>,
}

/// Goes on the tour for this many frames, the first `quiet` of them without a button, and tells `visit` about
/// every one.
pub fn tour<C: Open>(
    console: &mut C,
    frames: u32,
    quiet: u32,
    mut visit: impl FnMut(&mut C, Stop),
) -> Result<(), Crash> {
    // Memory is random at power-on; the cartridge counts from its first picture.
    while console.peek(LCDC) != SHOWN {
        console.step(Buttons::NONE)?;
    }
    let mut frame = u32::from(console.peek(FRAME));
    let mut since_off = 0;
    let mut last: Option<Stop> = None;
    let mut count = console.peek(FRAME);
    while frame <= frames {
        let scene = console.peek(SCENE);
        console.step(buttons(frame + 1, quiet, scene))?;
        if console.peek(LCDC) & 0x80 == 0 {
            since_off = 0;
            last = last.map(|stop| Stop { picture: None, ..stop });
        }
        arrange(console);
        // While the display is off, periods go by without a frame of the cartridge.
        if std::mem::replace(&mut count, console.peek(FRAME)) != count {
            frame += 1;
            since_off += 1;
            let stop = Stop {
                frame,
                scene: console.peek(SCENE),
                music: console.peek(MUSIC),
                picture: (since_off > SETTLED).then(|| checksum(console.screen())),
            };
            if let Some(last) = last.replace(stop).filter(|last| last.frame >= FIRST) {
                visit(console, last);
            }
        }
    }
    Ok(())
}

/// CRC-32 of the shades, as zlib computes it.
fn checksum(screen: &Screen) -> u32 {
    let mut sum = u32::MAX;
    for shade in &screen.shades {
        sum ^= u32::from(*shade);
        for _ in 0..8 {
            sum = sum >> 1 ^ if sum & 1 == 1 { 0xEDB8_8320 } else { 0 };
        }
    }
    !sum
}
