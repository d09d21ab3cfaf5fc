//! The pilot without camera and console: the rules play, looks come as late as the robot's, fingers slip. A game takes a
//! second, where the whole robot takes twenty.

use std::time::Duration;

use budget::Budget;
use engine::{BodyPace, Latency, Time};
use gameboy::Button;
use gameboy::display::periods;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use tetris::board::WIDTH;
use tetris::evaluate::{Learned, ours};
use tetris::field::Field;
use tetris::gameboy::{Buttons, CycleDiv, Game, MAX_SCORE, Mode, Phase, ROWS, Setup};
use tetris::search::{Chance, Keys, Search};
use tetris::{Board, reach::Timing};

use super::console_clock::ConsoleClock;
use super::mind::Judge;
use super::model::Stroke;
use super::pilot::{Fingers, Pilot, Sight, Steered};
use super::see::{Figures, Playing};

const FRAME: Duration = Duration::from_nanos(1_000_000_000 / 30);
const SEEN_AFTER: Latency = Latency { typical: Duration::from_millis(32), spread: Duration::from_millis(7) };
const REACH: Latency = Latency { typical: Duration::from_millis(32), spread: Duration::ZERO };
/// When the console was switched on.
const BEGAN: Duration = Duration::from_millis(6);

/// How a game ended.
#[derive(Debug)]
struct Ended {
    score: u32,
    lines: u32,
    pieces: u32,
    /// Turns of pieces of two shapes: with both buttons at once, and with one.
    turns: (u32, u32),
}

/// A game from level 9, until 999,999 points, this many pieces, or its end.
fn play(missed: f64, heart: bool, seed: u64, most_pieces: u32) -> Ended {
    let mut smears = Xoshiro256PlusPlus::seed_from_u64(seed + 2_000);
    let mut before = None;
    let mut slips = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut dealer = CycleDiv::new(Xoshiro256PlusPlus::seed_from_u64(seed + 1_000));
    let mut game = Game::new(Setup::new(Mode::A, 9, heart).unwrap(), Board::EMPTY, &mut dealer);
    let pace = BodyPace {
        frame_period: Some(FRAME),
        shown_to_captured: SEEN_AFTER,
        commanded_to_done: REACH,
        hand_keeps_time: true,
    };
    let mut clock = ConsoleClock::new(pace);
    let mut pilot = Pilot::new(Fingers { period: 5, hold: Duration::from_millis(35) });
    let keys = Keys::new(Timing::from_ms(75.0));
    let mut search =
        Search::new(Judge::Learned(Learned::ours()), keys, Field::GAME_BOY, ours::DEPTH, Chance::GameBoy);
    let mut strokes: Vec<Stroke> = Vec::new();
    let (mut captured, mut played, mut pieces, mut turns) = (Time::START + FRAME * 6, 0, 0, (0, 0));
    loop {
        let shown_for = captured.elapsed().saturating_sub(SEEN_AFTER.typical + BEGAN);
        let shown = shown_for.as_secs_f64() / periods(1).as_secs_f64();
        // A picture shows the game as it was after the period before.
        while played + 1 < shown as u64 {
            played += 1;
            let is_held = |stroke: &&Stroke| (stroke.from..stroke.until).contains(&played);
            let held = strokes.iter().filter(is_held).fold(Buttons::NONE, |held, s| held | s.button.alone());
            before = Some(shows(&game).cells);
            game.step(held, &mut dealer);
        }
        strokes.retain(|stroke| stroke.until > played);
        let is_over = game.phase() == Phase::Over || game.score() >= MAX_SCORE || pieces >= most_pieces;
        if is_over {
            return Ended { score: game.score(), lines: game.lines(), pieces, turns };
        }
        let mut playing = shows(&game);
        if let Some(before) = before {
            smear(&mut playing.cells, &before, &mut smears);
        }
        let sight = Sight { captured, playing: &playing, heart };
        pieces += u32::from(pilot.look(&sight, &mut clock).is_some());
        captured = captured + FRAME;
        if let Steered::Press(order) = pilot.steer(&sight, &clock, &mut search, &Budget::unlimited()) {
            if order.piece.orientations() == 2 {
                match [Button::A, Button::B].map(|turn| order.buttons.contains(&turn)) {
                    [true, true] => turns.0 += 1,
                    [false, false] => {}
                    _ => turns.1 += 1,
                }
            }
            let long = (order.hold.as_secs_f64() / periods(1).as_secs_f64()) as u64;
            for button in order.buttons {
                if !slips.random_bool(missed) {
                    let until = order.period + long.saturating_sub(1).max(1);
                    strokes.push(Stroke { button, from: order.period, until });
                }
            }
            // The fingers let go by themselves.
            let done = sight.captured + order.wait;
            while captured < done {
                captured = captured + FRAME;
            }
        }
    }
}

/// A slow display: some cells still show the picture before.
fn smear(cells: &mut [u32; WIDTH], before: &[u32; WIDTH], random: &mut Xoshiro256PlusPlus) {
    for (column, before) in cells.iter_mut().zip(before) {
        let late: u32 = random.random();
        *column = *column & !late | before & late;
    }
}

fn shows(game: &Game) -> Playing {
    let mut drawn = *game.board();
    if let (Phase::Falling, Some(active)) = (game.phase(), game.active()) {
        drawn.place(active.shape(), active.x, active.row);
    }
    let figures = Figures {
        score: Some(game.score()),
        level: Some(game.level()),
        lines: Some(game.lines()),
        heart: false,
    };
    Playing {
        cells: drawn.columns().map(|column| column & ((1 << ROWS) - 1)),
        flashing: matches!(game.phase(), Phase::Clearing { .. }),
        preview: Some(game.pieces().preview),
        figures,
        versus: false,
    }
}

/// One press in twenty slips: at level 9 and in heart mode, twice as fast, stacks stay low enough to make up for it.
#[test]
fn slipping_fingers_do_not_end_a_game_early() {
    for (heart, seed, pieces, lines) in [(false, 1, 400, 150), (false, 2, 400, 150), (true, 3, 120, 40)] {
        let ended = play(0.05, heart, seed, pieces);
        assert!(ended.pieces >= pieces && ended.lines >= lines, "seed {seed}: {ended:?}");
    }
}

/// Presses against the wall, ordered in case that one before them slipped, do no harm when none does.
#[test]
fn steady_fingers_play_as_before() {
    let ended = play(0.0, false, 4, 300);
    assert!(ended.pieces >= 300 && ended.lines >= 110 && ended.score > 150_000, "{ended:?}");
    // One button alone is for the first pieces, before it is known when the console's periods begin.
    assert!(ended.turns.0 > 20 && ended.turns.1 < 5, "{ended:?}");
}
