//! Stackfall's documented memory map (`rom/src/memory.h`), for tests.

use tetris::Board;
use tetris::Piece;
use tetris::board::WIDTH;
use tetris::gameboy::{Active, Buttons, Mode, Pieces};

use crate::console::Console;

/// What the cartridge is showing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "named as in the cartridge's source")]
#[repr(u8)]
pub enum Scene {
    Title,
    Type,
    Level,
    BLevel,
    BHigh,
    Play,
    Curtain,
    Over,
    Name,
    BResult,
    LinkSetup,
    LinkSending,
    LinkReceiving,
    LinkResult,
    Rocket,
}

const SCENES: [Scene; 15] = [
    Scene::Title,
    Scene::Type,
    Scene::Level,
    Scene::BLevel,
    Scene::BHigh,
    Scene::Play,
    Scene::Curtain,
    Scene::Over,
    Scene::Name,
    Scene::BResult,
    Scene::LinkSetup,
    Scene::LinkSending,
    Scene::LinkReceiving,
    Scene::LinkResult,
    Scene::Rocket,
];

/// What a piece under control, a lock and a clear are called in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "named as in the cartridge's source")]
pub enum Phase {
    Falling,
    Entry,
    Clearing,
    Won,
    Lost,
}

/// The whole game in the cartridge's memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Memory {
    /// What is shown.
    pub scene: Scene,
    /// Frames of play so far (modulo 65,536).
    pub play_frames: u16,
    /// Which game.
    pub mode: Mode,
    /// Whether heart mode is on.
    pub heart: bool,
    /// Buttons held in the last frame.
    pub held: Buttons,
    /// The level shown.
    pub level: u8,
    /// Points.
    pub score: u32,
    /// Lines cleared, or left.
    pub lines: u32,
    /// What the game is doing.
    pub phase: Phase,
    /// The piece in play, whether or not it is under control.
    pub active: Active,
    /// Active, preview and hidden piece.
    pub pieces: Pieces,
    /// The locked cells, with the invisible row.
    pub board: Board,
    /// Whether the game is paused.
    pub paused: bool,
    /// Pieces drawn (modulo 256).
    pub draws: u8,
    /// Points of soft drops in games without a running score.
    pub drop_points: u32,
    /// Rows of rubble that wait for the next piece.
    pub garbage_rows: u8,
    /// Column of the hole in the rubble.
    pub garbage_hole: u8,
}

const FIELD: u16 = 0xC200;
const EMPTY: u8 = 0x2F;

/// What the cartridge is showing.
pub fn scene(console: &mut impl Console) -> Scene {
    SCENES[usize::from(console.peek(0xC0A0)) % SCENES.len()]
}

/// Reads all of it.
pub fn read(console: &mut impl Console) -> Memory {
    let mut at = |address: u16| console.peek(address);
    let word = |low: u8, high: u8| u16::from_le_bytes([low, high]);
    let piece = |number: u8| Piece::from_index(usize::from(number));
    let mut board = Board::EMPTY;
    for row in 0..19u16 {
        for x in 0..WIDTH as u16 {
            if at(FIELD + 16 * row + 2 + x) != EMPTY {
                board.fill(usize::from(x), usize::from(18 - row));
            }
        }
    }
    Memory {
        scene: SCENES[usize::from(at(0xC0A0)) % SCENES.len()],
        play_frames: word(at(0xC0CE), at(0xC0CF)),
        mode: [Mode::A, Mode::B, Mode::Versus][usize::from(at(0xC0A5)) % 3],
        heart: at(0xC0A6) != 0,
        held: Buttons(at(0xC0A3)),
        level: at(0xC0A8),
        score: (0..6).rev().fold(0, |sum, place| sum * 10 + u32::from(at(0xC0AA + place))),
        lines: u32::from(word(at(0xC0B0), at(0xC0B1))),
        phase: [Phase::Falling, Phase::Entry, Phase::Clearing, Phase::Won, Phase::Lost]
            [usize::from(at(0xC0B8)) % 5],
        active: Active {
            piece: piece(at(0xC0B2)),
            orientation: usize::from(at(0xC0B3)),
            x: i32::from(at(0xC0B4)) - 2,
            row: 15 - i32::from(at(0xC0B5)),
        },
        pieces: Pieces { active: piece(at(0xC0B2)), preview: piece(at(0xC0B6)), hidden: piece(at(0xC0B7)) },
        board,
        paused: at(0xC0C1) != 0,
        draws: at(0xC0CC),
        drop_points: u32::from(word(at(0xC0C8), at(0xC0C9))),
        garbage_rows: at(0xC0CA),
        garbage_hole: at(0xC0CB),
    }
}
