//! What the cartridge does around the rules: counters at their end, rubble, endings, demo, rocket.

use std::collections::BTreeSet;

use gameboy::memory::{self, Scene};
use gameboy::{Console, Emulator, LinkedConsoles, stackfall};
use tetris::gameboy::Buttons;

use crate::{press, start_game};

const MAP: u16 = 0x9800;
pub const PAUSE_MAP: u16 = 0x9C00;
const LEVEL: u16 = 0xC0A8;
const SCORE: u16 = 0xC0AA;
const LINES: u16 = 0xC0B0;
const SPAWN_LOCKS: u16 = 0xC0C0;
const CLEARS: u16 = 0xC0C3;
const FIELD: u16 = 0xC202;
const BRICK: u8 = 0x87;

/// The words on a map of tiles, blanks and pictures as blanks.
pub fn words_at(console: &mut Emulator, map: u16, x: u16, y: u16, length: u16) -> String {
    let tiles = (0..length).map(|i| console.peek(map + 32 * y + x + i));
    tiles
        .map(|tile| match tile {
            0..=9 => char::from(b'0' + tile),
            10..=35 => char::from(b'A' + tile - 10),
            _ => ' ',
        })
        .collect()
}

fn console() -> Emulator {
    Emulator::new(&stackfall::cartridge()).unwrap()
}

/// Runs with these buttons until the scene is shown.
fn run_until(console: &mut Emulator, wanted: Scene, held: Buttons) {
    for _ in 0..600 {
        if memory::scene(console) == wanted {
            return;
        }
        console.step(held).unwrap();
    }
    panic!("{:?} instead of {wanted:?}", memory::scene(console));
}

fn fill_rows(console: &mut Emulator, rows: std::ops::Range<u16>, columns: std::ops::Range<u16>) {
    for row in rows {
        for x in columns.clone() {
            console.poke(FIELD + 16 * row + x, BRICK);
        }
    }
}

fn set_score(console: &mut Emulator, score: u32) {
    for place in 0..6u16 {
        console.poke(SCORE + place, (score / 10u32.pow(place.into()) % 10) as u8);
    }
}

/// Drops the piece and waits until the next one is there.
fn drop_piece(console: &mut Emulator) {
    let draws = memory::read(console).draws;
    let mut frames = 0;
    while memory::read(console).draws == draws {
        console.step(if frames % 8 == 0 { Buttons::NONE } else { Buttons::DOWN }).unwrap();
        frames += 1;
        assert!(frames < 1_000);
    }
    console.step(Buttons::NONE).unwrap();
}

#[test]
fn lines_end_at_9_999() {
    let mut console = console();
    start_game(&mut console, 0);
    let mut counts = Vec::new();
    for _ in 0..4 {
        if counts.is_empty() {
            let [low, high] = 9_996u16.to_le_bytes();
            console.poke(LINES, low);
            console.poke(LINES + 1, high);
        }
        fill_rows(&mut console, 17..19, 0..10);
        drop_piece(&mut console);
        console.step(Buttons::NONE).unwrap();
        counts.push((memory::read(&mut console).lines, words_at(&mut console, MAP, 14, 10, 4)));
    }
    let expected = [9_998, 9_999, 9_999, 9_999].map(|lines| (lines, lines.to_string()));
    assert_eq!(counts, expected);
}

#[test]
fn the_rubble_of_the_b_type_is_random() {
    let (mut rows, mut filled) = (BTreeSet::new(), [0; 10]);
    for idle in 0..120 {
        let mut console = console();
        for _ in 0..30 + idle {
            console.step(Buttons::NONE).unwrap();
        }
        press(&mut console, Buttons::START, 8);
        press(&mut console, Buttons::RIGHT, 4);
        press(&mut console, Buttons::START, 8);
        press(&mut console, Buttons::START, 4);
        for _ in 0..5 {
            press(&mut console, Buttons::RIGHT, 4);
        }
        press(&mut console, Buttons::START, 8);
        let board = memory::read(&mut console).board;
        for row in 0..10 {
            let cells: Vec<_> = (0..10).filter(|x| board.is_filled(*x, row)).collect();
            assert!(cells.len() < 10, "row {row} has no gap");
            for x in &cells {
                filled[*x] += 1;
            }
            rows.insert(cells);
        }
        assert!((0..10).all(|x| board.column(x) >> 10 == 0), "ten rows and no more");
    }
    println!("{} distinct rows of 1200, filled {filled:?}", rows.len());
    // 1,200 rows out of 1,023 possible ones: 706 are expected; half of the cells are filled.
    assert!(rows.len() > 650, "{} distinct rows", rows.len());
    assert!(filled.iter().all(|count| (530..=670).contains(count)), "{filled:?} of 1200");
}

#[test]
fn the_account_of_the_b_type_adds_up() {
    let mut console = console();
    for _ in 0..30 {
        console.step(Buttons::NONE).unwrap();
    }
    press(&mut console, Buttons::START, 8);
    press(&mut console, Buttons::RIGHT, 4);
    assert_eq!(words_at(&mut console, MAP, 11, 5, 7), "B TYPE ", "inside the frame");
    for _ in 0..3 {
        press(&mut console, Buttons::START, 8);
    }
    console.poke(LEVEL, 8);
    for (place, count) in [2, 1, 3, 6].into_iter().enumerate() {
        console.poke(CLEARS + place as u16, count);
    }
    console.poke(LINES, 1);
    fill_rows(&mut console, 18..19, 0..10);
    run_until(&mut console, Scene::BResult, Buttons::DOWN);
    press(&mut console, Buttons::NONE, 8);
    let drops = memory::read(&mut console).drop_points;
    // The row that was filled is the third single.
    let points = [3 * 40 * 9, 100 * 9, 3 * 300 * 9, 6 * 1_200 * 9];
    for (i, points) in points.into_iter().enumerate() {
        assert_eq!(words_at(&mut console, MAP, 12, 4 + 2 * i as u16, 6), format!("{points:6}"));
    }
    assert_eq!(words_at(&mut console, MAP, 12, 12, 6), format!("{drops:6}"));
    let total = points.iter().sum::<u32>() + drops;
    assert!(drops > 0 && total > 65_535);
    assert_eq!(words_at(&mut console, MAP, 2, 14, 16), format!("TOTAL     {total:6}"));
    press(&mut console, Buttons::START, 8);
    assert_eq!(memory::scene(&mut console), Scene::BLevel);
}

