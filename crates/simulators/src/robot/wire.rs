//! The robot's language as the robot hears it: figures 41 and 42 of its description.

use super::board::Disc;

/// Light 1 to light 42 in the order in which figure 41 lists them; figure 42 places them row by row from the bottom left.
const LIGHTS: &[u8] = b"UVWXYZabcdefghijklmnopqrstuvwxyz1234567890";

pub(super) const READY: u8 = b'1';
pub(super) const BUSY: u8 = b'2';
pub(super) const ERROR: u8 = b'3';
pub(super) const RECEIVED: u8 = b'4';

/// What a character asks of the robot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Character {
    Status,
    Init,
    NewGame,
    Draw,
    Winner(Disc),
    Disc(Disc, usize),
    /// Column and row, from 0 at the bottom left.
    Light(usize, usize),
}

impl Character {
    /// What a byte asks for; noise asks for nothing.
    pub(super) fn read(byte: u8) -> Option<Self> {
        Some(match byte {
            b'A' => Self::Status,
            b'B' => Self::Init,
            b'C' => Self::NewGame,
            b'D' => Self::Draw,
            b'E' => Self::Winner(Disc::Red),
            b'F' => Self::Winner(Disc::Yellow),
            b'G'..=b'M' => Self::Disc(Disc::Red, usize::from(byte - b'G')),
            b'N'..=b'T' => Self::Disc(Disc::Yellow, usize::from(byte - b'N')),
            _ => {
                let light = LIGHTS.iter().position(|character| *character == byte)?;
                Self::Light(light % 7, light / 7)
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Figure 42, top row first.
    #[test]
    fn lights_lie_where_the_figure_draws_them() {
        let figure = ["4567890", "wxyz123", "pqrstuv", "ijklmno", "bcdefgh", "UVWXYZa"];
        for (from_top, line) in figure.iter().enumerate() {
            for (column, byte) in line.bytes().enumerate() {
                assert_eq!(Character::read(byte), Some(Character::Light(column, 5 - from_top)));
            }
        }
    }
}
