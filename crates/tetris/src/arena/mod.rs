//! Games of players against the same piece sequences (P5).

mod classic;
mod contest;
mod document;
mod summary;

use budget::Budget;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::{Deserialize, Serialize};

use crate::evaluate::{Evaluator, Situation};
use crate::field::Field;
use crate::gameboy::{CycleDiv, MAX_SCORE, PlacementGame, PlacementOutcome, Setup};
use crate::reach::Timing;
use crate::search::{Chance, Depth, Keys, Search};

pub use classic::play_classic;
pub use contest::{Contest, Player, Rules, UnknownPlayer};
pub use document::play_document;
pub use summary::Summary;

/// When a game ends besides by topping out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Lines after which the game is broken off.
    pub lines: u32,
    /// Whether the game is broken off at 999,999 points.
    pub stop_at_max_out: bool,
}

/// How a game went.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GameRecord {
    /// Seed of its pieces.
    pub seed: u64,
    /// Lines cleared.
    pub lines: u32,
    /// Points.
    pub score: u32,
    /// Pieces placed.
    pub pieces: u32,
    /// Clears of one to four lines (index by lines).
    pub clears: [u32; 5],
    /// Lines at the moment 999,999 points were reached.
    pub lines_to_max_out: Option<u32>,
    /// Whether the game was lost.
    pub died: bool,
    /// Placements evaluated.
    pub nodes: u64,
}

/// Plays a Game Boy game with what keys can reach.
pub fn play_with_keys<E: Evaluator + Clone + Send>(
    evaluator: E,
    depth: Depth,
    timing: Timing,
    setup: Setup,
    seed: u64,
    limits: Limits,
) -> GameRecord {
    let mut dealer = CycleDiv::new(Xoshiro256PlusPlus::seed_from_u64(seed));
    let mut game = PlacementGame::new(setup, &mut dealer);
    let mut search = Search::new(evaluator, Keys::new(timing), Field::GAME_BOY, depth, Chance::GameBoy);
    let mut record = GameRecord { seed, ..GameRecord::default() };
    let mut lines = 0;
    loop {
        let (pieces, speed) = (game.pieces, game.speed());
        search.movement.set_speed(speed);
        let (active, preview) = (pieces.active, pieces.preview);
        search.prepare(&Situation { board: &game.board, active, preview, speed, timing });
        let decision = search.decide(&game.board, pieces.active, pieces.preview, &Budget::unlimited());
        // Without any other place the piece locks where it appeared; that is a placement, too.
        let Some(decision) = decision else {
            record.died = true;
            break;
        };
        record.nodes += decision.nodes;
        let plan = search.movement.reach(&game.board, pieces.active).plan(decision.placement);
        let soft_drop_rows = plan.map_or(0, |plan| plan.soft_drop_rows);
        record.pieces += 1;
        match game.place(decision.placement, soft_drop_rows, &mut dealer) {
            PlacementOutcome::Cleared(cleared) => lines += cleared,
            PlacementOutcome::Over => {
                record.died = true;
                break;
            }
        }
        if game.score == MAX_SCORE && record.lines_to_max_out.is_none() {
            record.lines_to_max_out = Some(lines);
            if limits.stop_at_max_out {
                break;
            }
        }
        if lines >= limits.lines {
            break;
        }
    }
    GameRecord { lines, score: game.score, clears: game.clears, ..record }
}
