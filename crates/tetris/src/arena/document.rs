//! The simulation in which the source of G12 measured its evaluators.
//!
//! It differs from the console in the following ways, kept so that the published
//! figures can be reproduced:
//!
//! - pieces are drawn independently, with probabilities that its authors measured;
//! - the search drops poses straight down from the spawn height, whether or not
//!   keys can bring the piece there;
//! - during each press the piece falls by the whole rows that fit into the press;
//!   the fraction is not carried over to the next press (75 ms on level 20 are
//!   1.49 rows, and count as one). The source does not say; if it were carried
//!   over, Lee would lose a third of its lines and leave the published error bars;
//! - a key that is blocked, or a fall that is blocked while keys are pressed,
//!   ends the game at once;
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

/// Rows of the field.
const ROWS: u32 = 19;
/// The frame rate.
const FRAMES_PER_SECOND: f64 = 59.73;

/// Plays a game by these rules; without `press_ms` pieces do not fall during presses.
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

/// Presses the keys while the piece falls; `None` when a key or a fall is blocked.
fn execute(
    board: &Board,
    piece: Piece,
    target: Placement,
    falling: Option<(f64, u8)>,
) -> Option<(Placement, u32)> {
    let orientation = target.orientation();
    // One turn clockwise, or up to two counter-clockwise; orientations count counter-clockwise.
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
    let rows_per_press = falling.map_or(0, |(press_ms, level)| {
        let frames = press_ms * FRAMES_PER_SECOND / 1_000.0;
        (frames / f64::from(frames_per_row(level))).floor() as u32
    });
    for press in 0..turns.len().max(shifts) {
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
        for _ in 0..rows_per_press {
            row -= 1;
            if !is_free(o, x, row) {
                return None;
            }
        }
    }
    let rest = board.landing_row(piece.shape(o), x);
    (rest <= row).then(|| (Placement::new(o, x, rest), (row - rest) as u32))
}

/// The level if levelling up takes effect immediately.
fn level(start: u8, lines: u32) -> u8 {
    if lines < (u32::from(start) + 1) * 10 { start } else { (lines / 10).min(u32::from(MAX_LEVEL)) as u8 }
}

/// The measured probabilities of O, I, S, Z, L, J, T.
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

/// Poses dropped from the spawn height, fewest keys first: of equal values the first wins.
#[derive(Clone, Copy, Debug)]
struct SpawnDrops;

impl Movement for SpawnDrops {
    fn placements(&mut self, board: &Board, piece: Piece, out: &mut Vec<Placement>) {
        out.clear();
        for shift in [0, 1, -1, 2, -2, 3, -3, 4, -4, 5] {
            for orientation in [0, 3, 1, 2] {
                // For pieces with two orientations a turn either way is the same.
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
    use crate::evaluate::{Bergmark, Lee};

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

    /// Four presses bring the square to the wall; on level 20 it falls one row with each.
    #[test]
    fn a_piece_falls_by_whole_rows_during_each_press() {
        // The lowest cells of the square spawn in row 15.
        let walled = |height: usize| {
            let mut board = Board::EMPTY;
            for row in 0..height {
                board.fill(0, row);
                board.fill(1, row);
            }
            board
        };
        let fall = |height: usize, falling| {
            let target = Placement::new(0, -1, height as i32);
            execute(&walled(height), Piece::O, target, falling).map(|(placement, _)| placement)
        };
        assert_eq!(fall(11, Some((75.0, 20))), Some(Placement::new(0, -1, 11)));
        assert_eq!(fall(12, Some((75.0, 20))), None, "the last press lets it fall into the stack");
        assert_eq!(fall(12, Some((75.0, 9))), Some(Placement::new(0, -1, 12)), "no whole row in 75 ms");
        assert_eq!(fall(12, None), Some(Placement::new(0, -1, 12)));
    }

    /// From level 9 with 75 ms per press, 100 games each: means and deviations of table 4.4 of the source.
    #[test]
    fn lee_and_bergmark_play_as_in_the_document() {
        let play = |evaluate: &dyn Fn(u64) -> GameRecord, mean: f64, deviation: f64| {
            const GAMES: u64 = 20;
            let summary = Summary::of(&(0..GAMES).map(evaluate).collect::<Vec<_>>());
            let error = (deviation.powi(2) / 100.0 + summary.lines_sd.powi(2) / GAMES as f64).sqrt();
            assert!((summary.lines_mean - mean).abs() < 3.0 * error, "{mean}: {summary:?}");
        };
        let limits = Limits { lines: u32::MAX, stop_at_max_out: false };
        play(&|seed| play_document(Lee::PUBLISHED, 9, Some(75.0), seed, limits), 6_736.7, 7_540.2);
        play(&|seed| play_document(Bergmark, 9, Some(75.0), seed, limits), 3_205.5, 2_615.9);
    }
}
