//! Two-player games: shared pieces, attacks, rounds and the match.

use super::randomiser::{Dealer, DivSource, draw};
use crate::board::WIDTH;
use crate::piece::Piece;

/// Lines that win a round.
pub const VERSUS_LINES: u32 = 30;
/// Rounds that win the match.
const ROUNDS_TO_WIN: u32 = 4;
/// Number of pieces that the master sends before a round.
const LIST_LENGTH: usize = 256;

/// Rows that the opponent gets when this many lines are cleared at once.
pub fn attack_rows(lines: u32) -> u32 {
    match lines {
        0 | 1 => 0,
        2 => 1,
        3 => 2,
        _ => 4,
    }
}

/// The pieces of a round, the same for both players; each player has a copy of the list.
#[derive(Clone, Debug)]
pub struct PieceList {
    pieces: Vec<Piece>,
    next: usize,
}

impl PieceList {
    /// Draws a list the way the master does.
    pub fn draw<D: DivSource + ?Sized>(div: &mut D) -> PieceList {
        let (mut active, mut preview) = (Piece::L, Piece::L);
        let mut pieces = Vec::with_capacity(LIST_LENGTH);
        for _ in 0..LIST_LENGTH {
            let piece = draw(div, active, preview);
            pieces.push(piece);
            (active, preview) = (preview, piece);
        }
        PieceList { pieces, next: 0 }
    }

    /// The garbage row of the round: nine blocks and a hole whose column depends on the last piece.
    pub fn garbage_row(&self) -> u16 {
        garbage_row(self.pieces[LIST_LENGTH - 1])
    }
}

impl Dealer for PieceList {
    fn deal(&mut self, _active: Piece, _preview: Piece) -> Piece {
        let piece = self.pieces[self.next];
        // After 256 pieces the list starts over; no round lasts that long.
        self.next = (self.next + 1) % LIST_LENGTH;
        piece
    }
}

/// The garbage row when the list ends with `last`: bit `x` is column `x`.
///
/// The cartridge takes the last byte of the list, four times the piece's
/// number with 0 read as 256, less one, modulo ten.
pub fn garbage_row(last: Piece) -> u16 {
    let byte = match last.index() * 4 {
        0 => 256,
        byte => byte,
    };
    let hole = (byte - 1) % WIDTH;
    0b11_1111_1111 & !(1 << hole)
}

/// One end of the cable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Sends the clock and the list.
    Master,
    /// Receives them.
    Slave,
}

/// Rounds won so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Match {
    master: u32,
    slave: u32,
}

impl Match {
    /// Counts a round; returns the winner of the match once there is one.
    pub fn round_won_by(&mut self, side: Side) -> Option<Side> {
        let rounds = match side {
            Side::Master => &mut self.master,
            Side::Slave => &mut self.slave,
        };
        *rounds += 1;
        (*rounds >= ROUNDS_TO_WIN).then_some(side)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hole_follows_from_the_last_piece() {
        let holes = Piece::ALL.map(|last| (!garbage_row(last)).trailing_zeros());
        assert_eq!(holes, [5, 3, 7, 1, 5, 9, 3]);
    }

    #[test]
    fn attacks_by_lines() {
        assert_eq!([1, 2, 3, 4].map(attack_rows), [0, 1, 2, 4]);
    }

    #[test]
    fn four_rounds_win_the_match() {
        let mut games = Match::default();
        for _ in 0..3 {
            assert_eq!(games.round_won_by(Side::Master), None);
            assert_eq!(games.round_won_by(Side::Slave), None);
        }
        assert_eq!(games.round_won_by(Side::Slave), Some(Side::Slave));
    }
}
