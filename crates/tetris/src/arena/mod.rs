//! Compares players on the same piece sequences (P5).

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
use crate::gameboy::{CycleDiv, MAX_SCORE, Pieces, PlacementGame, PlacementOutcome, Setup};
use crate::moves::Placement;
use crate::reach::Timing;
use crate::search::{Chance, Depth, Keys, Movement, Search};

pub use classic::play_classic;
pub use contest::{Contest, Player, Rules, UnknownPlayer, UseEvaluator};
pub use document::play_document;
pub use summary::Summary;

/// When a game is stopped before it is lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Lines after which the game is stopped.
    pub lines: u32,
    /// Whether the game is stopped at 999,999 points.
    pub stop_at_max_out: bool,
}

/// The result of a game.
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
    /// Lines cleared when 999,999 points were reached.
    pub lines_to_max_out: Option<u32>,
    /// Whether the game was lost.
    pub died: bool,
    /// Placements evaluated.
    pub nodes: u64,
}

/// Plays a Game Boy game with an evaluator and the placements that keys can reach.
pub fn play_with_keys<E: Evaluator + Clone + Send>(
    evaluator: E,
    depth: Depth,
    timing: Timing,
    setup: Setup,
    seed: u64,
    limits: Limits,
) -> GameRecord {
    let mut search = Search::new(evaluator, Keys::new(timing), Field::GAME_BOY, depth, Chance::GameBoy);
    play_gameboy(timing, setup, seed, limits, |situation, _| {
        search.movement.set_speed(situation.speed);
        search.prepare(situation);
        let decision =
            search.decide(situation.board, situation.active, situation.preview, &Budget::unlimited())?;
        Some((decision.placement, decision.nodes))
    })
}

/// Plays a Game Boy game with any player: `decide` gets the situation and the reachable placements, and
/// returns a placement and the nodes spent on it; `None` loses the game.
pub fn play_gameboy(
    timing: Timing,
    setup: Setup,
    seed: u64,
    limits: Limits,
    mut decide: impl FnMut(&Situation<'_>, &[Placement]) -> Option<(Placement, u64)>,
) -> GameRecord {
    let mut dealer = CycleDiv::new(Xoshiro256PlusPlus::seed_from_u64(seed));
    let mut game = PlacementGame::new(setup, &mut dealer);
    let mut movement = Keys::new(timing);
    let mut reachable = Vec::new();
    let mut record = GameRecord { seed, died: true, ..GameRecord::default() };
    // The console stops counting at 9,999 lines.
    let mut lines = 0;
    loop {
        let Pieces { active, preview, .. } = game.pieces;
        movement.set_speed(game.speed());
        movement.placements(&game.board, active, &mut reachable);
        let (board, speed, maxed_out) = (&game.board, game.speed(), game.score == MAX_SCORE);
        let situation = Situation { board, active, preview, speed, timing, maxed_out };
        let Some((chosen, nodes)) = decide(&situation, &reachable) else { break };
        let Some(plan) = movement.plan(chosen) else { break };
        record.nodes += nodes;
        record.pieces += 1;
        match game.place(chosen, plan.soft_drop_rows, &mut dealer) {
            PlacementOutcome::Cleared(cleared) => lines += cleared,
            PlacementOutcome::Over => break,
        }
        if game.score == MAX_SCORE && record.lines_to_max_out.is_none() {
            record.lines_to_max_out = Some(lines);
        }
        if lines >= limits.lines || (limits.stop_at_max_out && record.lines_to_max_out.is_some()) {
            record.died = false;
            break;
        }
    }
    GameRecord { lines, score: game.score, clears: game.clears, ..record }
}
