//! Bounds and scores against exhaustive search on smaller boards.

use std::collections::BTreeMap;

use super::*;

/// Plain minimax over every position; the oracle.
struct Exhaustive<const W: usize, const H: usize> {
    scores: BTreeMap<(u64, u64), i32>,
}

impl<const W: usize, const H: usize> Exhaustive<W, H> {
    fn of_the_whole_game() -> Self {
        let mut all = Self { scores: BTreeMap::new() };
        all.score(0, 0);
        all
    }

    fn score(&mut self, own: u64, occupied: u64) -> i32 {
        if let Some(&score) = self.scores.get(&(own, occupied)) {
            return score;
        }
        let discs = occupied.count_ones() as i32;
        let mut best = if discs == Grid::<W, H>::CELLS { 0 } else { -Grid::<W, H>::CELLS };
        let playable = Grid::<W, H>::playable(occupied);
        for column in 0..W {
            let cell = playable & Grid::<W, H>::column(column);
            if cell == 0 {
                continue;
            }
            let score = if Grid::<W, H>::has_four(own | cell) {
                (Grid::<W, H>::CELLS + 1 - discs) / 2
            } else {
                -self.score(own ^ occupied, occupied | cell)
            };
            best = best.max(score);
        }
        self.scores.insert((own, occupied), best);
        best
    }
}

/// Every bound that the follow-up rules give, on any position, is true; and they
/// give some of each kind.
fn check_bounds<const W: usize, const H: usize>() {
    let all = Exhaustive::<W, H>::of_the_whole_game();
    let (mut lower_bounds, mut upper_bounds) = (0, 0);
    for (&(own, occupied), &score) in &all.scores {
        let Ok(Bisection { node, flipped: false, .. }) = Bisection::<W, H>::start(own, occupied) else {
            continue;
        };
        if node.occupied != occupied {
            continue;
        }
        let limits = node.limits::<W, H>();
        for beta in limits.lower..=limits.upper + 1 {
            let Some(bound) = bounds::decide::<W, H>(&node, beta) else { continue };
            if bound >= beta {
                lower_bounds += 1;
                assert!(score >= bound, "{W}x{H} {own:x} {occupied:x}: {score} is not ≥ {bound}");
            } else {
                upper_bounds += 1;
                assert!(score <= bound, "{W}x{H} {own:x} {occupied:x}: {score} is not ≤ {bound}");
            }
        }
    }
    assert!(lower_bounds > 0 && upper_bounds > 0, "{W}x{H}: {lower_bounds} lower, {upper_bounds} upper");
}

#[test]
fn follow_up_bounds_hold_on_every_position_of_4x4() {
    check_bounds::<4, 4>();
}

#[test]
fn follow_up_bounds_hold_on_every_position_of_5x4() {
    check_bounds::<5, 4>();
}

#[test]
fn follow_up_bounds_hold_on_every_position_of_7x2() {
    check_bounds::<7, 2>();
}

/// Checks the whole solver, also on a board of odd height, where no bound applies.
fn check_scores<const W: usize, const H: usize>(stride: usize) {
    let all = Exhaustive::<W, H>::of_the_whole_game();
    let mut core = Core::<W, H>::new(1 << 20);
    for (&(own, occupied), &score) in all.scores.iter().step_by(stride) {
        if occupied.count_ones() as i32 == Grid::<W, H>::CELLS {
            continue;
        }
        let budget = Budget::unlimited();
        assert_eq!(core.score(own, occupied, &mut budget.meter()), Ok(score), "{W}x{H} {own:x} {occupied:x}");
    }
}

#[test]
fn scores_agree_with_exhaustive_search_on_smaller_boards() {
    check_scores::<4, 4>(7);
    check_scores::<4, 5>(97);
    check_scores::<5, 4>(97);
}

/// Published results for the empty board: 4x4, 5x4, 5x5 and 4x6 are draws, 6x4 is lost.
#[test]
fn empty_boards_have_the_published_value() {
    fn empty<const W: usize, const H: usize>() -> i32 {
        Core::<W, H>::new(1 << 22).score(0, 0, &mut Budget::unlimited().meter()).unwrap()
    }
    assert_eq!(empty::<4, 4>(), 0);
    assert_eq!(empty::<5, 4>(), 0);
    assert_eq!(empty::<4, 6>(), 0);
    assert_eq!(empty::<5, 5>(), 0);
    // The second player wins.
    assert!(empty::<6, 4>() < 0);
}

#[test]
fn growing_keeps_what_the_table_knows() {
    let mut table = Table::new(49, 1 << 24);
    let keys: Vec<u64> = (0..1000).map(|i| i * 0x1_2345_6789 + 7).collect();
    for (i, &key) in keys.iter().enumerate() {
        table.put(key, Limits { lower: -(i as i32 % 20), upper: i as i32 % 20 }, 1);
    }
    let before: Vec<_> = keys.iter().map(|&key| table.get(key)).collect();
    assert!(before.iter().flatten().count() > 900);
    table.grow(2);
    table.grow(3);
    let after: Vec<_> = keys.iter().map(|&key| table.get(key)).collect();
    assert_eq!(before, after);
    table.clear();
    assert!(keys.iter().all(|&key| table.get(key).is_none()));
}
