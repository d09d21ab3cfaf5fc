//! How Catch looks on its console's screen.

use engine::Picture;

use crate::rules::{COLUMNS, Game, ROWS};

/// Side of a cell in pixels.
pub const CELL: u32 = 16;
/// Pixels in a row of the screen.
pub const SCREEN_WIDTH: u32 = COLUMNS as u32 * CELL;
/// Rows of pixels.
pub const SCREEN_HEIGHT: u32 = ROWS as u32 * CELL;

/// Luma of the ball.
pub const BALL_LUMA: u8 = 200;
/// Luma of the paddle.
pub const PADDLE_LUMA: u8 = 255;
/// Luma of the whole field when the game is over.
pub const OVER_LUMA: u8 = 90;
/// The beat mark is drawn in the upper and the lower left corner; they differ
/// on a frame that shows two moments at once.
pub const MARK_SIZE: u32 = 4;

/// The luma of a cell: what a screen shows there, or what a sensor above it reads.
pub fn cell_luma(game: &Game, cell: (u8, u8)) -> u8 {
    if game.is_over() {
        OVER_LUMA
    } else if cell == (game.paddle(), 0) {
        PADDLE_LUMA
    } else if cell == game.ball() {
        BALL_LUMA
    } else {
        0
    }
}

/// Draws the whole screen.
pub fn draw(game: &Game, picture: &mut Picture) {
    picture.pixels.fill(if game.is_over() { OVER_LUMA } else { 0 });
    if !game.is_over() {
        let (column, row) = game.ball();
        // Rows count from the bottom in the game, from the top in pixels.
        fill(picture, (u32::from(column) * CELL, u32::from(ROWS - 1 - row) * CELL), CELL, BALL_LUMA);
        let bottom = SCREEN_HEIGHT - CELL;
        fill(picture, (u32::from(game.paddle()) * CELL, bottom), CELL, PADDLE_LUMA);
    }
    let mark = mark_luma(game.beat());
    for top in [0, SCREEN_HEIGHT - MARK_SIZE] {
        fill(picture, (0, top), MARK_SIZE, mark);
    }
}

/// Four lumas in turn.
fn mark_luma(beat: u32) -> u8 {
    40 + 20 * (beat % 4) as u8
}

fn fill(picture: &mut Picture, (left, top): (u32, u32), size: u32, luma: u8) {
    for y in top..top + size {
        let start = (y * SCREEN_WIDTH + left) as usize;
        picture.pixels[start..start + size as usize].fill(luma);
    }
}
