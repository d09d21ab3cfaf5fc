//! Golden traces: every number of the Game Boy's rules, seen through `step(buttons)` (G6, G19).

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use tetris::gameboy::{
    Buttons, Event, Game, IdealDiv, Mode, Phase, PieceList, Pieces, Setup, SetupError, frames_per_row,
    garbage_board, line_score,
};
use tetris::{Board, Piece};

fn pieces(active: Piece, preview: Piece) -> Pieces {
    Pieces { active, preview, hidden: Piece::O }
}

fn game_on(level: u8, board: &str, active: Piece) -> Game {
    let setup = Setup::new(Mode::A, level, false).unwrap();
    Game::with_pieces(setup, Board::parse(board).unwrap(), pieces(active, Piece::O))
}

/// A divider that always deals O.
fn always_o() -> u8 {
    4
}

fn step(game: &mut Game, buttons: Buttons) -> Event {
    game.step(buttons, &mut (always_o as fn() -> u8))
}

/// Frames, with `buttons` held, until `event` happens; the frame of the event counts.
fn frames_until(game: &mut Game, buttons: Buttons, wanted: fn(Event) -> bool) -> u32 {
    for frame in 1..10_000 {
        if wanted(step(game, buttons)) {
            return frame;
        }
    }
    panic!("never happened");
}

fn row(game: &Game) -> i32 {
    game.active().unwrap().row
}

fn x(game: &Game) -> i32 {
    game.active().unwrap().x
}

#[test]
fn gravity_table_of_every_level_and_heart_mode() {
    const FRAMES: [u8; 21] = [53, 49, 45, 41, 37, 33, 28, 22, 17, 11, 10, 9, 8, 7, 6, 6, 5, 5, 4, 4, 3];
    for (level, frames) in FRAMES.into_iter().enumerate() {
        assert_eq!(frames_per_row(level as u8), frames);
    }
    for heart in [false, true] {
        for level in 0..=9u8 {
            let setup = Setup::new(Mode::A, level, heart).unwrap();
            let mut game = Game::with_pieces(setup, Board::EMPTY, pieces(Piece::T, Piece::O));
            let frames = FRAMES[usize::from(level) + if heart { 10 } else { 0 }];
            for fallen in 0..3 {
                for _ in 1..frames {
                    step(&mut game, Buttons::NONE);
                    assert_eq!(row(&game), 15 - fallen);
                }
                step(&mut game, Buttons::NONE);
                assert_eq!(row(&game), 14 - fallen);
            }
        }
    }
}

#[test]
fn pieces_appear_in_the_stated_cells() {
    let rows_and_columns = |piece: Piece| {
        let game = game_on(0, "", piece);
        let active = *game.active().unwrap();
        let mut cells: Vec<_> = active
            .shape()
            .cells()
            .map(|(bx, by)| (17 - (active.row + by as i32), active.x + bx as i32))
            .collect();
        cells.sort_unstable();
        cells
    };
    // (row from the top, column)
    assert_eq!(rows_and_columns(Piece::I), [(1, 3), (1, 4), (1, 5), (1, 6)]);
    assert_eq!(rows_and_columns(Piece::O), [(1, 4), (1, 5), (2, 4), (2, 5)]);
    assert_eq!(rows_and_columns(Piece::L), [(1, 3), (1, 4), (1, 5), (2, 3)]);
    assert_eq!(rows_and_columns(Piece::J), [(1, 3), (1, 4), (1, 5), (2, 5)]);
    assert_eq!(rows_and_columns(Piece::Z), [(1, 3), (1, 4), (2, 4), (2, 5)]);
    assert_eq!(rows_and_columns(Piece::S), [(1, 4), (1, 5), (2, 3), (2, 4)]);
    assert_eq!(rows_and_columns(Piece::T), [(1, 3), (1, 4), (1, 5), (2, 4)]);
}

#[test]
fn held_direction_shifts_at_once_after_23_and_then_every_9_frames() {
    let mut game = game_on(0, "", Piece::O);
    let mut shifts = Vec::new();
    let mut before = x(&game);
    for frame in 0..50 {
        step(&mut game, Buttons::LEFT);
        if x(&game) != before {
            shifts.push(frame);
            before = x(&game);
        }
    }
    assert_eq!(shifts, [0, 23, 32, 41]);
}

