//! Pieces counted over many games, and how well they fit a model (G21).

use serde::Serialize;
use statrs::distribution::{ChiSquared, ContinuousCDF};

use super::piece_model::PieceModel;
use crate::piece::Piece;

/// How often each piece came.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PieceCounts {
    /// By piece.
    pub pieces: [u32; Piece::COUNT],
    /// By piece after two others in the same game, the earliest as first index.
    pub after_two: [[[u32; Piece::COUNT]; Piece::COUNT]; Piece::COUNT],
}

/// The result of a chi-square test.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct ChiSquare {
    /// Sum of squared differences, each divided by the expected count.
    pub statistic: f64,
    /// Degrees of freedom.
    pub degrees_of_freedom: u32,
    /// Probability of a statistic at least this large if the model is right.
    pub p_value: f64,
}

/// Expected count below which a cell of the test is not reliable.
const LEAST_EXPECTED: f64 = 5.0;

impl PieceCounts {
    /// Counts the pieces of several games.
    ///
    /// ```
    /// use tetris::Piece::{I, L, T};
    /// use tetris::gameboy::PieceCounts;
    ///
    /// let counts = PieceCounts::of([[L, T, T, T].as_slice(), &[I, L]]);
    /// assert_eq!(counts.total(), 6);
    /// assert_eq!(counts.pieces[T.index()], 3);
    /// assert_eq!(counts.same_as_last(), 1.0); // T T, twice of twice
    /// assert_eq!(counts.three_in_a_row(), 0.5); // T T T, once of twice
    /// ```
    pub fn of<'a>(games: impl IntoIterator<Item = &'a [Piece]>) -> PieceCounts {
        let mut counts = PieceCounts::default();
        for game in games {
            for piece in game {
                counts.pieces[piece.index()] += 1;
            }
            for window in game.windows(3) {
                counts.after_two[window[0].index()][window[1].index()][window[2].index()] += 1;
            }
        }
        counts
    }

    /// All pieces.
    pub fn total(&self) -> u32 {
        self.pieces.iter().sum()
    }

    /// Share of pieces equal to the one before, among those that have two before them.
    pub fn same_as_last(&self) -> f64 {
        let same =
            self.after_two.iter().flat_map(|row| row.iter().enumerate()).map(|(last, next)| next[last]);
        self.share(same.sum())
    }

    /// Share of pieces equal to both before, among those that have two before them.
    pub fn three_in_a_row(&self) -> f64 {
        self.share((0..Piece::COUNT).map(|piece| self.after_two[piece][piece][piece]).sum())
    }

    fn share(&self, count: u32) -> f64 {
        let total: u32 = self.after_two.iter().flatten().flatten().sum();
        f64::from(count) / f64::from(total.max(1))
    }

    /// Tests the counts after each pair of pieces against the model; pairs too rare for the test are left out.
    pub fn chi_square(&self, model: &PieceModel) -> ChiSquare {
        let (mut statistic, mut degrees) = (0.0, 0);
        for (counts, shares) in self.after_two.iter().flatten().zip(model.after_two.iter().flatten()) {
            let total = f64::from(counts.iter().sum::<u32>());
            if shares.iter().any(|share| share * total < LEAST_EXPECTED) {
                continue;
            }
            statistic += counts
                .iter()
                .zip(shares)
                .map(|(count, share)| (f64::from(*count) - share * total).powi(2) / (share * total))
                .sum::<f64>();
            degrees += Piece::COUNT as u32 - 1;
        }
        // Zero degrees of freedom say nothing against the model.
        let p_value =
            ChiSquared::new(f64::from(degrees)).map_or(1.0, |distribution| distribution.sf(statistic));
        ChiSquare { statistic, degrees_of_freedom: degrees, p_value }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A model in which every piece is equally likely, and counts after L L only.
    fn test_after_two_ls(counts: [u32; Piece::COUNT]) -> ChiSquare {
        let even = [1.0 / 7.0; Piece::COUNT];
        let model = PieceModel { after_two: [[even; Piece::COUNT]; Piece::COUNT], long_run: even };
        let mut counted = PieceCounts::default();
        counted.after_two[0][0] = counts;
        counted.chi_square(&model)
    }

    #[test]
    fn fair_counts_fit_and_skewed_ones_do_not() {
        let fair = test_after_two_ls([100, 99, 101, 100, 103, 97, 100]);
        assert_eq!(fair.degrees_of_freedom, 6);
        assert!(fair.p_value > 0.99, "{fair:?}");
        let skewed = test_after_two_ls([200, 50, 101, 100, 103, 97, 49]);
        assert!(skewed.p_value < 1e-6, "{skewed:?}");
    }

    #[test]
    fn too_few_counts_say_nothing() {
        let few = test_after_two_ls([1, 0, 2, 0, 0, 0, 0]);
        assert_eq!(few, ChiSquare { statistic: 0.0, degrees_of_freedom: 0, p_value: 1.0 });
    }

    #[test]
    fn p_values_follow_the_published_quantiles() {
        // 95 % quantile of the chi-square distribution with 6 degrees of freedom: 12.591587.
        let (n, x) = (7_000.0_f64, 12.591_587_f64);
        let shift = (x * n / 7.0 / 2.0).sqrt().round() as u32;
        let test = test_after_two_ls([1000 + shift, 1000 - shift, 1000, 1000, 1000, 1000, 1000]);
        assert!((test.p_value - 0.05).abs() < 0.005, "{test:?}");
    }

    #[test]
    fn games_are_counted_apart() {
        use Piece::{I, L, T};
        let counts = PieceCounts::of([[L, L, T, I].as_slice(), &[I, I, I]]);
        assert_eq!(counts.total(), 7);
        assert_eq!(counts.after_two.iter().flatten().flatten().sum::<u32>(), 3);
        assert!((counts.three_in_a_row() - 1.0 / 3.0).abs() < 1e-9);
        assert!((counts.same_as_last() - 1.0 / 3.0).abs() < 1e-9);
    }
}
