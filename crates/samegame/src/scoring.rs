//! Points for moves, for clearing the board and for cells left over.

/// Points for removing a group of `n` cells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GroupPoints {
    /// (n−2)², the standard in the literature.
    #[default]
    MinusTwoSquared,
    /// n(n−1).
    TimesMinusOne,
    /// (n−1)².
    MinusOneSquared,
}

impl GroupPoints {
    /// Points for a group of `n` cells.
    pub fn of(self, n: u32) -> i32 {
        let n = n as i32;
        match self {
            Self::MinusTwoSquared => (n - 2) * (n - 2),
            Self::TimesMinusOne => n * (n - 1),
            Self::MinusOneSquared => (n - 1) * (n - 1),
        }
    }
}

/// Points lost for cells left at the end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Penalty {
    /// Nothing.
    #[default]
    None,
    /// For each colour, the points its cells would have scored as one group.
    AsOneGroup,
    /// This many points per cell.
    PerCell(i32),
}

/// How a game is scored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scoring {
    /// Points per move.
    pub group: GroupPoints,
    /// Points for an empty board at the end.
    pub clear_bonus: i32,
    /// Points lost when the board is not empty at the end.
    pub penalty: Penalty,
}

impl Default for Scoring {
    /// The standard in the literature: (n−2)² per move, 1000 for clearing, no penalty.
    fn default() -> Self {
        Self { group: GroupPoints::default(), clear_bonus: 1000, penalty: Penalty::None }
    }
}

impl Scoring {
    /// Bonus or penalty at the end of a game, given the cells left of each colour.
    pub fn end_points(&self, left: impl IntoIterator<Item = u32>) -> i32 {
        let mut cleared = true;
        let mut lost = 0;
        for count in left.into_iter().filter(|&count| count > 0) {
            cleared = false;
            lost += match self.penalty {
                Penalty::None => 0,
                Penalty::AsOneGroup => self.group.of(count),
                Penalty::PerCell(points) => points * count as i32,
            };
        }
        if cleared { self.clear_bonus } else { -lost }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn group_points_follow_their_formulas() {
        assert_eq!([2, 3, 7].map(|n| GroupPoints::MinusTwoSquared.of(n)), [0, 1, 25]);
        assert_eq!([2, 3, 7].map(|n| GroupPoints::TimesMinusOne.of(n)), [2, 6, 42]);
        assert_eq!([2, 3, 7].map(|n| GroupPoints::MinusOneSquared.of(n)), [1, 4, 36]);
    }

    #[test]
    fn the_end_brings_the_bonus_or_the_penalty() {
        let scoring = |penalty| Scoring { penalty, ..Scoring::default() };
        assert_eq!(scoring(Penalty::None).end_points([0, 0]), 1000);
        assert_eq!(scoring(Penalty::None).end_points([1, 5]), 0);
        assert_eq!(scoring(Penalty::AsOneGroup).end_points([0, 5, 1]), -10);
        assert_eq!(scoring(Penalty::PerCell(3)).end_points([0, 5, 1]), -18);
    }
}
