//! A seeded row of pictures over all looks, sizes, colours, stages and surroundings, to test eyes with.

use rand_xoshiro::rand_core::SeedableRng;
use samegame::board::Board;
use samegame::random::{Random, below};
use samegame::rules::{Orientation, Rules};

use super::look::LookName;
use super::scene::{Around, Scene};

/// What one picture is made from.
#[derive(Clone, Debug)]
pub struct Exhibit {
    /// Its look.
    pub look: LookName,
    /// What is around the board.
    pub around: Around,
    /// Everything but the tiles.
    pub scene: Scene,
    /// The tiles.
    pub board: Board,
}

/// Picture `number` of the row: 5×5 to 40×30, 2 to 9 colours, fresh and half-played.
#[expect(
    clippy::expect_used,
    clippy::missing_panics_doc,
    reason = "at most 40×30 cells of 2 to 9 colours, all filled: always a board"
)]
pub fn exhibit(number: u64) -> Exhibit {
    let random = &mut Random::seed_from_u64(number);
    let look = LookName::ALL[(number % LookName::ALL.len() as u64) as usize];
    let size = (5 + below(random, 36) as usize, 5 + below(random, 26) as usize);
    let colours = 2 + below(random, 8) as u8;
    let around = if below(random, 2) == 0 { Around::Window } else { Around::Desktop };
    let scene = Scene::new(look, size, colours, around, number);
    let cells = (0..size.0).map(|_| (0..size.1).map(|_| 1 + below(random, colours.into()) as u8).collect());
    let mut board = Board::from_columns(cells.collect()).expect("a full board");
    if below(random, 2) == 0 {
        board = half_played(board, random);
    }
    Exhibit { look, around, scene, board }
}

/// The board after some random moves, columns closing to a random side.
fn half_played(mut board: Board, random: &mut Random) -> Board {
    let orientation = [Orientation::Left, Orientation::Right, Orientation::Mixed][below(random, 3) as usize];
    let rules = Rules::default().closing(orientation);
    let stop = board.cells() * (30 + below(random, 65) as usize) / 100;
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
