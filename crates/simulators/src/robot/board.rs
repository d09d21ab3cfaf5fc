//! The robot's own picture of its board.

use std::fmt::Write;

use serde::{Deserialize, Serialize};

/// A disc's colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Disc {
    /// Red.
    Red,
    /// Yellow.
    Yellow,
}

impl Disc {
    fn letter(self) -> char {
        match self {
            Self::Red => 'R',
            Self::Yellow => 'Y',
        }
    }
}

/// Columns of the board.
pub(super) const COLUMNS: usize = 7;
/// Rows of the board.
pub(super) const ROWS: usize = 6;
/// Discs of each colour.
const DISCS: usize = COLUMNS * ROWS / 2;

/// Discs in their columns, and the rest in their magazines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Board {
    /// Bottom to top.
    columns: [Vec<Disc>; COLUMNS],
}

impl Board {
    /// Lets a disc fall; whether it found room and the magazine had one.
    pub(super) fn drop_disc(&mut self, disc: Disc, column: usize) -> bool {
        let fits = self.columns.get(column).is_some_and(|discs| discs.len() < ROWS) && self.left(disc) > 0;
        if fits {
            self.columns[column].push(disc);
        }
        fits
    }

    /// All discs fall out and return to their magazines.
    pub(super) fn empty(&mut self) {
        *self = Self::default();
    }

    pub(super) fn left(&self, disc: Disc) -> usize {
        DISCS - self.columns.iter().flatten().filter(|other| **other == disc).count()
    }

    /// Rows from the top, one letter a cell.
    pub(super) fn rows(&self) -> Vec<String> {
        let row = |row: usize| {
            self.columns.iter().map(move |discs| discs.get(row).map_or('.', |disc| disc.letter()))
        };
        (0..ROWS).rev().map(|from_bottom| row(from_bottom).collect()).collect()
    }
}

/// All that can be known of the simulated robot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    /// `ready`, `loading` (a disc is chosen, the arm stands), `busy`, `error`.
    pub phase: String,
    /// Rows from the top: `R` red, `Y` yellow, `.` empty.
    pub board: Vec<String>,
    /// The colour that was announced as the winner.
    pub winner: Option<Disc>,
    /// Lit cells as column and row, from 0 at the bottom left.
    pub lights: Vec<(usize, usize)>,
    /// Red discs in the magazine.
    pub red_left: usize,
    /// Yellow discs in the magazine.
    pub yellow_left: usize,
    /// Whether its cable is plugged in.
    pub plugged: bool,
    /// Characters received so far, questions for the status aside.
    pub characters: u64,
    /// Mishaps so far.
    pub faults: u64,
    /// The column to which the arm carries a disc, counted from 0.
    pub arm: Option<usize>,
}

impl State {
    /// The board and the state for a terminal, eight lines; lit cells in brackets.
    pub fn picture(&self) -> String {
        let mut picture = String::new();
        for (from_top, row) in self.board.iter().enumerate() {
            for (column, letter) in row.chars().enumerate() {
                let lit = self.lights.contains(&(column, ROWS - 1 - from_top));
                let (left, right) = if lit { ('[', ']') } else { (' ', ' ') };
                // Writing into a string cannot fail.
                let _ = write!(picture, "{left}{letter}{right}");
            }
            picture.push('\n');
        }
        for number in 1..=COLUMNS {
            let _ = write!(picture, " {number} ");
        }
        let plugged = if self.plugged { "" } else { ", unplugged" };
        let _ = writeln!(
            picture,
            "\n{}{plugged}   red left {}   yellow left {}   faults {}",
            self.phase, self.red_left, self.yellow_left, self.faults
        );
        picture
    }
}