#[test]
fn a_blocked_shift_is_tried_again_every_frame() {
    // A tower beside the spawn columns that the piece falls past.
    let mut tower = Board::EMPTY;
    for row in 4..18 {
        tower.fill(2, row);
    }
    let setup = Setup::new(Mode::A, 9, false).unwrap();
    let mut game = Game::with_pieces(setup, tower, pieces(Piece::T, Piece::O));
    let mut frame = 0;
    while x(&game) == 3 {
        step(&mut game, Buttons::LEFT);
        frame += 1;
    }
    // T's upper row leaves the tower when the box's lowest row is 2: 13 rows, 11 frames each;
    // the shift comes before gravity, so in the frame after the row was reached.
    assert_eq!((frame, row(&game)), (13 * 11 + 1, 2));
}

#[test]
fn a_charged_shift_survives_the_entry_delay_and_a_press_in_it_is_not_seen() {
    let mut game = game_on(0, "", Piece::O);
    // Charge the shift against the left wall, then let the piece lock with Left held.
    frames_until(&mut game, Buttons::LEFT, |e| e == Event::Spawned);
    step(&mut game, Buttons::LEFT);
    assert_eq!(x(&game), 2, "the blocked direction keeps trying");

    let mut game = game_on(0, "", Piece::O);
    frames_until(&mut game, Buttons::NONE, |e| e == Event::Locked);
    step(&mut game, Buttons::RIGHT);
    step(&mut game, Buttons::RIGHT);
    for frame in 1..=23 {
        step(&mut game, Buttons::RIGHT);
        assert_eq!(x(&game), if frame == 23 { 4 } else { 3 }, "frame {frame}");
    }
}

#[test]
fn right_has_priority_over_left_and_b_over_a() {
    let mut game = game_on(0, "", Piece::T);
    step(&mut game, Buttons::LEFT | Buttons::RIGHT);
    assert_eq!(x(&game), 4);
    let mut game = game_on(0, "", Piece::T);
    step(&mut game, Buttons::A | Buttons::B);
    assert_eq!(game.active().unwrap().orientation, 1);
}

#[test]
fn one_turn_a_press_and_blocked_turns_are_cancelled() {
    let mut game = game_on(0, "", Piece::L);
    for _ in 0..10 {
        step(&mut game, Buttons::A);
    }
    assert_eq!(game.active().unwrap().orientation, 3);
    step(&mut game, Buttons::NONE);
    step(&mut game, Buttons::A);
    assert_eq!(game.active().unwrap().orientation, 2);

    // An upright bar between two towers cannot lie down, and no kick helps it.
    let setup = Setup::new(Mode::A, 0, false).unwrap();
    let mut low = Board::EMPTY;
    for row in 0..15 {
        low.fill(3, row);
        low.fill(5, row);
    }
    let mut game = Game::with_pieces(setup, low, pieces(Piece::I, Piece::O));
    step(&mut game, Buttons::B);
    assert_eq!(game.active().unwrap().orientation, 1);
    for _ in 0..3 * 53 {
        step(&mut game, Buttons::NONE);
    }
    step(&mut game, Buttons::A);
    assert_eq!(game.active().unwrap().orientation, 1, "blocked");
}

#[test]
fn soft_drop_is_a_row_every_three_frames_at_every_level() {
    for level in 0..=9 {
        let mut game = game_on(level, "", Piece::T);
        let rows: Vec<_> = (0..7)
            .map(|_| {
                step(&mut game, Buttons::DOWN);
                row(&game)
            })
            .collect();
        assert_eq!(rows, [14, 14, 14, 13, 13, 13, 12]);
    }
}

