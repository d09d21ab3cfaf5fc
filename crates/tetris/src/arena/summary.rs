//! Statistics of one player's games.

use serde::Serialize;

use super::GameRecord;

/// The statistics of one player's games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Summary {
    /// Games played.
    pub games: usize,
    /// Mean of the lines.
    pub lines_mean: f64,
    /// Their standard deviation.
    pub lines_sd: f64,
    /// Half the width of the 95 % confidence interval of the mean.
    pub lines_ci95: f64,
    /// Mean of the points.
    pub score_mean: f64,
    /// Their standard deviation.
    pub score_sd: f64,
    /// Half the width of the 95 % confidence interval of the mean.
    pub score_ci95: f64,
    /// Games with 999,999 points.
    pub max_outs: usize,
    /// Mean of the lines at the max-out, over the games that reached it.
    pub lines_to_max_out_mean: Option<f64>,
    /// Share of the lines that were cleared four at once.
    pub tetris_share: f64,
    /// Games lost.
    pub deaths: usize,
    /// Pieces placed in all games.
    pub pieces: u64,
}

impl Summary {
    /// Summarises games.
    pub fn of(games: &[GameRecord]) -> Summary {
        let (lines_mean, lines_sd) = mean_and_sd(games.iter().map(|game| f64::from(game.lines)));
        let (score_mean, score_sd) = mean_and_sd(games.iter().map(|game| f64::from(game.score)));
        let max_outs: Vec<f64> =
            games.iter().filter_map(|game| game.lines_to_max_out.map(f64::from)).collect();
        let lines: u64 = games.iter().map(|game| u64::from(game.lines)).sum();
        let by_tetris: u64 = games.iter().map(|game| 4 * u64::from(game.clears[4])).sum();
        let to_ci95 = |sd: f64| 1.96 * sd / (games.len().max(1) as f64).sqrt();
        Summary {
            games: games.len(),
            lines_mean,
            lines_sd,
            lines_ci95: to_ci95(lines_sd),
            score_mean,
            score_sd,
            score_ci95: to_ci95(score_sd),
            max_outs: max_outs.len(),
            lines_to_max_out_mean: (!max_outs.is_empty()).then(|| mean_and_sd(max_outs.iter().copied()).0),
            tetris_share: if lines == 0 { 0.0 } else { by_tetris as f64 / lines as f64 },
            deaths: games.iter().filter(|game| game.died).count(),
            pieces: games.iter().map(|game| u64::from(game.pieces)).sum(),
        }
    }
}

/// Mean and sample standard deviation; zeros for no values.
fn mean_and_sd(values: impl Iterator<Item = f64> + Clone) -> (f64, f64) {
    let count = values.clone().count();
    if count == 0 {
        return (0.0, 0.0);
    }
    let mean = values.clone().sum::<f64>() / count as f64;
    let squares: f64 = values.map(|value| (value - mean).powi(2)).sum();
    (mean, if count > 1 { (squares / (count - 1) as f64).sqrt() } else { 0.0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_up() {
        let game = |lines, score, tetrises| GameRecord {
            lines,
            score,
            clears: [0, 0, 0, 0, tetrises],
            lines_to_max_out: (score == 999_999).then_some(lines),
            died: score < 999_999,
            ..GameRecord::default()
        };
        let summary = Summary::of(&[game(300, 999_999, 50), game(100, 1, 25)]);
        assert_eq!((summary.lines_mean, summary.max_outs, summary.deaths), (200.0, 1, 1));
        assert_eq!(summary.lines_to_max_out_mean, Some(300.0));
        assert!((summary.lines_sd - 20_000f64.sqrt()).abs() < 1e-9);
        assert!((summary.tetris_share - 0.75).abs() < 1e-9);
        assert_eq!(Summary::of(&[]).games, 0);
    }
}
