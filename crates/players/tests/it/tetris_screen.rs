//! What the screen reader says is what the cartridge's memory holds.

use engine::{Picture, PixelFormat};
use gameboy::display::{SCREEN_HEIGHT, SCREEN_WIDTH};
use gameboy::memory::{Memory, Phase, Scene};
use gameboy::{Console, Crash, Emulator, Screen, memory, stackfall};
use players::tetris::see::{KnownTiles, View, see};
use tetris::board::WIDTH;
use tetris::gameboy::{Buttons, Mode};

use crate::walk::walk;

/// A console whose every screen is read and compared with its memory.
struct Watched {
    inner: Emulator,
    known: KnownTiles,
    picture: Picture,
    compared: u32,
}

impl Console for Watched {
    fn step(&mut self, held: Buttons) -> Result<(), Crash> {
        // A screen shows what the frame before it has left in memory.
        let shown = memory::read(&mut self.inner);
        self.inner.step(held)?;
        self.inner.screen().write_luma(&mut self.picture.pixels);
        let view = see(&self.picture, 0, &self.known).unwrap().view;
        let now = memory::read(&mut self.inner);
        // A pause switches the whole picture at once, without that frame's delay.
        let settled = now.paused == shown.paused;
        if shown.scene == Scene::Play && shown.phase == Phase::Falling && shown.play_frames > 1 && settled {
            self.compared += 1;
            compare(&shown, &view);
        }
        Ok(())
    }
    fn screen(&self) -> &Screen {
        self.inner.screen()
    }
    fn peek(&mut self, address: u16) -> u8 {
        self.inner.peek(address)
    }
    fn save(&mut self) -> Result<Vec<u8>, Crash> {
        self.inner.save()
    }
    fn restore(&mut self, state: &[u8]) -> Result<(), Crash> {
        self.inner.restore(state)
    }
}

fn compare(shown: &Memory, view: &View) {
    if shown.paused {
        assert_eq!(*view, View::Paused);
        return;
    }
    let View::Playing(playing) = view else { panic!("{view:?}") };
    let mut board = shown.board;
    board.place(shown.active.shape(), shown.active.x, shown.active.row);
    for x in 0..WIDTH {
        assert_eq!(playing.cells[x], board.column(x) & 0x3_FFFF, "column {x}, {shown:?}");
    }
    assert_eq!(playing.figures.level, Some(shown.level));
    assert_eq!(playing.figures.lines, Some(shown.lines));
    assert_eq!(playing.figures.heart, shown.heart);
    assert!(playing.preview.is_none_or(|preview| preview == shown.pieces.preview));
    if shown.mode == Mode::A {
        assert_eq!(playing.figures.score, Some(shown.score));
    }
}

#[test]
fn the_screen_says_what_the_memory_holds() {
    // An A-type and a B-type game, with clears, pauses and hidden previews.
    for seed in [84, 504, 672] {
        let mut console = Watched {
            inner: Emulator::new(&stackfall::cartridge()).unwrap(),
            known: KnownTiles::stackfall(),
            picture: Picture::black(SCREEN_WIDTH as u32, SCREEN_HEIGHT as u32, PixelFormat::Gray8),
            compared: 0,
        };
        walk(&mut console, seed, 1_500).unwrap_or_else(|difference| panic!("{difference}"));
        assert!(console.compared > 400, "{}", console.compared);
    }
}

#[test]
fn a_picture_of_another_size_is_unclear() {
    let picture = Picture::black(320, 288, PixelFormat::Gray8);
    let unclear = see(&picture, 0, &KnownTiles::stackfall()).unwrap_err();
    assert_eq!(unclear.to_string(), "the screen is 320 × 288 pixels; the console has 160 × 144");
}