#[test]
fn soft_drop_pauses_gravity_and_needs_down_alone() {
    let mut game = game_on(9, "", Piece::T);
    for _ in 0..10 {
        step(&mut game, Buttons::NONE);
    }
    // One frame before gravity: seven frames of Down bring three rows, then gravity's frame comes.
    for _ in 0..7 {
        step(&mut game, Buttons::DOWN);
    }
    assert_eq!(row(&game), 12);
    step(&mut game, Buttons::NONE);
    assert_eq!(row(&game), 11);

    let mut game = game_on(0, "", Piece::T);
    for _ in 0..20 {
        step(&mut game, Buttons::DOWN | Buttons::LEFT);
    }
    assert_eq!(row(&game), 15);
}

#[test]
fn soft_drop_points_are_the_rows_of_the_last_hold_without_the_failed_step() {
    let mut game = game_on(0, "", Piece::T);
    let frames = frames_until(&mut game, Buttons::DOWN, |e| e == Event::Locked);
    // 15 rows and the failed step, three frames apart.
    assert_eq!((frames, game.score()), (15 * 3 + 1, 15));

    // The bar lies flat one row lower in its box: the most a drop can earn.
    let mut game = game_on(0, "", Piece::I);
    frames_until(&mut game, Buttons::DOWN, |e| e == Event::Locked);
    assert_eq!(game.score(), 16);

    // Releasing Down forfeits the rows before.
    let mut game = game_on(0, "", Piece::T);
    for _ in 0..10 {
        step(&mut game, Buttons::DOWN);
    }
    let rest = row(&game);
    step(&mut game, Buttons::NONE);
    frames_until(&mut game, Buttons::DOWN, |e| e == Event::Locked);
    assert_eq!(game.score(), rest as u32);

    // Locked by gravity: nothing.
    let mut game = game_on(9, "", Piece::T);
    frames_until(&mut game, Buttons::NONE, |e| e == Event::Locked);
    assert_eq!(game.score(), 0);
}

#[test]
fn down_must_be_released_after_a_lock_and_after_a_clear() {
    let mut game = game_on(0, "", Piece::T);
    frames_until(&mut game, Buttons::DOWN, |e| e == Event::Spawned);
    for _ in 0..30 {
        step(&mut game, Buttons::DOWN);
    }
    assert_eq!(row(&game), 15, "held over: only gravity");
    step(&mut game, Buttons::NONE);
    step(&mut game, Buttons::DOWN);
    assert_eq!(row(&game), 14);

    // A press during a clear is forgotten at its end.
    let mut game = game_on(0, "####..####\n####..####", Piece::O);
    frames_until(&mut game, Buttons::DOWN, |e| e == Event::Locked);
    for _ in 0..20 {
        step(&mut game, Buttons::NONE);
    }
    frames_until(&mut game, Buttons::DOWN, |e| e == Event::Spawned);
    for _ in 0..30 {
        step(&mut game, Buttons::DOWN);
    }
    assert_eq!(row(&game), 15);
}

#[test]
fn a_piece_locks_in_the_frame_its_step_fails_without_delay() {
    let mut game = game_on(9, "", Piece::O);
    // 15 rows down to the floor and one period at rest.
    let frames = frames_until(&mut game, Buttons::NONE, |e| e == Event::Locked);
    assert_eq!(frames, 16 * 11);
    // Sliding while at rest does not reset the counter.
    let mut game = game_on(9, "", Piece::O);
    for _ in 0..15 * 11 + 5 {
        step(&mut game, Buttons::NONE);
    }
    step(&mut game, Buttons::LEFT);
    assert_eq!(x(&game), 2);
    assert_eq!(frames_until(&mut game, Buttons::NONE, |e| e == Event::Locked), 5);
}

#[test]
fn control_returns_three_frames_after_a_lock() {
    let mut game = game_on(9, "", Piece::O);
    frames_until(&mut game, Buttons::NONE, |e| e == Event::Locked);
    assert_eq!(game.active(), None);
    assert_eq!(step(&mut game, Buttons::NONE), Event::None);
    assert_eq!(step(&mut game, Buttons::NONE), Event::Spawned);
    step(&mut game, Buttons::LEFT);
    assert_eq!(x(&game), 2, "the third frame obeys");
    // The counter restarts: gravity acts in the eleventh frame of control.
    for _ in 0..9 {
        step(&mut game, Buttons::NONE);
    }
    assert_eq!(row(&game), 15);
    step(&mut game, Buttons::NONE);
    assert_eq!(row(&game), 14);
}

