//! The cartridge draws pieces from the divider as the rules say, to the machine cycle.

use gameboy::memory::{self, Scene};
use gameboy::{Console, Emulator, stackfall};
use tetris::Piece;
use tetris::gameboy::{Buttons, Dealer, DivSource};

use crate::start_game;

/// The divider as it stood just before the last draw.
const FIRST_DIV: u16 = 0xC0CD;
/// Machine cycles from that look at it to the draw's own first read.
const TO_FIRST_READ: u32 = 7;
const CYCLES_PER_COUNT: u32 = 64;

struct Phase(u32);

impl DivSource for Phase {
    fn first(&mut self) -> u8 {
        (self.0 / CYCLES_PER_COUNT) as u8
    }

    fn again(&mut self, cycles: u32) -> u8 {
        self.0 += cycles;
        self.first()
    }
}

/// What can be drawn when the divider shows `div`, over the cycles it shows it for.
fn possible(div: u8, active: Piece, preview: Piece) -> Vec<Piece> {
    let start = u32::from(div) * CYCLES_PER_COUNT + TO_FIRST_READ;
    let mut pieces: Vec<_> =
        (start..start + CYCLES_PER_COUNT).map(|clock| Phase(clock).deal(active, preview)).collect();
    pieces.sort_unstable();
    pieces.dedup();
    pieces
}

#[test]
fn every_draw_follows_from_the_divider() {
    let (mut drawn, mut likely) = (0, 0);
    for idle in [0, 17, 90] {
        let mut console = Emulator::new(&stackfall::cartridge()).unwrap();
        start_game(&mut console, idle);
        let mut draws = memory::read(&mut console).draws;
        for frame in 0..1_500u32 {
            let held = match (frame % 64, frame / 64 % 3) {
                (0..30, 0) => Buttons::LEFT,
                (0..30, 1) => Buttons::RIGHT,
                (32..62, _) => Buttons::DOWN,
                _ => Buttons::NONE,
            };
            console.step(held).unwrap();
            let seen = memory::read(&mut console);
            if seen.scene != Scene::Play {
                break;
            }
            if std::mem::replace(&mut draws, seen.draws) != seen.draws {
                let (active, preview) = (seen.pieces.active, seen.pieces.preview);
                let div = console.peek(FIRST_DIV);
                let possible = possible(div, active, preview);
                assert!(possible.contains(&seen.pieces.hidden), "{:?} is none of {possible:?}", seen.pieces);
                drawn += 1;
                // The divider counts on between the two reads in seven of 64 cases only.
                let same_count = Phase(u32::from(div) * CYCLES_PER_COUNT).deal(active, preview);
                likely += u32::from(seen.pieces.hidden == same_count);
            }
        }
    }
    assert!(drawn > 30 && likely * 10 > drawn * 7, "{drawn} draws, {likely} of them the likely one");
}
