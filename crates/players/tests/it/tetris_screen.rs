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

/// Presses for two frames and waits until the screen is drawn; what is then seen.
fn look_after(console: &mut Emulator, held: Buttons, rest: u32) -> View {
    for frame in 0..2 + rest {
        console.step(if frame < 2 { held } else { Buttons::NONE }).unwrap();
    }
    let mut picture = Picture::black(SCREEN_WIDTH as u32, SCREEN_HEIGHT as u32, PixelFormat::Gray8);
    console.screen().write_luma(&mut picture.pixels);
    see(&picture, 0, &KnownTiles::stackfall()).unwrap().view
}

/// From the title into a game that is lost at once with a great score, through every screen on the way.
#[test]
fn every_screen_around_the_game_is_told_apart() {
    const FIRST_DIGIT: u16 = 0xC0AF;
    const SPAWN_LOCKS: u16 = 0xC0C0;
    const FIELD: u16 = 0xC202;
    let mut console = Emulator::new(&stackfall::cartridge()).unwrap();
    assert_eq!(look_after(&mut console, Buttons::NONE, 60), View::Title { two_players: false });
    assert_eq!(look_after(&mut console, Buttons::RIGHT, 10), View::Title { two_players: true });
    look_after(&mut console, Buttons::LEFT, 10);
    assert_eq!(look_after(&mut console, Buttons::START, 20), View::GameType { b_type: false });
    for music in 0..4 {
        let view = look_after(&mut console, Buttons::DOWN, 10);
        assert_eq!(view, View::GameType { b_type: false }, "music {music}");
    }
    assert_eq!(look_after(&mut console, Buttons::RIGHT, 10), View::GameType { b_type: true });
    assert!(matches!(look_after(&mut console, Buttons::START, 20), View::BType { .. }));
    look_after(&mut console, Buttons::B, 20);
    assert_eq!(look_after(&mut console, Buttons::LEFT, 10), View::GameType { b_type: false });
    assert!(matches!(look_after(&mut console, Buttons::START, 20), View::Levels { entry: None, .. }));
    assert!(matches!(look_after(&mut console, Buttons::START, 20), View::Playing(_)));
    assert_eq!(look_after(&mut console, Buttons::START, 10), View::Paused);
    look_after(&mut console, Buttons::START, 2);
    console.poke(FIRST_DIGIT, 2);
    console.poke(SPAWN_LOCKS, 1);
    for row in 4..19 {
        for x in 0..9 {
            console.poke(FIELD + 16 * row + x, 0x82);
        }
    }
    let views: Vec<_> = (0..200).map(|_| look_after(&mut console, Buttons::NONE, 0).choice()).collect();
    assert!(views.iter().any(|view| matches!(view, View::Curtain(_))));
    assert!(!views.contains(&View::Unknown), "the words come row by row");
    assert_eq!(views.last(), Some(&View::Over));
    assert_eq!(look_after(&mut console, Buttons::START, 30), View::Rocket);
    let View::Levels { entry: Some(entry), table, .. } = look_after(&mut console, Buttons::START, 28) else {
        panic!("no name is entered");
    };
    assert_eq!((entry.rank, entry.position, entry.letter), (0, 0, 'A'));
    assert_eq!(table[0].score, Some(200_000));
}

#[test]
fn a_demo_is_no_game() {
    let mut console = Emulator::new(&stackfall::cartridge()).unwrap();
    let waited = (0..5_000).find(|_| {
        console.step(Buttons::NONE).unwrap();
        memory::scene(&mut console) == Scene::Play
    });
    assert!(waited.is_some());
    assert_eq!(look_after(&mut console, Buttons::NONE, 100), View::Demo);
    assert_eq!(look_after(&mut console, Buttons::START, 20), View::Title { two_players: false });
}
