//! What a page draws: a session as plain numbers and text.

use serde::Serialize;

use super::field::Field;
use super::session::{Happening, Session, cells_of};

/// One moment of a game.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct View {
    /// Columns.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// A digit a cell, row by row from the bottom: 0 empty, else a piece number plus one, 8 unknown.
    pub cells: String,
    /// The falling piece's letter and cells.
    pub piece: Option<char>,
    /// See `piece`.
    pub falling: Vec<(i32, i32)>,
    /// Where it would come to rest.
    pub shadow: Vec<(i32, i32)>,
    /// The next piece's letter and the cells of its box.
    pub next: char,
    /// See `next`.
    pub next_cells: Vec<(usize, usize)>,
    /// Points.
    pub score: u32,
    /// Lines cleared.
    pub lines: u32,
    /// The level.
    pub level: u8,
    /// Rows that a piece falls in a second.
    pub rows_per_second: f32,
    /// Pieces so far.
    pub pieces: u32,
    /// Frames so far.
    pub frames: u32,
    /// Complete rows that are about to vanish, and how far they are, 0 to 1.
    pub vanishing: Vec<u32>,
    /// See `vanishing`.
    pub clearing: Option<f32>,
    /// Whether the game has ended.
    pub over: bool,
    /// Whether it waits for a piece of the game whose pieces it plays.
    pub waiting: bool,
    /// Lines that were completed in the last steps.
    pub cleared: u32,
    /// Whether a piece locked in the last steps.
    pub locked: bool,
}

impl View {
    /// The session as it is, after these happenings.
    pub fn of(session: &Session, happenings: &[Happening]) -> View {
        let choices = session.choices();
        let (field, falling) = (session.field(), session.falling());
        let shown = choices.width * choices.height;
        let cells = session.colours().iter().take(shown).map(|&cell| char::from(b'0' + cell)).collect();
        let shadow = falling.map(|mut falling| {
            falling.row = field.rest_row(falling.piece.shape(falling.orientation), falling.x, falling.row);
            cells_of(falling).collect()
        });
        let (next, orientation) = session.next();
        let lines = |happening: &Happening| match happening {
            Happening::Locked { lines } => *lines,
            Happening::Nothing | Happening::Spawned | Happening::Over => 0,
        };
        View {
            width: choices.width,
            height: choices.height,
            cells,
            piece: falling.map(|falling| falling.piece.letter()),
            falling: falling.map(|falling| cells_of(falling).collect()).unwrap_or_default(),
            shadow: shadow.unwrap_or_default(),
            next: next.letter(),
            next_cells: next.shape(orientation).cells().collect(),
            score: session.score(),
            lines: session.lines(),
            level: session.level(),
            rows_per_second: 60.0 / session.frames_per_row() as f32,
            pieces: session.pieces(),
            frames: session.frames(),
            vanishing: if session.clearing().is_some() { full_rows(&field) } else { Vec::new() },
            clearing: session.clearing(),
            over: session.is_over(),
            waiting: session.is_waiting(),
            cleared: happenings.iter().map(lines).sum(),
            locked: happenings.iter().any(|happening| matches!(happening, Happening::Locked { .. })),
        }
    }
}

fn full_rows(field: &Field) -> Vec<u32> {
    let full = field.columns().iter().fold(u64::MAX, |full, column| full & column);
    (0..field.height()).filter(|row| full >> row & 1 == 1).collect()
}
