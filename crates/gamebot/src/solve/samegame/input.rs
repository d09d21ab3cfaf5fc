//! Reads boards from an argument, a file or standard input, and sizes of random boards.

use std::io::Read;
use std::str::FromStr;

use samegame::board::{Board, MAX_COLOURS, MAX_COLUMNS, MAX_ROWS};
use samegame::notation::NotationError;

use crate::ending::UsageError;

/// The boards to solve.
pub enum Boards {
    /// One board, given as an argument.
    One(Board),
    /// One board per line; blank lines are skipped.
    Lines(Vec<Line>),
}

/// A line of a file, counted from 1.
pub struct Line {
    pub number: usize,
    pub board: Result<Board, NotationError>,
}

impl Boards {
    /// Reads the argument, or the file that it names.
    pub fn read(argument: &str) -> anyhow::Result<Self> {
        if argument.trim_start().starts_with('[') {
            return Ok(Self::One(
                argument.parse().map_err(|error: NotationError| UsageError(error.to_string()))?,
            ));
        }
        let text = if argument == "-" {
            let mut text = String::new();
            std::io::stdin().read_to_string(&mut text).map(|_| text)
        } else {
            std::fs::read_to_string(argument)
        };
        let text = text.map_err(|error| {
            UsageError(format!("{argument}: {error}; a board starts with '[', anything else is a file"))
        })?;
        let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
        Ok(Self::Lines(lines.map(|(number, line)| Line { number, board: line.parse() }).collect()))
    }
}

/// Size of random boards.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    pub columns: usize,
    pub rows: usize,
    pub colours: u8,
}

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || {
            format!(
                "expected columns x rows x colours, for example 15x15x3, at most {MAX_COLUMNS}x{MAX_ROWS}x{MAX_COLOURS}"
            )
        };
        let numbers: Vec<usize> =
            text.split('x').map(str::parse).collect::<Result<_, _>>().map_err(|_| wrong())?;
        match numbers[..] {
            [columns @ 1..=MAX_COLUMNS, rows @ 1..=MAX_ROWS, colours]
                if (1..=usize::from(MAX_COLOURS)).contains(&colours) =>
            {
                Ok(Self { columns, rows, colours: colours as u8 })
            }
            _ => Err(wrong()),
        }
    }
}
