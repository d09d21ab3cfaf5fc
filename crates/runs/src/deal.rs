//! The pieces that a run of Tetris was dealt so far: others race it on the same ones (X1).

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use players::tetris::GameLog;
use tetris::Piece;

/// Pieces that must be known before anybody can begin to play the same ones.
const FIRST: usize = 3;

/// The first game of a run, as far as it has got. The run writes it, anybody may read it.
#[derive(Clone, Debug, Default)]
pub struct Deal(Arc<Mutex<Dealt>>);

/// What was dealt so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dealt {
    /// The level of the first pieces.
    pub level: u8,
    /// Whether it is played in heart mode.
    pub heart: bool,
    /// The pieces in their order, each with the points when it came.
    pub pieces: Vec<(Piece, u32)>,
    /// Whether no more will come.
    pub is_over: bool,
}

impl Deal {
    /// All of it.
    pub fn so_far(&self) -> Dealt {
        self.lock().clone()
    }

    /// No more pieces come.
    pub fn end(&self) {
        self.lock().is_over = true;
    }

    /// Takes in what is new in the game.
    pub(crate) fn follow(&self, game: &GameLog) {
        let mut dealt = self.lock();
        let known = dealt.pieces.len();
        // A camera may read the level a look later than the first piece; nobody rises to the next one so early.
        if known < FIRST {
            (dealt.level, dealt.heart) = (game.level, game.heart);
        }
        dealt.pieces.extend(game.pieces.iter().skip(known).map(|&piece| (piece, game.score)));
    }

    fn lock(&self) -> MutexGuard<'_, Dealt> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
