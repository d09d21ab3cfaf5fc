//! The game frame by frame and the game piece by piece agree.

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use tetris::evaluate::{Evaluator, Linear};
use tetris::features::lock;
use tetris::field::Field;
use tetris::gameboy::{CycleDiv, Event, Game, Mode, Phase, PlacementGame, PlacementOutcome, Setup, speed};
use tetris::reach::{Reach, Timing};
use tetris::{Board, Placement};

/// Plays until the end or 400 pieces, mostly well, sometimes at random.
fn play_both(level: u8, heart: bool, seed: u64) {
    let setup = Setup::new(Mode::A, level, heart).unwrap();
    let dealer = || CycleDiv::new(Xoshiro256PlusPlus::seed_from_u64(seed));
    let (mut frame_dealer, mut piece_dealer) = (dealer(), dealer());
    let mut by_frame = Game::new(setup, Board::EMPTY, &mut frame_dealer);
    let mut by_piece = PlacementGame::new(setup, &mut piece_dealer);
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed + 1);
    let mut reach = Reach::new(Timing { period: 5, reaction: 1, parallel: true });
    for _ in 0..400 {
        assert_eq!(by_frame.pieces(), by_piece.pieces);
        assert_eq!(by_frame.board(), &by_piece.board);
        assert_eq!((by_frame.lines(), by_frame.level()), (by_piece.lines, by_piece.level));
        assert_eq!((by_frame.score(), by_frame.clears()), (by_piece.score, by_piece.clears));

        let piece = by_piece.pieces.active;
        reach.search(&by_piece.board, piece, speed(by_piece.level, heart));
        let mut placements = Vec::new();
        reach.placements(&mut placements);
        let placement = if random.random_bool(0.1) {
            placements[random.random_range(0..placements.len())]
        } else {
            best(&by_piece, &placements)
        };
        let plan = reach.plan(placement).unwrap();
        let outcome = by_piece.place(placement, plan.soft_drop_rows, &mut piece_dealer);
        let mut frame = 0;
        loop {
            match by_frame.step(plan.buttons_at(frame, 2), &mut frame_dealer) {
                Event::Spawned | Event::Ended => break,
                Event::None | Event::Locked | Event::Lines(_) => frame += 1,
            }
        }
        if outcome == PlacementOutcome::Over {
            assert_eq!(by_frame.phase(), Phase::Over);
            return;
        }
        // A piece spawns with no key held, as after a real player's plan.
        assert_eq!(by_frame.phase(), Phase::Falling);
    }
}

fn best(game: &PlacementGame, placements: &[Placement]) -> Placement {
    let evaluator = Linear::bcts(18);
    let value = |placement: &Placement| {
        let shape = game.pieces.active.shape(placement.orientation());
        let (after, placed) = lock(&game.board, shape, *placement, Field::GAME_BOY);
        evaluator.board_value(&after) + evaluator.move_value(&placed)
    };
    *placements.iter().max_by(|a, b| value(a).total_cmp(&value(b))).unwrap()
}

#[test]
fn frames_and_placements_agree_at_every_speed() {
    for (level, heart) in [(0, false), (5, false), (9, false), (4, true), (9, true)] {
        for seed in 0..4 {
            play_both(level, heart, seed);
        }
    }
}
