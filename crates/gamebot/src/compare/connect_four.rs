//! `gamebot compare connect-four`: a round robin between levels, as a cross table.

use std::io::Write;

use budget::Budget;
use clap::Args;
use connect_four::arena::{self, Contestant, Game, Seat};
use connect_four::{MachineSettings, Player};
use engine::Cancel;
use indicatif::ProgressBar;
use serde::Serialize;

use crate::ending::Ending;
use crate::output::Output;
use crate::table;

const EXAMPLES: &str = "\
Examples:
  gamebot compare connect-four --players easy,medium,hard,perfect --games 200 --seed 1
  gamebot compare connect-four --players adaptive,random,depth-2,depth-4,depth-6-slips --games 200

Players: easy, medium, hard, perfect, adaptive, lego, random, and the simulated visitors
depth-2, depth-4 and depth-6-slips.";

/// Play a round robin; each player goes first in half of the games.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct CompareConnectFour {
    /// Players, separated by commas.
    #[arg(long, value_delimiter = ',', default_value = "easy,medium,hard,perfect")]
    players: Vec<Contestant>,

    /// Games per pair; in half of them, rounded up, the row's player goes first.
    #[arg(long, default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..))]
    games: u32,

    /// Random seed; the same seed gives the same games.
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Print one JSON document instead of text.
    #[arg(long)]
    json: bool,
}

/// Results in one seat.
#[derive(Clone, Copy, Debug, Default, Serialize)]
struct Tally {
    wins: u32,
    draws: u32,
    losses: u32,
}

/// Results of a pair, from the view of the row's player.
#[derive(Clone, Copy, Debug, Default, Serialize)]
struct Pair {
    first: Tally,
    second: Tally,
    /// Share of the points: 1 for a win, ½ for a draw.
    points: f64,
    /// Half the width of the 95 % confidence interval of the share.
    points_ci95: f64,
    /// Games in which a player with exact scores ended with less than it could have forced.
    thrown_away: u32,
}

#[derive(Debug, Serialize)]
struct Report {
    seed: u64,
    games: u32,
    players: Vec<String>,
    /// By row and column; `None` for a player against itself, and for pairs that were not played any more.
    results: Vec<Vec<Option<Pair>>>,
}

/// Runs the verb.
pub fn run(compare: &CompareConnectFour, out: &mut Output) -> anyhow::Result<Ending> {
    let cancel = crate::interrupt::on_interrupt()?;
    let count = compare.players.len();
    let pairs = (count * count.saturating_sub(1) / 2) as u64;
    let progress = crate::progress::bar(pairs * u64::from(compare.games), "games");
    let mut results = vec![vec![None; count]; count];
    for row in 0..count {
        for column in row + 1..count {
            let (one, other) =
                pair(compare, compare.players[row], compare.players[column], &cancel, &progress)?;
            results[row][column] = one;
            results[column][row] = other;
        }
    }
    progress.finish_and_clear();
    let players = compare.players.iter().map(Contestant::to_string).collect();
    let report = Report { seed: compare.seed, games: compare.games, players, results };
    if compare.json {
        out.json(&report)?;
    } else {
        write!(out, "{}", cross_table(&report))?;
    }
    Ok(if cancel.is_cancelled() { Ending::Interrupted } else { Ending::Success })
}

/// Plays the games of a pair until the user interrupts; returns the results from both sides, if there are any.
fn pair(
    compare: &CompareConnectFour,
    one: Contestant,
    other: Contestant,
    cancel: &Cancel,
    progress: &ProgressBar,
) -> anyhow::Result<(Option<Pair>, Option<Pair>)> {
    if cancel.is_cancelled() {
        return Ok((None, None));
    }
    // The solvers of two seats together stay far below 200 MB.
    let settings = MachineSettings { table_bytes: 16 << 20, ..MachineSettings::default() };
    let mut seats = [Seat::new(one, settings), Seat::new(other, settings)];
    let (mut ours, mut theirs) = (Pair::default(), Pair::default());
    for game in 0..compare.games {
        let seed = compare.seed.wrapping_mul(1_000_003).wrapping_add(u64::from(game));
        let one_is_first = game % 2 == 0;
        let [a, b] = &mut seats;
        let (first, second) = if one_is_first { (a, b) } else { (b, a) };
        let stop = cancel.clone();
        let budget = Budget::until(move || stop.is_cancelled());
        let played = match arena::play(first, second, seed, &budget) {
            Ok(played) => played,
            Err(_) if cancel.is_cancelled() => break,
            Err(error) => return Err(error.into()),
        };
        progress.inc(1);
        let one_is = if one_is_first { Player::First } else { Player::Second };
        ours.add(&played, one_is);
        theirs.add(&played, one_is.other());
    }
    Ok((ours.finish(), theirs.finish()))
}

impl Pair {
    fn add(&mut self, game: &Game, me: Player) {
        let side = match me {
            Player::First => &mut self.first,
            Player::Second => &mut self.second,
        };
        let result = match game.winner {
            Some(winner) if winner == me => {
                side.wins += 1;
                1
            }
            Some(_) => {
                side.losses += 1;
                -1
            }
            None => {
                side.draws += 1;
                0
            }
        };
        let once_sure =
            game.scores.iter().filter(|(player, _)| *player == me).map(|(_, score)| score.signum()).max();
        self.thrown_away += u32::from(once_sure.is_some_and(|sure| result < sure));
    }

    /// Computes the share of the points and its interval, by normal approximation; none without a game.
    fn finish(mut self) -> Option<Self> {
        let sum = |field: fn(&Tally) -> u32| f64::from(field(&self.first) + field(&self.second));
        let (wins, draws, losses) = (sum(|t| t.wins), sum(|t| t.draws), sum(|t| t.losses));
        let games = wins + draws + losses;
        if games == 0.0 {
            return None;
        }
        self.points = (wins + draws / 2.0) / games;
        let variance = (wins + draws / 4.0) / games - self.points * self.points;
        self.points_ci95 = 1.96 * (variance.max(0.0) / games).sqrt();
        Some(self)
    }
}

fn cross_table(report: &Report) -> String {
    let header: Vec<&str> = std::iter::once("player (as first, as second: won-drawn-lost)")
        .chain(report.players.iter().map(String::as_str))
        .collect();
    let mut table = table::table(&header);
    for (name, row) in report.players.iter().zip(&report.results) {
        let cells = row.iter().map(|pair| match pair {
            None => String::from("–"),
            Some(pair) => format!(
                "{} {}\n{:.1} ± {:.1} %",
                tally(pair.first),
                tally(pair.second),
                100.0 * pair.points,
                100.0 * pair.points_ci95
            ),
        });
        table.add_row(std::iter::once(name.clone()).chain(cells));
    }
    format!("{}\n", table::figures(table))
}

fn tally(tally: Tally) -> String {
    format!("{}-{}-{}", tally.wins, tally.draws, tally.losses)
}
