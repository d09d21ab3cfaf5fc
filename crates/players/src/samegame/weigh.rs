//! What else could be clicked, for people who watch: each group with what a short search makes of the board after it.

use budget::Budget;
use engine::Candidate;
use samegame::board::{Board, CellGroup};
use samegame::clear::auto;
use samegame::points::Effort;
use samegame::rules::Rules;

/// How many groups are told, the chosen one among them.
const TOLD: usize = 6;
/// A glance: fractions of a millisecond for each group.
const NODES: u64 = 300;

/// The chosen group first, then the largest others as they are good. A value is the number of tiles that would stay at the
/// end, below zero; `left` is that of the chosen group's own plan.
pub(super) fn weigh(
    board: &Board,
    chosen: &CellGroup,
    left: usize,
    rules: Rules,
    seed: u64,
) -> Vec<Candidate> {
    let mut others = board.groups(rules.min_group());
    others.retain(|group| group != chosen);
    others.sort_by_key(|group| std::cmp::Reverse(group.cells.len()));
    others.truncate(TOLD - 1);
    let glance = |group: &CellGroup| {
        let after = board.without(group, rules.orientation);
        auto::solve(&after, &rules, Effort { threads: 1, seed }, &Budget::nodes(NODES), &|_| ()).remaining
    };
    let mut weighed: Vec<_> = others.iter().map(|group| told(group, glance(group))).collect();
    weighed.sort_by(|a, b| b.value.total_cmp(&a.value));
    weighed.insert(0, told(chosen, left));
    weighed
}

/// A group by its first tile and its size.
fn told(group: &CellGroup, left: usize) -> Candidate {
    let (column, row) = group.cells.first().copied().unwrap_or_default();
    let name = format!("{} × ({}, {})", group.cells.len(), column + 1, row + 1);
    Candidate { name, value: 0.0 - left as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two ways to begin: one clears the board, the other leaves two single tiles.
    #[test]
    fn the_chosen_group_comes_first_and_worse_ones_are_worth_less() {
        let board: Board = "[[1,2,2],[1,3,3],[1,2,2]]".parse().unwrap();
        let groups = board.groups(2);
        let chosen = groups.iter().find(|group| group.colour == 3).unwrap();
        let weighed = weigh(&board, chosen, 0, Rules::default(), 1);
        assert_eq!(weighed.len(), groups.len());
        assert_eq!((weighed[0].name.as_str(), weighed[0].value), ("2 × (2, 2)", 0.0));
        assert!(weighed.iter().all(|candidate| candidate.value <= 0.0), "{weighed:?}");
        assert!(weighed[1..].windows(2).all(|pair| pair[0].value >= pair[1].value), "{weighed:?}");
    }
}
