//! Whether a board can have come of the one before: what vanishes without a move is covered, not gone.

use std::time::Duration;

use engine::Time;
use samegame::board::Board;
use samegame::rules::Orientation;

use super::change::{Change, change};

/// How long a board that no move explains must be seen before it is believed: windows in front come and go.
const ODD_FOR: Duration = Duration::from_secs(6);

/// The board that is believed to stand.
#[derive(Clone, Debug, Default)]
pub(super) struct Belief {
    board: Option<Board>,
    /// A board that nothing explains, and since when it is seen.
    odd: Option<(Board, Time)>,
}

impl Belief {
    /// The board, if one is believed to stand.
    pub fn board(&self) -> Option<&Board> {
        self.board.as_ref()
    }

    /// Whether what is seen is believed: it follows from what stood before, or has been there for long.
    pub fn accept(&mut self, seen: &Board, now: Time) -> bool {
        let believed = match &self.odd {
            Some((odd, since)) if odd == seen => now.since(*since) >= ODD_FOR,
            _ => self.board.as_ref().is_none_or(|before| follows(before, seen)),
        };
        if believed {
            (self.board, self.odd) = (Some(seen.clone()), None);
        } else if self.odd.as_ref().is_none_or(|(odd, _)| odd != seen) {
            tracing::debug!(%seen, "tiles are gone that no move has taken; waiting");
            self.odd = Some((seen.clone(), now));
        }
        believed
    }

    /// A new round begins, with any board.
    pub fn forget(&mut self) {
        *self = Self::default();
    }
}

/// Whether a board follows from another by nothing, new tiles, or two moves at most: a click too many takes a
/// second group, and a person may make a move.
fn follows(before: &Board, seen: &Board) -> bool {
    if seen.cells() >= before.cells() {
        return true;
    }
    let wanted = tiles(seen);
    before.groups(2).iter().any(|first| {
        let after = before.without(first, Orientation::Left);
        matches!(change(before, first, seen), Change::Removed(_))
            || tiles(&after) == wanted
            || (after.cells() > seen.cells()
                && after.groups(2).iter().any(|second| {
                    after.cells() - second.cells.len() == seen.cells()
                        && tiles(&after.without(second, Orientation::Left)) == wanted
                }))
    })
}

/// The tiles column by column, without the room around them: a board found again may have another extent, and
/// its colours other numbers.
fn tiles(board: &Board) -> Vec<Vec<u8>> {
    let form = board.normal_form();
    let filled = form.columns().iter().map(|column| column.iter().copied().filter(|&c| c != 0).collect());
    filled.filter(|column: &Vec<u8>| !column.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(text: &str) -> Board {
        text.parse().unwrap()
    }

    #[test]
    fn moves_and_new_tiles_are_believed_and_covered_tiles_are_not() {
        let before = board("[[1,1,2],[3,2,3],[3,2,1]]");
        let follows = |seen: &str| follows(&before, &board(seen));
        assert!(follows("[[1,1,2],[3,2,3],[3,2,1]]"), "nothing happened");
        assert!(follows("[[2,0,0],[3,2,3],[3,2,1]]"), "one move");
        assert!(follows("[[2,0,0],[3,3,0],[3,1,0]]"), "a second move by a click too many");
        assert!(
            follows("[[1,0,0,0],[2,1,2,0],[2,1,3,0]]"),
            "one move, found again with another extent and other numbers"
        );
        assert!(follows("[[2,2,2],[3,2,3],[3,2,1]]"), "new tiles");
        assert!(!follows("[[1,1,2],[3,0,0],[3,2,1]]"), "tiles under a window");
        assert!(!follows("[[1,0,0],[3,0,0],[3,0,0]]"), "tiles under a window that is as wide as the board");
    }

    #[test]
    fn what_stays_is_believed_in_the_end() {
        let (before, covered) = (board("[[1,1,2],[3,2,3],[3,2,1]]"), board("[[1,1,2],[3,0,0],[3,2,1]]"));
        let mut belief = Belief::default();
        assert!(belief.accept(&before, Time::START));
        assert!(!belief.accept(&covered, Time::START));
        assert!(!belief.accept(&covered, Time::START + ODD_FOR / 2));
        assert!(belief.accept(&before, Time::START + ODD_FOR / 2), "it was a window in front");
        assert!(!belief.accept(&covered, Time::START + ODD_FOR));
        assert!(belief.accept(&covered, Time::START + ODD_FOR * 2));
        assert_eq!(belief.board(), Some(&covered));
    }
}
