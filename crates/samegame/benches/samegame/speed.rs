//! Uniformly random games on a 15×15 board of 5 colours, one thread.

use processor::{HotLoop, at_full_speed};
use rand_xoshiro::rand_core::SeedableRng;
use samegame::field::{Field, SmallField};
use samegame::random::{Random, play_randomly, random_board};
use serde_json::{Value, json};

use crate::cpu_time;

const GAMES: u32 = 200_000;

pub fn measure() -> Value {
    let mut random = Random::seed_from_u64(2026);
    let boards: Vec<_> = (0..16)
        .map(|_| SmallField::from_board(&random_board(15, 15, 5, &mut random).expect("the size is allowed")))
        .collect();
    let start = cpu_time();
    let moves = at_full_speed(Games { boards: &boards, random: &mut random });
    let seconds = cpu_time().saturating_sub(start).as_secs_f64();
    json!({
        "playouts_per_s": f64::from(GAMES) / seconds,
        "moves_per_playout": moves as f64 / f64::from(GAMES),
        "ns_per_move": seconds * 1e9 / moves as f64,
    })
}

struct Games<'a> {
    boards: &'a [SmallField],
    random: &'a mut Random,
}

impl HotLoop for Games<'_> {
    type Output = u64;

    #[inline(always)]
    fn run(self) -> u64 {
        let play = |board: &SmallField| u64::from(play_randomly(&mut board.clone(), self.random));
        self.boards.iter().cycle().take(GAMES as usize).map(play).sum()
    }
}
