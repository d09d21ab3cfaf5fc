//! Games on a classic field: ten columns, uniform pieces, straight drops, open at the top.

use budget::Budget;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::GameRecord;
use crate::board::Board;
use crate::evaluate::Evaluator;
use crate::features::lock;
use crate::field::Field;
use crate::gameboy::line_score;
use crate::piece::Piece;
use crate::search::{Chance, Depth, OpenDrops, Search};

/// Plays until the stack rises above the field or `pieces` pieces are placed.
pub fn play_classic<E: Evaluator + Clone + Send>(
    evaluator: &E,
    rows: u32,
    depth: Depth,
    seed: u64,
    pieces: u32,
) -> GameRecord {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let field = Field::classic(rows);
    let mut search =
        Search::new(evaluator.clone(), OpenDrops { rows: field.rows }, field, depth, Chance::Uniform);
    let mut draw = || Piece::from_index(random.random_range(0..Piece::COUNT));
    let mut board = Board::EMPTY;
    let (mut active, mut preview) = (draw(), draw());
    let mut record = GameRecord { seed, ..GameRecord::default() };
    while record.pieces < pieces {
        let Some(decision) = search.decide(&board, active, preview, &Budget::unlimited()) else {
            record.died = true;
            break;
        };
        let (after, placed) =
            lock(&board, active.shape(decision.placement.orientation()), decision.placement, field);
        board = after;
        record.pieces += 1;
        record.lines += placed.lines;
        record.clears[placed.lines as usize] += 1;
        record.nodes += decision.nodes;
        let level = (record.lines / 10).min(20) as u8;
        record.score = record.score.saturating_add(line_score(placed.lines, level));
        if board.height() > field.rows {
            record.died = true;
            break;
        }
        (active, preview) = (preview, draw());
    }
    record
}
