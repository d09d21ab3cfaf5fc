//! Our evaluator for points: the value of a board, learned from its own games.
//!
//! The value is a sum of table entries, each chosen by one small part of the
//! board. It estimates the tetrises still to come, so clears and boards have one
//! unit. [`Learner`](crate::tune::Learner) thus learns together when to build,
//! when to clear early and how high is safe.
//!
//! Once all points are made, or while the stack is dangerous, the weights for lines take over: they survive.

mod lookups;
mod tables;

use std::sync::Arc;

pub use lookups::{ENTRIES, LOOKUPS, for_each_lookup, lookups};
pub use tables::{Tables, TablesError};

use super::{Evaluator, Linear, Situation, ours};
use crate::board::Board;
use crate::features::Placed;
use crate::gameboy::{MAX_LEVEL, ROWS, frames_per_row};
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

/// Where the last level cannot be survived with these keys, this pace's tables serve for the levels before it: they make
/// their points sooner. At 200 ms a press that gave 496,051 ± 21,660 points (40 games) instead of 412,480 ± 11,872 (100).
const LAST_FOR_POINTS: Pace = Pace(3);

/// The last pace at which the weights for lines survive: like BCTS, which reaches 999,999 points in 99 of 100 games at
/// 133 ms a press and in 9 of 100 at 167 ms.
const LAST_TO_SURVIVE: Pace = Pace(5);
/// From here on a stack is dangerous: it is worth so much less than an empty field, in tetrises.
const DANGEROUS: f32 = 2.0;
/// A dangerous stack is taken down to here before points are made again.
const SAFE: f32 = 0.2;

/// The evaluator: its tables, and the pace of the situation.
#[derive(Clone, Debug)]
pub struct Learned {
    tables: Arc<Tables>,
    pace: Pace,
    mirrored: bool,
    /// Whether the stack has become dangerous and is not safe again yet.
    is_in_danger: bool,
    /// Whether it only wants to survive.
    survives: bool,
    /// What the survivor's values are raised by, so that an empty field is worth the same to both.
    raised: f32,
}

/// Judges boards when it only wants to survive.
const SURVIVOR: Linear = Linear::new(ROWS, ours::LINES);
/// Its unit in tetrises: a hole is worth about as much to both.
const SURVIVORS_UNIT: f32 = 0.1;

impl Learned {
    /// An evaluator with these tables.
    pub fn new(tables: Arc<Tables>) -> Learned {
        Learned { tables, pace: Pace(0), mirrored: false, is_in_danger: false, survives: false, raised: 0.0 }
    }

    /// The value of a board for points.
    #[inline(always)]
    fn worth(&self, board: &Board) -> f32 {
        if self.mirrored {
            self.tables.value(self.pace, &board.mirrored())
        } else {
            self.tables.value(self.pace, board)
        }
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
        let pace = Pace::of((situation.speed + 1).min(MAX_LEVEL), situation.timing);
        let last = Pace(Pace::COUNT - 1);
        let is_before_the_end = pace != last && Pace::of(MAX_LEVEL, situation.timing) == last;
        self.pace = if is_before_the_end { Pace(pace.0.min(LAST_FOR_POINTS.0)) } else { pace };
        let empty = self.worth(&Board::EMPTY);
        self.raised = empty - SURVIVORS_UNIT * SURVIVOR.board_value(&Board::EMPTY);
        let lost = empty - self.worth(situation.board);
        self.is_in_danger =
            pace.0 <= LAST_TO_SURVIVE.0 && lost > if self.is_in_danger { SAFE } else { DANGEROUS };
        self.survives = self.is_in_danger || situation.maxed_out;
    }

    #[inline(always)]
    fn board_value(&self, board: &Board) -> f32 {
        if self.survives {
            SURVIVORS_UNIT * SURVIVOR.board_value(board) + self.raised
        } else {
            self.worth(board)
        }
    }

