//! A game as lines of text: the field on the left; figures, whose turn it is and the keys on the right.

use browser::tetris::{PlayerName, View};
use crossterm::style::{Color, Stylize};

/// Columns of the terminal beside the field: its walls, and the text on the right.
const BESIDE: usize = 6 + TEXT;
/// The longest line on the right.
const TEXT: usize = 22;
/// Keys and what they do.
const KEYS: [&str; 8] = [
    "← →    move",
    "↑ x    turn",
    "z      turn back",
    "↓      fall faster",
    "space  drop (classic)",
    "m      the machine",
    "p      pause",
    "q      quit",
];
/// Lines above the keys.
const FIGURES: usize = 8;

/// Whose turn it is.
#[derive(Clone, Copy, Debug)]
pub enum Turn {
    Person,
    Machine(PlayerName),
    Paused,
    Over,
}

/// Columns and rows of a terminal that shows a field of this size.
pub fn size(width: usize, height: usize) -> (usize, usize) {
    (2 * width + BESIDE, (height + 1).max(FIGURES + KEYS.len()))
}

/// The whole picture, drawn over the one before.
pub fn draw(view: &View, turn: Turn) -> String {
    let lines = size(view.width, view.height).1;
    let line = |line| format!("  {}  {}\x1b[K", field_line(view, line), text_line(view, turn, line));
    format!("\x1b[H{}\x1b[J", (0..lines).map(line).collect::<Vec<_>>().join("\r\n"))
}

/// One line of the field, counted from the top: a row, the floor, or nothing below it.
fn field_line(view: &View, line: usize) -> String {
    if line == view.height {
        return format!("└{}┘", "──".repeat(view.width));
    }
    let Some(row) = view.height.checked_sub(line + 1) else { return " ".repeat(2 * view.width + 2) };
    let cells: String = (0..view.width).map(|x| cell(view, x, row)).collect();
    format!("│{cells}│")
}

fn cell(view: &View, x: usize, row: usize) -> String {
    let at = (x as i32, row as i32);
    let lying = view.cells.as_bytes().get(row * view.width + x).map_or(0, |cell| cell - b'0');
    let piece = if view.falling.contains(&at) { view.piece.map_or(8, number_of) } else { lying };
    match piece {
        0 if view.shadow.contains(&at) => "··".dark_grey().to_string(),
        0 => "  ".to_owned(),
        piece => "██".with(colour_of(piece)).to_string(),
    }
}

fn text_line(view: &View, turn: Turn, line: usize) -> String {
    match line {
        0 => format!("score  {}", view.score),
        1 => format!("lines  {}", view.lines),
        2 => format!("level  {}", view.level),
        4 => format!("next   {}", view.next),
        6 => match turn {
            Turn::Person => "you play".to_owned(),
            Turn::Machine(player) => format!("{} plays", player.name()),
            Turn::Paused => "paused: p goes on".to_owned(),
            Turn::Over => "game over: enter".to_owned(),
        },
        line => {
            line.checked_sub(FIGURES).and_then(|line| KEYS.get(line)).copied().unwrap_or_default().to_owned()
        }
    }
}

fn number_of(letter: char) -> u8 {
    tetris::Piece::from_letter(letter).map_or(8, |piece| piece.index() as u8 + 1)
}

fn colour_of(piece: u8) -> Color {
    match piece {
        1 => Color::DarkYellow,
        2 => Color::Blue,
        3 => Color::Cyan,
        4 => Color::Yellow,
        5 => Color::Red,
        6 => Color::Green,
        7 => Color::Magenta,
        _ => Color::Grey,
    }
}

#[cfg(test)]
mod tests {
    use browser::tetris::{Choices, Session};

    use super::*;

    #[test]
    fn every_line_fits_the_size_that_is_asked_for() {
        for choices in [Choices::gameboy(0, 1), Choices::classic(4, 4, 1), Choices::classic(32, 40, 1)] {
            let view = View::of(&Session::new(choices).unwrap(), &[]);
            let (wide, high) = size(view.width, view.height);
            for turn in [Turn::Person, Turn::Machine(PlayerName::Bergmark), Turn::Paused, Turn::Over] {
                assert_eq!(draw(&view, turn).lines().count(), high);
                for line in 0..high {
                    let text = text_line(&view, turn, line);
                    assert!(text.chars().count() <= TEXT, "{text}");
                    assert!(2 * view.width + 2 + 4 + TEXT <= wide);
                }
            }
        }
    }
}
