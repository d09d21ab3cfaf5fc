//! S2, S3: boards of all looks, sizes and stages are read exactly, or said to be unclear.

use engine::{Picture, PixelFormat};
use players::samegame::see::{Reading, Unclear, see};
use rand_xoshiro::rand_core::SeedableRng;
use samegame::board::Board;
use samegame::random::{Random, below, random_board};
use samegame::rules::{Orientation, Rules};
use simulators::samegame::{Around, LookName, Scene};

/// What one picture is made from.
struct Case {
    look: LookName,
    scene: Scene,
    board: Board,
}

/// Case `number` of a seeded row over looks, sizes, colours, stages and surroundings.
fn case(number: u64) -> Case {
    let random = &mut Random::seed_from_u64(number);
    let look = LookName::ALL[number as usize % LookName::ALL.len()];
    let size = (5 + below(random, 36) as usize, 5 + below(random, 26) as usize);
    let colours = 2 + below(random, 8) as u8;
    let around = if below(random, 2) == 0 { Around::Window } else { Around::Desktop };
    let scene = Scene::new(look, size, colours, around, number);
    let mut board = random_board(size.0, size.1, colours, random).unwrap();
    if below(random, 2) == 0 {
        board = half_played(board, random);
    }
    Case { look, scene, board }
}

/// The board after some random moves, columns closing to a random side.
fn half_played(mut board: Board, random: &mut Random) -> Board {
    let orientation = [Orientation::Left, Orientation::Right, Orientation::Mixed][below(random, 3) as usize];
    let rules = Rules::default().closing(orientation);
    let cells = board.cells();
    let stop = cells * (30 + below(random, 65) as usize) / 100;
    loop {
        let groups = board.groups(rules.min_group());
        if groups.is_empty() {
            return board;
        }
        let next = board.without(&groups[below(random, groups.len() as u32) as usize], orientation);
        if next.cells() < stop.max(6) {
            return board;
        }
        board = next;
    }
}

#[test]
fn boards_of_every_look_are_read_exactly_or_called_unclear() {
    // 22 of each look; `docs/samegame-screen.md` says what others show.
    const CASES: u64 = 308;
    let (mut right, mut wrong, mut unclear) = (0, Vec::new(), Vec::new());
    for number in 0..CASES {
        let Case { look, scene, board } = case(number);
        let truth = scene.truth(&board).board;
        match see(&scene.paint_board(&board)) {
            Ok(sight) if sight.board == truth => right += 1,
            Ok(sight) => wrong.push(format!("{number} {look}: {truth} read as {}", sight.board)),
            Err(why) => unclear.push(format!("{number} {look}: {why}")),
        }
    }
    assert!(wrong.is_empty(), "wrong:\n{}", wrong.join("\n"));
    assert!(right * 100 >= CASES * 98, "{right} of {CASES} right, unclear:\n{}", unclear.join("\n"));
}

#[test]
fn a_known_board_is_read_again_after_every_move() {
    for (look, seed) in LookName::ALL.into_iter().zip(40..) {
        let random = &mut Random::seed_from_u64(seed);
        let scene = Scene::new(look, (9, 8), 4, Around::Window, seed);
        let mut board = random_board(9, 8, 4, random).unwrap();
        let sight = see(&scene.paint_board(&board)).unwrap();
        for _ in 0..4 {
            let groups = board.groups(2);
            let Some(group) = groups.get(below(random, groups.len().max(1) as u32) as usize) else { break };
            board = board.without(group, Orientation::Left);
            // What was under the tiles is unknown until it is seen: that may be said, never misread.
            if let Ok(Reading::Board(read)) = sight.reread(&scene.paint_board(&board)) {
                assert_eq!(read.normal_form(), board.normal_form(), "{look}");
            }
        }
    }
}

#[test]
fn pictures_without_a_board_are_unclear() {
    let plain = Picture::black(640, 480, PixelFormat::Rgb8);
    assert_eq!(see(&plain).unwrap_err(), Unclear::NoGrid);
    let gray = Picture::black(64, 48, PixelFormat::Gray8);
    assert_eq!(see(&gray).unwrap_err(), Unclear::Format);
    let tiny = Picture::black(3, 2, PixelFormat::Rgb8);
    assert_eq!(see(&tiny).unwrap_err(), Unclear::NoGrid);
}
