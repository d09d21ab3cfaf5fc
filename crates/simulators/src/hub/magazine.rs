//! A robot's magazine: discs of one colour, or of both in turn.

use super::board::{COLUMNS, Disc, ROWS};

/// The discs that are still to be pushed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Magazine {
    pub(super) discs: u32,
    pub(super) next: Disc,
    is_mixed: bool,
}

impl Magazine {
    const BOARD: u32 = (COLUMNS * ROWS) as u32;

    /// One side's discs for a game.
    pub(super) fn of(disc: Disc) -> Self {
        Self { discs: Self::BOARD / 2, next: disc, is_mixed: false }
    }

    /// Both sides' discs in turn, red first.
    pub(super) fn mixed() -> Self {
        Self { discs: Self::BOARD, next: Disc::Red, is_mixed: true }
    }

    /// The disc at the bottom, if there is one.
    pub(super) fn take(&mut self) -> Option<Disc> {
        self.discs = self.discs.checked_sub(1)?;
        let taken = self.next;
        self.turn(1);
        Some(taken)
    }

    /// Discs are put back where they came from.
    pub(super) fn put_back(&mut self, discs: u32) {
        self.discs += discs;
        self.turn(discs);
    }

    /// As for a new game.
    pub(super) fn fill(&mut self) {
        *self = if self.is_mixed { Self::mixed() } else { Self::of(self.next) };
    }

    fn turn(&mut self, discs: u32) {
        if self.is_mixed && discs % 2 == 1 {
            self.next = self.next.other();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mixed_magazine_gives_colours_in_turn() {
        let mut magazine = Magazine::mixed();
        assert_eq!(magazine.take(), Some(Disc::Red));
        assert_eq!(magazine.take(), Some(Disc::Yellow));
        magazine.put_back(1);
        assert_eq!(magazine.take(), Some(Disc::Yellow));
        let mut one = Magazine::of(Disc::Yellow);
        assert_eq!((0..22).filter_map(|_| one.take()).count(), 21);
        one.fill();
        assert_eq!(one.take(), Some(Disc::Yellow));
    }
}
