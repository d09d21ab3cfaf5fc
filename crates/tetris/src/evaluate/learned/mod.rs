//! Our evaluator for points: the value of a board, learned from its own games.
//!
//! The value is a sum of table entries, each chosen by one small part of the
//! board. It estimates the tetrises still to come, so clears and boards have one
//! unit. [`Learner`](crate::tune::Learner) thus learns together when to build,
//! when to clear early and how high is safe.

mod lookups;
mod tables;

use std::sync::Arc;

pub use lookups::{ENTRIES, LOOKUPS, for_each_lookup, lookups};
pub use tables::{Tables, TablesError};

use super::{Evaluator, Situation};
use crate::board::Board;
use crate::features::Placed;
use crate::gameboy::{MAX_LEVEL, frames_per_row};
use crate::reach::Timing;

/// The value of clearing lines (index by lines), in tetrises: the Game Boy's points.
pub const CLEARS: [f32; 5] = [0.0, 40.0 / 1_200.0, 100.0 / 1_200.0, 300.0 / 1_200.0, 1.0];

/// How hard it is to reach the walls. Each pace has its own tables, because it decides what can still
/// be built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace(usize);

impl Pace {
    /// Number of paces.
    pub const COUNT: usize = 8;

    /// All paces, the easiest first.
    pub fn all() -> impl Iterator<Item = Pace> {
        (0..Pace::COUNT).map(Pace)
    }

    /// The pace for a speed level and a key timing.
    pub fn of(speed: u8, timing: Timing) -> Pace {
        const PRESSES_TO_THE_FAR_WALL: u32 = 4;
        let frames = timing.reaction + (PRESSES_TO_THE_FAR_WALL - 1) * timing.period;
        Pace(match frames / u32::from(frames_per_row(speed)) {
            0..=1 => 0,
            2 => 1,
            3 => 2,
            4..=5 => 3,
            6..=7 => 4,
            8..=9 => 5,
            10..=11 => 6,
            _ => 7,
        })
    }

    /// Its number, counted from 0.
    pub fn index(self) -> usize {
        self.0
    }
}

/// The evaluator: its tables, and the pace of the situation.
#[derive(Clone, Debug)]
pub struct Learned {
    tables: Arc<Tables>,
    pace: Pace,
    mirrored: bool,
}

impl Learned {
    /// An evaluator with these tables.
    pub fn new(tables: Arc<Tables>) -> Learned {
        Learned { tables, pace: Pace(0), mirrored: false }
    }

    /// The evaluator with the built-in tables.
    pub fn ours() -> Learned {
        Learned::new(Tables::ours())
    }

    /// The same evaluator on mirrored boards: it builds on the other side.
    #[must_use]
    pub fn mirrored(mut self) -> Learned {
        self.mirrored = !self.mirrored;
        self
    }
}

impl Evaluator for Learned {
    /// Uses the level to come: what is built now must still be playable then.
    fn prepare(&mut self, situation: &Situation<'_>) {
        self.pace = Pace::of((situation.speed + 1).min(MAX_LEVEL), situation.timing);
    }

    #[inline(always)]
    fn board_value(&self, board: &Board) -> f32 {
        if self.mirrored {
            self.tables.value(self.pace, &board.mirrored())
        } else {
            self.tables.value(self.pace, board)
        }
    }

    #[inline(always)]
    fn move_value(&self, placed: &Placed) -> f32 {
        CLEARS[(placed.lines as usize).min(4)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::{Chance, Depth, Keys, Search};
    use crate::{field::Field, piece::Piece};

    #[test]
    fn paces_follow_speed_and_keys() {
        let robot = Timing::from_ms(75.0);
        let paces: Vec<usize> = (9..=20).map(|speed| Pace::of(speed, robot).index()).collect();
        assert_eq!(paces, [0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 2, 3]);
        let slow: Vec<usize> =
            (9..=20).map(|speed| Pace::of(speed, Timing::from_ms(133.0)).index()).collect();
        assert_eq!(slow, [1, 1, 2, 2, 2, 3, 3, 3, 3, 3, 4, 5]);
        assert_eq!(Pace::of(20, Timing::from_ms(200.0)).index(), Pace::COUNT - 1);
        assert_eq!(Pace::of(0, robot), Pace::of(9, robot));
        assert!(Pace::of(20, Timing::from_ms(20.0)).index() < 3);
    }

    #[test]
    fn a_bar_goes_where_it_clears_four_rows() {
        let board = Board::parse(&".#########\n".repeat(4)).unwrap();
        for (evaluator, board) in [(Learned::ours(), board), (Learned::ours().mirrored(), board.mirrored())] {
            let timing = Timing::from_ms(75.0);
            let mut search =
                Search::new(evaluator, Keys::new(timing), Field::GAME_BOY, Depth::Two, Chance::GameBoy);
            search.movement.set_speed(9);
            let (active, preview) = (Piece::I, Piece::O);
            search.prepare(&Situation { board: &board, active, preview, speed: 9, timing });
            let decision = search.decide(&board, active, preview, &budget::Budget::unlimited()).unwrap();
            let mut after = board;
            after.place(
                active.shape(decision.placement.orientation()),
                decision.placement.x(),
                decision.placement.row(),
            );
            assert_eq!(after.full_rows().count_ones(), 4, "{after:?}");
        }
    }
}
