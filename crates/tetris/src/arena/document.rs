//! The simulation with which the robot's authors measured their evaluators (G12).
//!
//! It differs from the console in stated ways, kept here so that their figures
//! can be reproduced:
//!
//! - pieces are independent draws with probabilities they had measured;
//! - the search drops poses straight down from the spawn height and ignores
//!   whether keys can bring the piece there;
//! - a move that turns out to be blocked, by walls of the stack or because the
//!   piece has touched down before its last key, ends the game at once (their
//!   published program also ends it when the piece touches down after the last
//!   key, while nothing is left to press; that costs Lee a fifth of its lines,
//!   and is not what the document describes);
//! - the field has 19 rows, all of them can be cleared, and a clear is scored
//!   on the level after it.

use budget::Budget;
use rand::{Rng, RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::{GameRecord, Limits};
use crate::board::Board;
use crate::evaluate::Evaluator;
use crate::field::{Field, settle};
use crate::gameboy::{MAX_LEVEL, MAX_SCORE, SPAWN_ROW, SPAWN_X, frames_per_row, line_score};
use crate::moves::{Placement, box_columns};
use crate::piece::Piece;
use crate::search::{Chance, Depth, LOST, Movement, Search};

/// Rows of their field.
const ROWS: u32 = 19;
/// Their frame rate.
const FRAMES_PER_SECOND: f64 = 59.73;

/// Plays a game by their rules; without `press_ms` pieces do not fall while keys are pressed.
pub fn play_document<E: Evaluator + Clone + Send>(
    evaluator: E,
    start_level: u8,
    press_ms: Option<f64>,
    seed: u64,
    limits: Limits,
) -> GameRecord {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let field = Field::classic(ROWS);
    let mut search = Search::new(evaluator, SpawnDrops, field, Depth::Two, Chance::Uniform);
    let mut board = Board::EMPTY;
    let (mut active, mut preview) = (draw(&mut random), draw(&mut random));
    let mut record = GameRecord { seed, ..GameRecord::default() };
    while record.lines < limits.lines {
        let decision = search.decide(&board, active, preview, &Budget::unlimited());
        let level = level(start_level, record.lines);
        let rest = decision
            .filter(|decision| decision.value > LOST / 2.0)
            .and_then(|decision| execute(&board, active, decision.placement, press_ms.map(|ms| (ms, level))));
        let Some((placement, dropped)) = rest else {
            record.died = true;
            break;
        };
        board.place(active.shape(placement.orientation()), placement.x(), placement.row());
        let cleared = settle(&mut board, field);
        record.lines += cleared;
        record.pieces += 1;
        record.clears[cleared as usize] += 1;
        let points = dropped + line_score(cleared, self::level(start_level, record.lines));
        record.score = (record.score + points).min(MAX_SCORE);
        if record.score == MAX_SCORE && record.lines_to_max_out.is_none() {
            record.lines_to_max_out = Some(record.lines);
            if limits.stop_at_max_out {
                break;
            }
        }
        (active, preview) = (preview, draw(&mut random));
    }
    record
}

/// Presses the keys while the piece falls; none when one of them is blocked.
fn execute(
    board: &Board,
    piece: Piece,
    target: Placement,
    falling: Option<(f64, u8)>,
) -> Option<(Placement, u32)> {
    let orientation = target.orientation();
    // They turn clockwise once, or counter-clockwise up to twice; ours counts counter-clockwise.
    let turns: Vec<usize> = match orientation {
        0 => vec![],
        1 => vec![1],
        2 => vec![1, 2],
        _ => vec![3],
    };
    let shift = (target.x() - SPAWN_X).signum();
    let shifts = target.x().abs_diff(SPAWN_X) as usize;
    let (mut o, mut x, mut row) = (0, SPAWN_X, SPAWN_ROW);
    let is_free = |o: usize, x: i32, row: i32| !board.collides(piece.shape(o), x, row);
    let mut fallen = 0;
    let presses = turns.len().max(shifts);
    for press in 0..presses {
        if let Some(&turned) = turns.get(press) {
            o = turned;
            if !is_free(o, x, row) {
                return None;
            }
        }
        if press < shifts {
            x += shift;
            if !is_free(o, x, row) {
                return None;
            }
        }
        if let Some((press_ms, level)) = falling {
            let frames = (press + 1) as f64 * press_ms * FRAMES_PER_SECOND / 1_000.0;
            let distance = (frames / f64::from(frames_per_row(level))).floor() as i32;
            while fallen < distance {
                fallen += 1;
                if is_free(o, x, row - 1) {
                    row -= 1;
                } else if press + 1 < presses {
                    return None;
                }
            }
        }
    }
    let rest = board.landing_row(piece.shape(o), x);
    (rest <= row).then(|| (Placement::new(o, x, rest), (row - rest) as u32))
}

/// The level when levelling up is seen at once.
fn level(start: u8, lines: u32) -> u8 {
    if lines < (u32::from(start) + 1) * 10 { start } else { (lines / 10).min(u32::from(MAX_LEVEL)) as u8 }
}

/// Their measured probabilities: O, I, S, Z, L, J, T.
fn draw<R: Rng>(random: &mut R) -> Piece {
    const SHARES: [(Piece, f64); 6] = [
        (Piece::O, 0.149),
        (Piece::I, 0.279),
        (Piece::S, 0.475),
        (Piece::Z, 0.575),
        (Piece::L, 0.688),
        (Piece::J, 0.833),
    ];
    let p: f64 = random.random();
    SHARES.iter().find(|(_, below)| p < *below).map_or(Piece::T, |(piece, _)| *piece)
}

/// Poses dropped from the spawn height, fewest keys first: of equal values the first is taken.
#[derive(Clone, Copy, Debug)]
struct SpawnDrops;

impl Movement for SpawnDrops {
    fn placements(&mut self, board: &Board, piece: Piece, out: &mut Vec<Placement>) {
        out.clear();
        for shift in [0, 1, -1, 2, -2, 3, -3, 4, -4, 5] {
            for orientation in [0, 3, 1, 2] {
                // For pieces with two shapes one turn either way is the same.
                let orientation = if piece.orientations() == 2 && orientation == 3 { 1 } else { orientation };
                let seen = piece.orientations() == 2
                    && out.last().is_some_and(|p| p.orientation() == orientation && p.x() == SPAWN_X + shift);
                let x = SPAWN_X + shift;
                if seen
                    || orientation >= piece.orientations()
                    || !box_columns(piece, orientation).contains(&x)
                {
                    continue;
                }
                let row = board.landing_row(piece.shape(orientation), x);
                if row <= SPAWN_ROW {
                    out.push(Placement::new(orientation, x, row));
                }
            }
        }
    }

    fn penalty(&self, _placement: Placement, _after: &Board) -> f32 {
        0.0
    }

    fn fingerprint(&self) -> u64 {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::Summary;
    use crate::evaluate::Bergmark;

    #[test]
    fn every_pose_is_tried_once() {
        for piece in Piece::ALL {
            let mut out = Vec::new();
            SpawnDrops.placements(&Board::EMPTY, piece, &mut out);
            let mut distinct = out.clone();
            distinct.sort();
            distinct.dedup();
            assert_eq!((out.len(), distinct.len()), (crate::moves::poses(piece).count(), out.len()));
        }
    }

    #[test]
    fn a_piece_that_falls_into_the_stack_ends_the_game() {
        let mut board = Board::EMPTY;
        for row in 0..14 {
            board.fill(0, row);
            board.fill(1, row);
        }
        let target = Placement::new(0, -1, 14);
        assert!(execute(&board, Piece::O, target, None).is_some());
        assert_eq!(execute(&board, Piece::O, target, Some((75.0, 20))), None);
    }

    /// Bergmark, 75 ms a press, from level 9: 3,205.5 lines with σ 2,615.9 over 100 games.
    #[test]
    fn bergmark_plays_as_in_the_document() {
        let limits = Limits { lines: u32::MAX, stop_at_max_out: false };
        let games: Vec<_> =
            (0..16).map(|seed| play_document(Bergmark, 9, Some(75.0), seed, limits)).collect();
        let summary = Summary::of(&games);
        let error = (2_615.9f64.powi(2) / 100.0 + summary.lines_sd.powi(2) / 16.0).sqrt();
        assert!((summary.lines_mean - 3_205.5).abs() < 3.0 * error, "{summary:?}");
    }
}
