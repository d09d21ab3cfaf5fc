//! What a value says about the end of the game, in terms that need no guide (C9).

use serde::{Deserialize, Serialize};

use crate::{CELLS, Position};

/// How the game goes on for the player whose value it is.
///
/// Moves are counted from the position that was thought about: its next move is 1, and so is the answer to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Outlook {
    /// Wins with this move of its own at the latest.
    Wins {
        /// Own moves up to the four, that one included.
        moves: u32,
    },
    /// Loses to this move of the opponent at the earliest.
    Loses {
        /// Moves of the opponent up to the four, that one included.
        moves: u32,
    },
    /// Nobody can force a win.
    Draw,
    /// The end was not seen.
    Open {
        /// What the last positions seen looked like.
        points: i32,
    },
}

impl Outlook {
    /// The outlook of an exact score in `position`: for the player to move, whose next move it is.
    pub fn of_score(position: &Position, score: i32) -> Self {
        let left = (CELLS - position.discs()) as i32;
        match score {
            0 => Self::Draw,
            1.. => Self::Wins { moves: at_least_one((left + 1) / 2 - score + 1) },
            ..0 => Self::Loses { moves: at_least_one(left / 2 + score + 1) },
        }
    }

    /// The outlook of a value of a search `depth` discs deep, in which a four is worth `four` and as much again for
    /// each disc that it comes before the last one looked at.
    pub fn of_points(points: i32, four: i32, depth: u32) -> Self {
        let four = four.max(1);
        if points.abs() < four {
            return Self::Open { points };
        }
        let discs = depth as i32 - (points.abs() / four - 1);
        if points > 0 {
            Self::Wins { moves: at_least_one((discs + 1) / 2) }
        } else {
            Self::Loses { moves: at_least_one(discs / 2) }
        }
    }
}

fn at_least_one(moves: i32) -> u32 {
    moves.max(1) as u32
}

#[cfg(test)]
mod tests {
    use budget::Budget;

    use super::*;
    use crate::exhibition;

    #[test]
    fn a_score_tells_the_move_that_ends_the_game() {
        let check = |moves: &str, score, outlook| {
            assert_eq!(Outlook::of_score(&moves.parse().unwrap(), score), outlook, "{moves} {score}");
        };
        check("", 1, Outlook::Wins { moves: 21 });
        check("", 0, Outlook::Draw);
        check("6146", 18, Outlook::Wins { moves: 2 });
        check("443322", 18, Outlook::Wins { moves: 1 });
        check("44332", -18, Outlook::Loses { moves: 1 });
    }

    /// Both ways of looking at a won position say the same.
    #[test]
    fn points_and_scores_agree_where_the_end_is_seen() {
        for (moves, outlook) in [
            ("443322", Outlook::Wins { moves: 1 }),
            ("4433", Outlook::Wins { moves: 2 }),
            ("44332", Outlook::Loses { moves: 1 }),
        ] {
            let position: Position = moves.parse().unwrap();
            for depth in [4, 5, 6] {
                let settings = exhibition::SearchSettings::exhibition(depth);
                let found =
                    exhibition::search(&position, &settings, 1, &Budget::unlimited()).unwrap().unwrap();
                assert_eq!(found.outlooks[found.best.index()], Some(outlook), "{moves} {depth}");
            }
        }
    }
}
