//! Game Boy Tetris, frame by frame and placement by placement (G6).
//!
//! Rows count from the bottom: the visible field is rows 0–17, and row 18 is an
//! invisible row above it, in which a piece turned at the top can leave cells.
//! The numbers are those of the 1989 cartridge, revision 1.1.

mod b_type;
mod game;
mod piece_counts;
mod piece_model;
mod placement;
mod randomiser;
mod setup;
mod versus;

pub use b_type::{B_TYPE_LINES, garbage_board};
pub use game::{Active, Event, Game, Phase};
pub use piece_counts::{ChiSquare, PieceCounts};
pub use piece_model::{PieceModel, PieceShares};
pub use placement::{PlacementGame, PlacementOutcome};
pub use randomiser::{CycleDiv, Dealer, DivSource, IdealDiv, Pieces, draw_probabilities};
pub use setup::{Buttons, Mode, Setup, SetupError};
pub use versus::{Match, PieceList, Side, VERSUS_LINES, attack_rows, garbage_row};

/// Visible rows.
pub const ROWS: u32 = 18;
/// Rows that can be cleared: all but the two uppermost.
pub const CLEARABLE_ROWS: u32 = 16;
/// Box column at which pieces spawn.
pub const SPAWN_X: i32 = 3;
/// Row of the box's lowest row when a piece spawns.
pub const SPAWN_ROW: i32 = 15;
/// Highest level.
pub const MAX_LEVEL: u8 = 20;
/// Highest score.
pub const MAX_SCORE: u32 = 999_999;
/// Highest line count.
pub const MAX_LINES: u32 = 9_999;
/// Frames per second: 4,194,304 Hz divided by 70,224 clocks per frame.
pub const FRAMES_PER_SECOND: f64 = 4_194_304.0 / 70_224.0;

/// Frames without control between the lock of a piece and the next piece's first frame of control.
pub const ENTRY_FRAMES: u16 = 2;
/// The same when lines are cleared.
pub const CLEAR_FRAMES: u16 = 93;
/// Frame after the lock in which the cleared rows vanish from the field.
pub const COLLAPSE_FRAME: u16 = 76;
/// Frame after the lock in which the points of a clear are added.
pub const SCORE_FRAME: u16 = 79;
/// Frame after the lock in which the level rises.
pub const LEVEL_FRAME: u16 = 90;
/// Frames from a press to the second shift of a held direction.
pub const SHIFT_DELAY: u8 = 23;
/// Frames between later shifts.
pub const SHIFT_REPEAT: u8 = 9;
/// Frames from one row to the next while Down is held.
pub const SOFT_DROP_FRAMES: u8 = 3;

/// Frames per row at this speed level (0–20).
pub fn frames_per_row(speed: u8) -> u8 {
    const TABLE: [u8; 21] = [53, 49, 45, 41, 37, 33, 28, 22, 17, 11, 10, 9, 8, 7, 6, 6, 5, 5, 4, 4, 3];
    TABLE[usize::from(speed.min(MAX_LEVEL))]
}

/// The speed level: the level, or in heart mode ten more; at most 20.
pub fn speed(level: u8, heart: bool) -> u8 {
    (level + if heart { 10 } else { 0 }).min(MAX_LEVEL)
}

/// Points for clearing this many lines at once on the shown level.
pub fn line_score(lines: u32, level: u8) -> u32 {
    const TABLE: [u32; 5] = [0, 40, 100, 300, 1200];
    TABLE[lines.min(4) as usize] * (u32::from(level) + 1)
}

/// The level after a clear: one higher if the tens of the line count exceed it.
pub fn level_after_clear(level: u8, lines: u32) -> u8 {
    // The cartridge compares two decimal digits and stops levelling at 1,000 lines.
    if level < MAX_LEVEL && lines < 1_000 && lines / 10 > u32::from(level) { level + 1 } else { level }
}

/// Number of frames in `milliseconds`, rounded up.
pub fn frames_in_ms(milliseconds: f64) -> u32 {
    (milliseconds * FRAMES_PER_SECOND / 1_000.0).ceil().max(0.0) as u32
}