    #[inline(always)]
    fn move_value(&self, placed: &Placed) -> f32 {
        if self.survives {
            SURVIVORS_UNIT * SURVIVOR.move_value(placed)
        } else {
            CLEARS[(placed.lines as usize).min(4)]
        }
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
        assert_eq!(slow, [1, 1, 1, 2, 2, 3, 3, 3, 3, 4, 4, 5]);
        assert_eq!(Pace::of(20, Timing::from_ms(200.0)).index(), Pace::COUNT - 1);
        assert_eq!(Pace::of(0, robot), Pace::of(9, robot));
        assert!(Pace::of(20, Timing::from_ms(20.0)).index() < 3);
    }

    fn situation(board: &Board, speed: u8, press_ms: f64, maxed_out: bool) -> Situation<'_> {
        let timing = Timing::from_ms(press_ms);
        Situation { board, active: Piece::I, preview: Piece::O, speed, timing, maxed_out }
    }

    #[test]
    fn once_all_points_are_made_it_survives() {
        let board = Board::parse("##.#######\n.#########").unwrap();
        let mut player = Learned::ours();
        player.prepare(&situation(&board, 20, 75.0, true));
        let worse = player.board_value(&Board::EMPTY) - player.board_value(&board);
        let to_the_survivor = SURVIVOR.board_value(&Board::EMPTY) - SURVIVOR.board_value(&board);
        assert!((worse - SURVIVORS_UNIT * to_the_survivor).abs() < 1e-4);
        assert!((player.board_value(&Board::EMPTY) - player.worth(&Board::EMPTY)).abs() < 1e-4);
        let tetris = Placed { lines: 4, ..Placed::default() };
        assert!((player.move_value(&tetris) - SURVIVORS_UNIT * SURVIVOR.move_value(&tetris)).abs() < 1e-6);
        player.prepare(&situation(&board, 20, 75.0, false));
        assert!((player.move_value(&tetris) - 1.0).abs() < 1e-6);
    }

    #[test]
    fn a_dangerous_stack_is_taken_down_before_points_are_made() {
        // Every second row has a hole, and the stack is so high.
        let stack = |rows: usize| {
            let rows = (0..rows).map(|row| if row % 2 == 0 { "####.#####\n" } else { "########.#\n" });
            Board::parse(&rows.collect::<String>()).unwrap()
        };
        let mut player = Learned::ours();
        let mut survives = |rows: usize| {
            player.prepare(&situation(&stack(rows), 20, 75.0, false));
            player.survives
        };
        let highest_of_points = (0..16).take_while(|rows| !survives(*rows)).count();
        assert!((3..15).contains(&highest_of_points), "points up to {highest_of_points} rows");
        // On the way down it goes on surviving where it did not begin to on the way up.
        let down: Vec<bool> = (0..highest_of_points).rev().map(&mut survives).collect();
        assert!(down[0] && !down[highest_of_points - 1], "{down:?}");
        assert!(down.is_sorted_by(|higher, lower| higher >= lower), "{down:?}");
    }

    #[test]
    fn keys_too_slow_for_the_last_level_play_for_points_before_it() {
        let mut player = Learned::ours();
        let mut pace = |speed, press_ms| {
            player.prepare(&situation(&Board::EMPTY, speed, press_ms, false));
            player.pace.index()
        };
        let paces: Vec<usize> = (9..=20).map(|speed| pace(speed, 200.0)).collect();
        assert!(
            paces.iter().all(|pace| *pace <= LAST_FOR_POINTS.index() || *pace == Pace::COUNT - 1),
            "{paces:?}"
        );
        assert!(paces.contains(&LAST_FOR_POINTS.index()) && paces.ends_with(&[Pace::COUNT - 1]), "{paces:?}");
        // With quicker keys every pace has its own tables.
        assert_eq!(pace(20, 167.0), Pace::of(20, Timing::from_ms(167.0)).index());
        assert!(pace(20, 167.0) > LAST_FOR_POINTS.index());
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
            let situation = Situation { board: &board, active, preview, speed: 9, timing, maxed_out: false };
            search.prepare(&situation);
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