#[test]
fn a_line_clear_takes_93_dead_frames_with_its_steps_in_order() {
    let mut game = game_on(9, "#.........\n####..####\n####..####", Piece::O);
    frames_until(&mut game, Buttons::DOWN, |e| e == Event::Locked);
    let drops = game.score();
    for frame in 1..=93u32 {
        let event = step(&mut game, Buttons::NONE);
        assert_eq!(game.lines(), 2, "counted in the first frame");
        assert_eq!(game.board().is_filled(0, 0), frame < 76 || game.board().height() == 1, "frame {frame}");
        assert_eq!(game.board().height() == 1, frame >= 76, "frame {frame}");
        assert_eq!(game.score() > drops, frame >= 79, "frame {frame}");
        let expected = match frame {
            1 => Event::Lines(2),
            93 => Event::Spawned,
            _ => Event::None,
        };
        assert_eq!(event, expected, "frame {frame}");
    }
    assert_eq!(game.score() - drops, 100 * 10);
    step(&mut game, Buttons::RIGHT);
    assert_eq!(x(&game), 4, "control in frame 94");
}

#[test]
fn line_scores_use_the_level_before_the_level_up() {
    assert_eq!([1, 2, 3, 4].map(|n| line_score(n, 0)), [40, 100, 300, 1200]);
    assert_eq!(line_score(4, 9), 12_000);
    assert_eq!(line_score(4, 20), 25_200);
    for (level, lines, score, expected_level, expected_score) in [
        (0, 9, 0, 1, 40),
        (0, 8, 0, 0, 40),
        (9, 98, 0, 9, 400),
        (9, 99, 5, 10, 405),
        (10, 109, 0, 11, 440),
        // At most one level per clear, even when the tens are far ahead.
        (3, 99, 0, 4, 160),
        (20, 219, 0, 20, 840),
        (19, 199, 0, 20, 800),
        // Levelling stops at 1,000 lines, counters at their maximum.
        (9, 999, 0, 9, 400),
        (20, 9_999, 999_990, 20, 999_999),
    ] {
        let mut game = game_on(0, "###....###", Piece::I).with_progress(level, lines, score);
        frames_until(&mut game, Buttons::NONE, |e| e == Event::Spawned);
        assert_eq!(game.lines(), (lines + 1).min(9_999));
        assert_eq!((game.level(), game.score()), (expected_level, expected_score), "{level} {lines}");
    }
}

#[test]
fn the_level_rises_in_frame_90_of_the_clear() {
    let mut game = game_on(0, "###....###", Piece::I).with_progress(0, 9, 0);
    frames_until(&mut game, Buttons::NONE, |e| e == Event::Locked);
    for frame in 1..=93 {
        step(&mut game, Buttons::NONE);
        assert_eq!(game.level(), u8::from(frame >= 90), "frame {frame}");
    }
}

/// Towers in the spawn columns.
fn blocked_spawn() -> Board {
    let mut board = Board::EMPTY;
    for row in 0..15 {
        for x in 3..7 {
            board.fill(x, row);
        }
    }
    board
}

#[test]
fn the_second_lock_at_the_spawn_position_ends_the_game() {
    let setup = Setup::new(Mode::A, 9, false).unwrap();
    let mut game = Game::with_pieces(setup, blocked_spawn(), pieces(Piece::T, Piece::O));
    assert_eq!(frames_until(&mut game, Buttons::NONE, |e| e == Event::Locked), 11);
    frames_until(&mut game, Buttons::NONE, |e| e == Event::Spawned);
    // No collision test at spawn: the next piece overlaps, and its lock ends the game.
    assert_eq!(frames_until(&mut game, Buttons::NONE, |e| e == Event::Ended), 11);
    assert_eq!(game.phase(), Phase::Over);
    assert_eq!(step(&mut game, Buttons::DOWN), Event::None);
}

