//! The robot's language (C3): one character each way.
//!
//! | to the robot | meaning | answer |
//! |---|---|---|
//! | `A` | how are you? | `1` ready, `2` busy, `3` error; also while busy |
//! | `B` | initialise (switched off in the robot's present firmware) | none |
//! | `C` | new game: the discs fall out and are collected | `4` received, then busy |
//! | `D` | draw (switched off as well) | none |
//! | `E` `F` | red wins, yellow wins; nothing to see before four lights follow | `4` |
//! | `G` … `M` | red into column 1 … 7 | `4`, busy once the arm moves |
//! | `N` … `T` | yellow into column 1 … 7 | `4`, busy once the arm moves |
//! | `U` … `Z`, `a` … `z`, `1` … `9`, `0` | light 1 … 42, row by row from the bottom left | `4` |
//!
//! While it is busy the robot answers nothing but `A`. A column character
//! replaces an earlier one until the arm moves.

use std::fmt;

use super::parts::{COLUMNS, Cell, Column, Disc};

/// The characters of the lights as figure 42 draws them, but bottom row first.
const LIGHTS: [&[u8; COLUMNS as usize]; 6] =
    [b"UVWXYZa", b"bcdefgh", b"ijklmno", b"pqrstuv", b"wxyz123", b"4567890"];

/// What we can say to the robot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Request {
    /// Say how you are.
    Status,
    /// Go to the initial position.
    Init,
    /// Empty the board and collect the discs.
    NewGame,
    /// The game is drawn.
    Draw,
    /// This colour has won; four lights follow.
    Win(Disc),
    /// Drop a disc into a column.
    Drop(Disc, Column),
    /// Light a cell of the winning four.
    Light(Cell),
}

/// What kind of answer a request gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Ready, busy or error.
    Condition,
    /// Received, unless the robot is busy.
    Received,
    /// None at all.
    Nothing,
}

/// What the robot can say to us.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reply {
    /// It waits for us.
    Ready,
    /// It moves and hears nothing but a question for its status.
    Busy,
    /// It needs help.
    Error,
    /// It heard our last character.
    Received,
}

impl Request {
    /// The character on the line.
    pub fn to_byte(self) -> u8 {
        match self {
            Self::Status => b'A',
            Self::Init => b'B',
            Self::NewGame => b'C',
            Self::Draw => b'D',
            Self::Win(Disc::Red) => b'E',
            Self::Win(Disc::Yellow) => b'F',
            Self::Drop(Disc::Red, column) => b'G' + column.index(),
            Self::Drop(Disc::Yellow, column) => b'N' + column.index(),
            Self::Light(cell) => LIGHTS[usize::from(cell.row())][usize::from(cell.column().index())],
        }
    }

    /// The request of a character; none for characters that mean nothing.
    pub fn from_byte(byte: u8) -> Option<Self> {
        let column = |first: u8| Column::try_from(byte - first).ok();
        Some(match byte {
            b'A' => Self::Status,
            b'B' => Self::Init,
            b'C' => Self::NewGame,
            b'D' => Self::Draw,
            b'E' => Self::Win(Disc::Red),
            b'F' => Self::Win(Disc::Yellow),
            b'G'..=b'M' => Self::Drop(Disc::Red, column(b'G')?),
            b'N'..=b'T' => Self::Drop(Disc::Yellow, column(b'N')?),
            _ => Self::Light(light(byte)?),
        })
    }

    /// What the robot answers when it is not busy.
    pub fn answer(self) -> Answer {
        match self {
            Self::Status => Answer::Condition,
            Self::Init | Self::Draw => Answer::Nothing,
            Self::NewGame | Self::Win(_) | Self::Drop(..) | Self::Light(_) => Answer::Received,
        }
    }
}

fn light(byte: u8) -> Option<Cell> {
    (0..).zip(LIGHTS).find_map(|(row, characters)| {
        let column = characters.iter().position(|character| *character == byte)?;
        Cell::new(column as u8, row).ok()
    })
}

impl Reply {
    /// The character on the line.
    pub fn to_byte(self) -> u8 {
        match self {
            Self::Ready => b'1',
            Self::Busy => b'2',
            Self::Error => b'3',
            Self::Received => b'4',
        }
    }

    /// The reply of a character; none for characters that mean nothing.
    pub fn from_byte(byte: u8) -> Option<Self> {
        Some(match byte {
            b'1' => Self::Ready,
            b'2' => Self::Busy,
            b'3' => Self::Error,
            b'4' => Self::Received,
            _ => return None,
        })
    }
}

impl fmt::Display for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Status => f.write_str("status?"),
            Self::Init => f.write_str("initialise"),
            Self::NewGame => f.write_str("new game"),
            Self::Draw => f.write_str("draw"),
            Self::Win(disc) => write!(f, "{disc} wins"),
            Self::Drop(disc, column) => write!(f, "{disc} into column {column}"),
            Self::Light(cell) => write!(f, "light {cell}"),
        }
    }
}

impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Ready => "ready",
            Self::Busy => "busy",
            Self::Error => "error",
            Self::Received => "received",
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Every request there is: 4 words, 2 wins, 14 columns, 42 lights.
    fn all_requests() -> Vec<Request> {
        let words = [Request::Status, Request::Init, Request::NewGame, Request::Draw];
        let wins = Disc::ALL.map(Request::Win);
        let drops = Disc::ALL.into_iter().flat_map(|disc| Column::all().map(move |c| Request::Drop(disc, c)));
        let lights = (0..6).flat_map(|row| (0..7).map(move |c| Request::Light(Cell::new(c, row).unwrap())));
        words.into_iter().chain(wins).chain(drops).chain(lights).collect()
    }

    #[test]
    fn requests_survive_the_line() {
        let requests = all_requests();
        assert_eq!(requests.len(), 4 + 2 + 14 + 42);
        let bytes: std::collections::BTreeSet<_> = requests.iter().map(|request| request.to_byte()).collect();
        assert_eq!(bytes.len(), requests.len(), "no character means two things");
        for request in requests {
            assert_eq!(Request::from_byte(request.to_byte()), Some(request));
        }
    }

    /// The examples of the robot's description: figure 41, and the text under figure 42.
    #[test]
    fn characters_are_those_of_the_table() {
        let column = |index| Column::try_from(index).unwrap();
        let cell = |column, row| Request::Light(Cell::new(column, row).unwrap());
        assert_eq!(Request::Drop(Disc::Red, column(0)).to_byte(), b'G');
        assert_eq!(Request::Drop(Disc::Red, column(6)).to_byte(), b'M');
        assert_eq!(Request::Drop(Disc::Yellow, column(0)).to_byte(), b'N');
        assert_eq!(Request::Drop(Disc::Yellow, column(6)).to_byte(), b'T');
        assert_eq!([0, 1, 2, 3].map(|x| cell(x, 5).to_byte()), *b"4567");
        assert_eq!(
            [cell(0, 0), cell(6, 0), cell(6, 3), cell(6, 4), cell(6, 5)].map(Request::to_byte),
            *b"Uav30"
        );
    }

    proptest! {
        /// Any byte is either one of the characters or nothing; none is turned into another.
        #[test]
        fn junk_means_nothing(byte: u8) {
            let known = byte.is_ascii_alphanumeric();
            prop_assert_eq!(Request::from_byte(byte).map(Request::to_byte), known.then_some(byte));
            let reply = (b'1'..=b'4').contains(&byte);
            prop_assert_eq!(Reply::from_byte(byte).map(Reply::to_byte), reply.then_some(byte));
        }
    }
}
