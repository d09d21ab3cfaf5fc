//! Draws and animates boards on the terminal.

use std::fmt::Write as _;
use std::io::Write;
use std::time::Duration;

use engine::Cancel;
use samegame::board::Board;
use samegame::replay::Replay;

use crate::output::Output;

/// Background colours of the 256-colour palette for colours 1 to 9.
const PALETTE: [u8; 9] = [33, 160, 220, 35, 129, 208, 45, 213, 245];

/// How long each board of an animation is shown.
const PAUSE: Duration = Duration::from_millis(250);

/// Prints the board and the board after each move.
pub fn show(board: &Board, replay: &Replay, out: &mut Output) -> anyhow::Result<()> {
    let colored = out.is_colored();
    writeln!(out, "{}", picture(board, &[], colored))?;
    for (index, step) in replay.steps.iter().enumerate() {
        writeln!(out, "move {}: group {}, {} cells", index + 1, step.number, step.group.cells.len())?;
        writeln!(out, "{}", picture(&step.board, &[], colored))?;
    }
    Ok(())
}

/// Animates the moves in place: each group is marked, then removed. Without a
/// terminal it does the same as [`show`].
pub fn animate(board: &Board, replay: &Replay, cancel: &Cancel, out: &mut Output) -> anyhow::Result<()> {
    if !out.is_colored() {
        return show(board, replay, out);
    }
    let rows = board.height() + 1;
    let mut before = board;
    for (index, step) in replay.steps.iter().enumerate() {
        for (shown, marked) in [(before, step.group.cells.as_slice()), (&step.board, &[])] {
            writeln!(out, "move {} of {}   ", index + 1, replay.steps.len())?;
            write!(out, "{}", picture(shown, marked, true))?;
            out.flush()?;
            cancel.wait(PAUSE);
            if cancel.is_cancelled() {
                return Ok(());
            }
            // Back to the top left to draw the next board over this one.
            write!(out, "\x1b[{rows}A")?;
        }
        before = &step.board;
    }
    writeln!(out, "\x1b[{rows}B")?;
    Ok(())
}

/// The board, rows from the top; marked cells as dots.
fn picture(board: &Board, marked: &[(usize, usize)], colored: bool) -> String {
    let mut text = String::new();
    for row in (0..board.height()).rev() {
        for (column, cells) in board.columns().iter().enumerate() {
            let colour = cells[row];
            let sign = match (colour, marked.contains(&(column, row)), colored) {
                (0, ..) => "  ".to_owned(),
                (_, true, _) => "··".to_owned(),
                (_, false, true) => {
                    format!("\x1b[48;5;{}m{colour} \x1b[0m", PALETTE[usize::from(colour) - 1])
                }
                (_, false, false) => format!("{colour} "),
            };
            text += &sign;
        }
        let kept = if colored { text.len() } else { text.trim_end_matches(' ').len() };
        text.truncate(kept);
        // Writing to a String cannot fail.
        let _ = writeln!(text);
    }
    text
}