#[test]
fn turning_does_not_save_a_spawn_lock_but_shifting_does() {
    let setup = Setup::new(Mode::A, 0, false).unwrap();
    for (button, ends) in [(Buttons::A, true), (Buttons::LEFT, false)] {
        let mut game = Game::with_pieces(setup, blocked_spawn(), pieces(Piece::T, Piece::T));
        for _ in 0..2 {
            step(&mut game, button);
            step(&mut game, Buttons::NONE);
            frames_until(&mut game, Buttons::NONE, |e| matches!(e, Event::Spawned | Event::Ended));
            if game.phase() == Phase::Over {
                break;
            }
        }
        assert_eq!(game.phase() == Phase::Over, ends, "{button:?}");
    }
}

#[test]
fn a_turned_bar_uses_the_invisible_row_which_never_falls() {
    let setup = Setup::new(Mode::A, 9, false).unwrap();
    let mut game = Game::with_pieces(setup, blocked_spawn(), pieces(Piece::I, Piece::O));
    step(&mut game, Buttons::B);
    frames_until(&mut game, Buttons::NONE, |e| e == Event::Locked);
    assert!(game.board().is_filled(4, 18));
}

#[test]
fn pause_freezes_the_game_and_select_hides_the_preview() {
    let mut game = game_on(9, "", Piece::O);
    step(&mut game, Buttons::START);
    assert!(game.is_paused());
    for _ in 0..100 {
        step(&mut game, Buttons::DOWN);
    }
    assert_eq!(row(&game), 15);
    step(&mut game, Buttons::NONE);
    step(&mut game, Buttons::START);
    assert!(!game.is_paused());
    step(&mut game, Buttons::SELECT);
    assert!(game.is_preview_hidden());
}

#[test]
fn start_levels_are_checked() {
    assert_eq!(Setup::new(Mode::A, 10, false), Err(SetupError::Level { level: 10 }));
    assert!(garbage_board(6, &mut (always_o as fn() -> u8)).is_err());
}

#[test]
fn b_type_counts_25_lines_down_and_scores_at_the_end() {
    let setup = Setup::new(Mode::B, 5, false).unwrap();
    let mut game = Game::with_pieces(setup, Board::parse("####..####").unwrap(), pieces(Piece::O, Piece::O));
    assert_eq!(game.lines(), 25);
    frames_until(&mut game, Buttons::DOWN, |e| e == Event::Spawned);
    assert_eq!((game.lines(), game.score(), game.level()), (24, 0, 5));
    assert_eq!(game.final_score(), 40 * 6 + 15);

    let board = Board::parse("####..####\n####..####").unwrap();
    let mut game = Game::with_pieces(setup, board, pieces(Piece::O, Piece::O)).with_progress(5, 2, 0);
    frames_until(&mut game, Buttons::NONE, |e| e == Event::Ended);
    assert_eq!((game.phase(), game.final_score()), (Phase::Won, 100 * 6));
}

#[test]
fn versus_shares_pieces_falls_in_49_frames_and_takes_garbage_at_the_next_spawn() {
    let mut list = PieceList::draw(&mut IdealDiv(Xoshiro256PlusPlus::seed_from_u64(5)));
    let mut other = list.clone();
    let mut attacker = Game::new(Setup::versus(), Board::EMPTY, &mut list);
    let mut victim = Game::new(Setup::versus(), Board::EMPTY, &mut other);
    assert_eq!(victim.lines(), 30);
    for _ in 0..49 {
        assert_eq!(row(&victim), 15);
        victim.step(Buttons::NONE, &mut other);
    }
    assert_eq!(row(&victim), 14);
    let garbage = list.garbage_row();
    victim.receive_garbage(4, garbage);
    let mut spawned = 0;
    while spawned < 3 {
        let rows_before = victim.board().cells();
        if victim.step(Buttons::NONE, &mut other) == Event::Spawned {
            spawned += 1;
            let grown = victim.board().cells() - rows_before;
            assert_eq!(grown, if spawned == 1 { 4 * 9 } else { 0 });
        }
    }
    while attacker.pieces() != victim.pieces() {
        attacker.step(Buttons::NONE, &mut list);
        assert_ne!(attacker.phase(), Phase::Over, "the same list gives the same pieces");
    }
}
