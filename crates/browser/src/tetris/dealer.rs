//! Who deals the pieces of a Game Boy game: chance, or another game whose pieces are played again (X1).

use std::collections::VecDeque;

use rand_xoshiro::Xoshiro256PlusPlus;
use tetris::Piece;
use tetris::gameboy::{CycleDiv, Dealer};

/// Pieces of a Game Boy game.
#[derive(Clone, Debug)]
pub(super) enum Deck {
    /// Drawn as the console draws.
    Drawn(CycleDiv<Xoshiro256PlusPlus>),
    /// Those of another game, as far as it has got.
    Dealt(VecDeque<Piece>),
}

impl Deck {
    /// Whether the next piece is not known yet.
    pub(super) fn is_empty(&self) -> bool {
        matches!(self, Deck::Dealt(pieces) if pieces.is_empty())
    }

    /// Puts pieces under the others; chance needs none.
    pub(super) fn add(&mut self, pieces: &[Piece]) {
        if let Deck::Dealt(known) = self {
            known.extend(pieces);
        }
    }
}

impl Dealer for Deck {
    fn deal(&mut self, active: Piece, preview: Piece) -> Piece {
        match self {
            Deck::Drawn(div) => div.deal(active, preview),
            // A session waits while its deck is empty, so there always is one.
            Deck::Dealt(pieces) => pieces.pop_front().unwrap_or(Piece::O),
        }
    }
}

/// Reads letters such as `LJIOZST`; nothing if one of them is no piece.
pub(crate) fn read_pieces(letters: &str) -> Option<Vec<Piece>> {
    letters.chars().map(Piece::from_letter).collect()
}

#[cfg(test)]
mod tests {
    use tetris::gameboy::Buttons;

    use super::super::{Choices, Happening, Session};
    use super::*;

    /// X1: the pieces of another game come in its order, and those that are not known yet are waited for.
    #[test]
    fn a_dealt_game_gets_its_pieces_in_order_and_waits_for_more() {
        let letters = "TTIOLJSZ";
        let pieces: Vec<_> = letters.chars().map(|letter| Piece::from_letter(letter).unwrap()).collect();
        let mut session = Session::dealt(Choices::gameboy(9, 0), &pieces[..3]).unwrap();
        let mut came = vec![session.falling().unwrap().piece];
        let mut known = 3;
        while came.len() < pieces.len() - 2 {
            let frames = session.frames();
            if session.step(Buttons::NONE) == Happening::Spawned {
                came.push(session.falling().unwrap().piece);
            }
            if session.is_waiting() {
                assert_eq!(came.len(), known - 2, "two more are on their way");
                assert_eq!(session.step(Buttons::DOWN), Happening::Nothing);
                assert!(session.frames() <= frames + 1, "time stands still");
                session.deal(&pieces[known..=known]);
                known += 1;
            }
            assert!(!session.is_over());
        }
        assert_eq!(came, pieces[..came.len()]);
        assert!(Session::dealt(Choices::gameboy(9, 0), &pieces[..2]).is_err());
        assert!(Session::dealt(Choices::classic(10, 20, 0), &pieces).is_err());
    }
}