/// A game that ends with this many points, up to the words GAME OVER.
fn lost_game(score: u32) -> Emulator {
    let mut console = console();
    start_game(&mut console, 0);
    set_score(&mut console, score - 40);
    // A line, so that the score is shown; then no room for the second piece.
    fill_rows(&mut console, 18..19, 0..10);
    drop_piece(&mut console);
    let shown = memory::read(&mut console).score;
    set_score(&mut console, score.max(shown));
    console.poke(SPAWN_LOCKS, 1);
    fill_rows(&mut console, 4..19, 0..9);
    run_until(&mut console, Scene::Curtain, Buttons::NONE);
    run_until(&mut console, Scene::Over, Buttons::NONE);
    press(&mut console, Buttons::NONE, 2);
    console
}

#[test]
fn the_figures_stay_when_the_game_is_over() {
    let mut console = lost_game(1_234);
    assert_eq!(words_at(&mut console, MAP, 5, 4, 4), "GAME");
    assert_eq!(words_at(&mut console, MAP, 5, 6, 4), "OVER");
    assert_eq!(words_at(&mut console, MAP, 14, 1, 5), "SCORE");
    let score = words_at(&mut console, MAP, 13, 3, 6);
    assert!(score.trim().parse::<u32>().unwrap() >= 1_234, "{score}");
    assert_eq!(words_at(&mut console, MAP, 14, 10, 4), "   1");
}

#[test]
fn great_scores_earn_a_rocket() {
    let mut console = lost_game(99_000);
    press(&mut console, Buttons::START, 10);
    assert_eq!(memory::scene(&mut console), Scene::Name);
    // The nose of the rocket is the higher, the more points there are.
    let heights = [100_100, 160_000, 999_999].map(|score| {
        let mut console = lost_game(score);
        press(&mut console, Buttons::START, 10);
        assert_eq!(memory::scene(&mut console), Scene::Rocket, "{score}");
        let sprites = (0..12).map(|i| console.peek(0xC000 + 4 * i)).filter(|y| *y > 0);
        let height = sprites.min();
        let ended = (0..400).any(|_| {
            console.step(Buttons::NONE).unwrap();
            memory::scene(&mut console) == Scene::Name
        });
        assert!(ended, "the rocket flies away by itself");
        height
    });
    assert!(heights[0] > heights[1] && heights[1] > heights[2], "{heights:?}");
}

/// Longest that a seed leaves the title alone (`runs::tetris::idle_periods`).
const LONGEST_IDLE: u32 = 60 + 4_096;

fn wait_for_demo(console: &mut Emulator) {
    for frame in 0..5_000 {
        console.step(Buttons::NONE).unwrap();
        if memory::scene(console) == Scene::Play {
            assert!(frame > LONGEST_IDLE + 200, "a demo after {frame} frames disturbs players");
            return;
        }
    }
    panic!("no demo");
}

#[test]
fn a_title_left_alone_becomes_a_demo() {
    let mut console = console();
    wait_for_demo(&mut console);
    press(&mut console, Buttons::NONE, 2);
    assert_eq!(words_at(&mut console, MAP, 15, 11, 4), "DEMO");
    let (mut lines, mut pieces, mut draws) = (0, 0, memory::read(&mut console).draws);
    let mut frames = 0;
    while memory::scene(&mut console) == Scene::Play {
        console.step(Buttons::NONE).unwrap();
        let seen = memory::read(&mut console);
        lines = seen.lines.max(lines);
        pieces += u32::from(std::mem::replace(&mut draws, seen.draws) != seen.draws);
        frames += 1;
        assert!(frames < 4_000);
    }
    assert_eq!(memory::scene(&mut console), Scene::Title);
    println!("{pieces} pieces and {lines} lines in {frames} frames");
    assert!(pieces > 20 && lines >= 4 && frames > 3_000, "{pieces} pieces, {lines} lines, {frames} frames");
}

#[test]
fn a_button_or_a_call_ends_the_demo() {
    let mut alone = console();
    wait_for_demo(&mut alone);
    press(&mut alone, Buttons::NONE, 300);
    press(&mut alone, Buttons::START, 20);
    assert_eq!(memory::scene(&mut alone), Scene::Title);
    start_game(&mut alone, 0);
    assert_eq!(words_at(&mut alone, MAP, 15, 11, 4), "    ");

    let mut consoles = LinkedConsoles::new(&stackfall::cartridge()).unwrap();
    let mut frame = 0;
    while memory::scene(consoles.console(1)) != Scene::Play {
        // Only the second console's title is left alone.
        let moved = if frame % 1_000 < 2 { Buttons::RIGHT } else { Buttons::NONE };
        consoles.step([moved, Buttons::NONE]).unwrap();
        frame += 1;
        assert!(frame < 6_000);
    }
    for frame in 0..60 {
        let held = if frame < 2 { Buttons::START } else { Buttons::NONE };
        consoles.step([held, Buttons::NONE]).unwrap();
    }
    for side in 0..2 {
        assert_eq!(memory::scene(consoles.console(side)), Scene::LinkSetup, "side {side}");
    }
}
