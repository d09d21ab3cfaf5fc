//! The result of a comparison: figures, table and plot.

use serde::Serialize;
use tetris::arena::{GameRecord, Summary};

use super::games::{FinishedGame, FinishedGames};
use super::{CompareTetris, RulesName};
use crate::plot::{Chart, Curve};
use crate::table;
use plugins::contestant::Contestant;

/// The printed result.
#[derive(Debug, Serialize)]
pub struct Report {
    pub rules: RulesName,
    pub level: u8,
    pub heart: bool,
    pub press_ms: f64,
    pub seed: u64,
    pub players: Vec<PlayerReport>,
}

#[derive(Debug, Serialize)]
pub struct PlayerReport {
    name: String,
    #[serde(flatten)]
    summary: Summary,
    decision_us_mean: f64,
}

pub fn player_report(name: &str, games: &FinishedGames) -> PlayerReport {
    let own: Vec<&FinishedGame> = games.values().filter(|game| game.player == name).collect();
    let records: Vec<GameRecord> = own.iter().map(|game| game.game).collect();
    let summary = Summary::of(&records);
    let seconds: f64 = own.iter().map(|game| game.seconds).sum();
    let decision_us_mean = seconds * 1e6 / summary.pieces.max(1) as f64;
    PlayerReport { name: name.to_owned(), summary, decision_us_mean }
}

/// For each player, the share of games with at most this many lines.
pub fn chart(compare: &CompareTetris, players: &[Contestant], games: &FinishedGames) -> Chart {
    let curve = |player: &Contestant| {
        let own = games.values().filter(|game| game.player == player.name());
        let mut lines: Vec<u32> = own.map(|game| game.game.lines).collect();
        lines.sort_unstable();
        let share = |games: usize| 100.0 * games as f64 / lines.len() as f64;
        // Two points per game make a step.
        let step = |(index, &lines): (usize, &u32)| {
            [(f64::from(lines), share(index)), (f64::from(lines), share(index + 1))]
        };
        Curve { name: player.name().to_owned(), points: lines.iter().enumerate().flat_map(step).collect() }
    };
    Chart {
        title: format!("Tetris, {} games each, seed {}", compare.games, compare.seed),
        x: "lines".to_owned(),
        y: "% of games with at most this many".to_owned(),
        curves: players.iter().map(curve).collect(),
    }
}

pub fn text(report: &Report) -> String {
    let mut rows = table::table(&[
        "player",
        "games",
        "lines",
        "± σ",
        "points",
        "± σ",
        "max-outs",
        "lines to it",
        "tetrises",
        "deaths",
        "µs",
    ]);
    for PlayerReport { name, summary, decision_us_mean } in &report.players {
        rows.add_row([
            name.clone(),
            summary.games.to_string(),
            format!("{:.1} ± {:.1}", summary.lines_mean, summary.lines_ci95),
            format!("{:.1}", summary.lines_sd),
            format!("{:.0} ± {:.0}", summary.score_mean, summary.score_ci95),
            format!("{:.0}", summary.score_sd),
            summary.max_outs.to_string(),
            summary.lines_to_max_out_mean.map_or_else(|| "–".to_owned(), |lines| format!("{lines:.1}")),
            format!("{:.0} %", 100.0 * summary.tetris_share),
            summary.deaths.to_string(),
            format!("{decision_us_mean:.0}"),
        ]);
    }
    format!(
        "{}\n± after a mean: 95 % confidence interval; σ: standard deviation of games",
        table::figures(rows)
    )
}
