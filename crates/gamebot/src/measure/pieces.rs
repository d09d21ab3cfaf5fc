//! `gamebot measure pieces`: which pieces the console deals, seen while playing (G21).
//!
//! The model takes every phase of the divider as equally likely when a piece is drawn. That holds for
//! people; a player as regular as a clock comes back to the same phases, and over many thousand pieces
//! the test notices. So this one dawdles a little, at random.

use std::fmt::Write;
use std::path::PathBuf;

use clap::Args;
use engine::Limits;
use runs::Request;
use runs::settings::TetrisSettings;
use serde::Serialize;
use tetris::Piece;
use tetris::gameboy::{Dealer, DivSource};

use super::chi_square::{ChiSquare, chi_square};
use crate::ending::{Ending, UsageError};
use crate::output::Output;
use crate::play::tetris::alone::play_games;
use crate::plot::{PlotFile, Share, Shares};
use crate::settings::ConfigurationFlags;
use crate::table;

const EXAMPLES: &str = "\
Examples:
  gamebot measure pieces --count 18000                   the table, compared with the exact model
  gamebot measure pieces --plot pieces.svg               with a picture
  gamebot measure pieces --rom my-cartridge.gb --json    another cartridge, for another program";

/// Measure how often each piece comes, alone and after the two before it, by playing.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct MeasurePieces {
    /// How many pieces.
    #[arg(long, default_value_t = 18_000, value_parser = clap::value_parser!(u32).range(100..))]
    count: u32,

    /// A cartridge image of your own, instead of the embedded one.
    #[arg(long, value_name = "FILE")]
    rom: Option<PathBuf>,

    /// Decides how long the title screen is left alone, and with it which pieces come.
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Draw the shares into this file (.svg or .png); may be repeated.
    #[arg(long, value_name = "FILE")]
    plot: Vec<PlotFile>,

    /// Print one JSON document instead of text.
    #[arg(long)]
    json: bool,
}

/// Display periods of random waiting before each piece: in as many the divider passes half of its round.
const DAWDLE: u32 = 7;

type Counts = [u32; Piece::COUNT];
type ModelShares = [f64; Piece::COUNT];

/// What is printed.
#[derive(Debug, Serialize)]
struct Report {
    seed: u64,
    count: u32,
    games: usize,
    pieces: Vec<PieceReport>,
    /// Pieces equal to the one before, and to the two before.
    same_as_last: f64,
    three_in_a_row: f64,
    after_two: Vec<AfterTwo>,
    chi_square: ChiSquare,
}

#[derive(Debug, Serialize)]
struct PieceReport {
    piece: char,
    count: u32,
    share: f64,
    model_share: f64,
}

/// Counts after two pieces, the earlier first, in the order L J I O Z S T.
#[derive(Debug, Serialize)]
struct AfterTwo {
    before: String,
    counts: Counts,
    model: ModelShares,
}

/// Runs the verb.
pub fn run(measure: &MeasurePieces, flags: &ConfigurationFlags, out: &mut Output) -> anyhow::Result<Ending> {
    let mut values = flags.load()?;
    // The fastest game there is, never the end of trying, and no rhythm.
    let fastest = |tetris: &mut TetrisSettings| {
        (tetris.level, tetris.heart, tetris.stop_at_max_out) = (9, true, false);
        tetris.dawdle_periods = DAWDLE;
        if let Some(rom) = &measure.rom {
            tetris.rom = rom.display().to_string();
        }
    };
    values.update(fastest).map_err(UsageError::from)?;
    let request = Request {
        values,
        seed: measure.seed,
        speed: runs::Speed::Max,
        limits: Limits::default(),
        record: None,
        live: None,
        cancel: crate::interrupt::on_interrupt()?,
    };
    let played = play_games(request, Some(measure.count as usize), None)?;
    if let engine::RunEnding::GaveUp { reason } = played.ending {
        anyhow::bail!("the run was given up: {reason}");
    }
    let sequences: Vec<_> = played.games.iter().map(|game| game.pieces.as_slice()).collect();
    let report = report(measure.seed, &sequences);
    let bar = |p: &PieceReport| Share { name: p.piece.to_string(), measured: p.share, model: p.model_share };
    let picture = Shares {
        title: format!("{} pieces of the Game Boy", report.count),
        bars: report.pieces.iter().map(bar).collect(),
    };
    measure.plot.iter().try_for_each(|file| file.draw(&picture))?;
    if measure.json {
        out.json(&report)?;
    } else {
        std::io::Write::write_all(out, text(&report).as_bytes())?;
    }
    Ok(if report.count < measure.count { Ending::Interrupted } else { Ending::Success })
}

