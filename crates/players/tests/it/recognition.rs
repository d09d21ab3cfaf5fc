//! S2, S3: boards of all looks, sizes and stages are read exactly, or said to be unclear.

use players::samegame::see::see;
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
fn boards_of_every_look_are_read_exactly() {
    let cases: u64 = std::env::var("CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(308);
    let (mut right, mut unclear, mut wrong) = (0, 0, Vec::new());
    let only: Vec<u64> = std::env::var("ONLY")
        .map(|o| o.split(',').map(|n| n.parse().unwrap()).collect())
        .unwrap_or((0..cases).collect());
    for number in only {
        let Case { look, scene, board } = case(number);
        let picture = scene.paint_board(&board);
        let truth = scene.truth(&board);
        match see(&picture) {
            Ok(sight) if sight.board == truth.board => right += 1,
            Ok(sight) => {
                println!(
                    "{number} {look}: {}x{} pitch {:?} origin {:?} read as {}x{} {:?} {:?}; cells {} {}",
                    truth.board.width(),
                    truth.board.height(),
                    truth.layout.pitch,
                    truth.layout.origin,
                    sight.board.width(),
                    sight.board.height(),
                    (sight.lattice.x.pitch, sight.lattice.y.pitch),
                    (sight.lattice.x.origin, sight.lattice.y.origin),
                    truth.board.cells(),
                    sight.board.cells(),
                );
                let colours = |b: &Board| b.colour_counts().iter().filter(|c| **c > 0).count();
                println!("   colours {} {}", colours(&truth.board), colours(&sight.board));
                wrong.push(number);
            }
            Err(why) => {
                unclear += 1;
                println!(
                    "{number} {look}: {}x{} pitch {:?} origin {:?} {why}",
                    truth.board.width(),
                    truth.board.height(),
                    truth.layout.pitch,
                    truth.layout.origin
                );
            }
        }
    }
    println!("{right} right, {unclear} unclear, {} wrong: {wrong:?}", wrong.len());
    assert!(wrong.is_empty(), "{wrong:?}");
    assert!(right * 1000 >= cases * 995, "{right} of {cases} right");
}
