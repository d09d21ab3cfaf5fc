//! Our cartridge on a second emulator: the same screens, pixel for pixel.

use gameboy::{Console, Crash, Emulator, Screen, memory, stackfall};
use tetris::gameboy::{Buttons, Pieces};
use vibe_emu_core::cartridge::Cartridge;
use vibe_emu_core::gameboy::GameBoy;
use vibe_emu_core::hardware::{DmgRevision, Model};

use crate::start_game;
use crate::tour::{Open, tour};

const HIDDEN: u16 = 0xC0B7;
const DRAWS: u16 = 0xC0CC;
const BOTTOM_ROW: u16 = 0xC200 + 18 * 16 + 2;
const BRICK: u8 = 0x87;

struct Second {
    gb: GameBoy,
    screen: Screen,
}

impl Second {
    fn new() -> Second {
        let mut gb = GameBoy::new(Model::Dmg(DmgRevision::default()));
        gb.mmu.load_cart(Cartridge::from_bytes(stackfall::IMAGE.to_vec()));
        gb.mmu.ppu.set_dmg_palette([0, 1, 2, 3]);
        Second { gb, screen: Screen::white() }
    }
}

impl Console for Second {
    fn step(&mut self, held: Buttons) -> Result<(), Crash> {
        let mmu = &mut self.gb.mmu;
        mmu.input.update_state(!held.0, &mut mmu.if_reg);
        mmu.ppu.clear_frame_flag();
        // A display that is off completes no frame; no instruction is shorter than four ticks.
        for _ in 0..70_224 / 4 {
            self.gb.cpu.step(&mut self.gb.mmu);
            if self.gb.mmu.ppu.frame_ready() {
                for (shade, pixel) in self.screen.shades.iter_mut().zip(self.gb.mmu.ppu.framebuffer()) {
                    *shade = (*pixel & 3) as u8;
                }
                break;
            }
        }
        Ok(())
    }
    fn screen(&self) -> &Screen {
        &self.screen
    }
    fn peek(&mut self, address: u16) -> u8 {
        self.gb.mmu.read_byte(address)
    }
    fn save(&mut self) -> Result<Vec<u8>, Crash> {
        unreachable!("this emulator cannot save")
    }
    fn restore(&mut self, _state: &[u8]) -> Result<(), Crash> {
        unreachable!("this emulator cannot save")
    }
}

/// A console in a game whose first two pieces are the given ones: the divider decides, so we wait for it.
fn started<C: Console>(new: impl Fn() -> C, wanted: Option<Pieces>) -> (C, Pieces) {
    for idle in 0..600 {
        let mut console = new();
        start_game(&mut console, idle);
        let pieces = memory::read(&mut console).pieces;
        if wanted.is_none_or(|wanted| (wanted.active, wanted.preview) == (pieces.active, pieces.preview)) {
            return (console, pieces);
        }
    }
    panic!("no title wait leads to {wanted:?}");
}

impl Open for Second {
    fn set(&mut self, address: u16, value: u8) {
        self.gb.mmu.write_byte(address, value);
    }
}

impl Open for Emulator {
    fn set(&mut self, address: u16, value: u8) {
        self.poke(address, value);
    }
}

/// `cargo xtask bench tour` does the same in PyBoy for 100,000 frames.
#[test]
fn a_tour_with_sound_looks_the_same_on_two_emulators() {
    const FRAMES: u32 = 5_000;
    let mut first = Emulator::new(&stackfall::cartridge()).unwrap();
    first.listen();
    let mut stops = Vec::new();
    tour(&mut first, FRAMES, 60, |_, stop| stops.push(stop)).unwrap();
    let mut expected = stops.iter();
    tour(&mut Second::new(), FRAMES, 60, |_, stop| assert_eq!(Some(&stop), expected.next())).unwrap();
    let mut scenes: Vec<_> = stops.iter().map(|stop| stop.scene).collect();
    scenes.sort_unstable();
    scenes.dedup();
    println!("scenes {scenes:?}");
    assert!(scenes.len() >= 5, "the tour saw the scenes {scenes:?} only");
}

#[test]
fn two_emulators_show_the_same_game() {
    let (mut second, pieces) = started(Second::new, None);
    let (mut first, _) = started(|| Emulator::new(&stackfall::cartridge()).unwrap(), Some(pieces));
    let start = memory::read(&mut first).play_frames;
    while memory::read(&mut second).play_frames < start {
        second.step(Buttons::NONE).unwrap();
    }
    while memory::read(&mut first).play_frames < memory::read(&mut second).play_frames {
        first.step(Buttons::NONE).unwrap();
    }
    for frame in 0..1_200u32 {
        // A full row now and then, so that a clear is seen too.
        if frame % 400 == 390 {
            for cell in BOTTOM_ROW..BOTTOM_ROW + 10 {
                first.poke(cell, BRICK);
                second.gb.mmu.write_byte(cell, BRICK);
            }
        }
        // Draws depend on each emulator's divider; the unseen piece is made the same before it is seen.
        let hidden = first.peek(DRAWS) % 7;
        first.poke(HIDDEN, hidden);
        let hidden = second.peek(DRAWS) % 7;
        second.gb.mmu.write_byte(HIDDEN, hidden);
        let held = match frame % 90 {
            0..3 => Buttons::A,
            6..9 => Buttons::LEFT,
            12..40 if frame / 90 % 3 == 0 => Buttons::LEFT,
            12..40 if frame / 90 % 3 == 1 => Buttons::RIGHT,
            45..85 => Buttons::DOWN,
            _ => Buttons::NONE,
        };
        first.step(held).unwrap();
        second.step(held).unwrap();
        if frame > 2 {
            assert!(
                first.screen() == second.screen(),
                "frame {frame}\n{:?}\n{:?}",
                first.screen(),
                second.screen()
            );
        }
    }
    let (first, second) = (memory::read(&mut first), memory::read(&mut second));
    assert_eq!(first.scene, memory::Scene::Play);
    assert_eq!(first.board, second.board);
    assert!(first.lines >= 2 && first.board.cells() > 20, "{first:?}");
}