fn report(seed: u64, sequences: &[&[Piece]]) -> Report {
    let mut counts: Counts = [0; 7];
    let mut after: [[Counts; 7]; 7] = [[[0; 7]; 7]; 7];
    let (mut pairs, mut same, mut triples) = (0u32, 0u32, 0u32);
    for sequence in sequences {
        for piece in *sequence {
            counts[piece.index()] += 1;
        }
        for window in sequence.windows(3) {
            after[window[0].index()][window[1].index()][window[2].index()] += 1;
            pairs += 1;
            same += u32::from(window[1] == window[2]);
            triples += u32::from(window[0] == window[1] && window[1] == window[2]);
        }
    }
    let model = model();
    let long_run = long_run_shares(&model);
    let total: u32 = counts.iter().sum();
    let share = |count: u32| f64::from(count) / f64::from(total.max(1));
    let groups = after.iter().flatten().zip(model.iter().flatten());
    let after_two =
        Piece::ALL.into_iter().flat_map(|first| Piece::ALL.into_iter().map(move |second| (first, second)));
    Report {
        seed,
        count: total,
        games: sequences.len(),
        pieces: Piece::ALL
            .into_iter()
            .map(|piece| PieceReport {
                piece: piece.letter(),
                count: counts[piece.index()],
                share: share(counts[piece.index()]),
                model_share: long_run[piece.index()],
            })
            .collect(),
        same_as_last: f64::from(same) / f64::from(pairs.max(1)),
        three_in_a_row: f64::from(triples) / f64::from(pairs.max(1)),
        after_two: after_two
            .map(|(first, second)| AfterTwo {
                before: [first.letter(), second.letter()].iter().collect(),
                counts: after[first.index()][second.index()],
                model: model[first.index()][second.index()],
            })
            .collect(),
        chi_square: chi_square(groups),
    }
}

/// Probability of each piece after two others, over every phase of the divider at the first read.
fn model() -> [[ModelShares; 7]; 7] {
    let mut model = [[[0.0; 7]; 7]; 7];
    for before in Piece::ALL {
        for last in Piece::ALL {
            let shares = &mut model[before.index()][last.index()];
            for clock in 0..PHASES {
                shares[Phase(clock).deal(before, last).index()] += 1.0 / f64::from(PHASES);
            }
        }
    }
    model
}

/// The divider counts every 64 machine cycles to 256.
const CYCLES_PER_COUNT: u32 = 64;
const PHASES: u32 = 256 * CYCLES_PER_COUNT;

struct Phase(u32);

impl DivSource for Phase {
    fn first(&mut self) -> u8 {
        (self.0 / CYCLES_PER_COUNT) as u8
    }

    fn again(&mut self, cycles: u32) -> u8 {
        self.0 = (self.0 + cycles) % PHASES;
        self.first()
    }
}

/// The shares of pieces in the long run: the chain of pairs, followed until it stands.
fn long_run_shares(model: &[[ModelShares; 7]; 7]) -> ModelShares {
    let mut pairs = [[1.0 / 49.0; 7]; 7];
    for _ in 0..200 {
        let mut next = [[0.0; 7]; 7];
        for before in 0..7 {
            for last in 0..7 {
                for piece in 0..7 {
                    next[last][piece] += pairs[before][last] * model[before][last][piece];
                }
            }
        }
        pairs = next;
    }
    std::array::from_fn(|piece| pairs.iter().map(|row| row[piece]).sum())
}

fn text(report: &Report) -> String {
    let mut rows = table::table(&["piece", "count", "share", "model"]);
    for piece in &report.pieces {
        rows.add_row([
            piece.piece.to_string(),
            piece.count.to_string(),
            format!("{:.2} %", 100.0 * piece.share),
            format!("{:.2} %", 100.0 * piece.model_share),
        ]);
    }
    let mut after = table::table(&["after", "L", "J", "I", "O", "Z", "S", "T"]);
    for row in &report.after_two {
        let total = f64::from(row.counts.iter().sum::<u32>().max(1));
        let mut cells = vec![row.before.clone()];
        cells.extend(row.counts.iter().zip(row.model).map(|(count, model)| {
            format!("{:.0} ({:.0})", 100.0 * f64::from(*count) / total, 100.0 * model)
        }));
        after.add_row(cells);
    }
    let mut text = format!("{}\n", table::figures(rows));
    let ChiSquare { statistic, degrees_of_freedom, p_value } = report.chi_square;
    // Writing to a String cannot fail.
    let _ = writeln!(
        text,
        "{} pieces in {} games; the same as the last {:.2} %, three in a row {:.2} %\n\n\
         After two pieces, the earlier first: measured percent (model)\n{}\n\
         chi-square {statistic:.1} with {degrees_of_freedom} degrees of freedom, p = {p_value:.2e}",
        report.count,
        report.games,
        100.0 * report.same_as_last,
        100.0 * report.three_in_a_row,
        table::figures(after),
    );
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_model_gives_the_known_shares() {
        let shares = long_run_shares(&model());
        // The facts of the cartridge, with the time that rejected draws take.
        for (share, known) in shares.into_iter().zip([10.93, 13.76, 13.88, 16.24, 13.65, 15.64, 15.89]) {
            assert!((100.0 * share - known).abs() < 0.02, "{share} {known}");
        }
    }

    #[test]
    fn sequences_are_counted_within_games() {
        use Piece::{I, L, T};
        let report = report(1, &[&[L, L, T, I], &[I, I, I]]);
        assert_eq!(report.count, 7);
        assert_eq!(report.after_two.iter().map(|row| row.counts.iter().sum::<u32>()).sum::<u32>(), 3);
        assert!((report.three_in_a_row - 1.0 / 3.0).abs() < 1e-9);
    }
}
