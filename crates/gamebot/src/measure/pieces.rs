//! `gamebot measure pieces`: which pieces the console deals, seen while playing (G21).
//!
//! The model assumes that every phase of the divider is equally likely when a piece is drawn. A player as
//! regular as a clock keeps returning to the same phases, and over many thousand pieces the chi-square test
//! notices. So this player waits a little before each piece, at random.

use std::fmt::Write;
use std::path::PathBuf;

use clap::Args;
use runs::Request;
use runs::settings::TetrisSettings;
use runs::tetris::OnEmulator;
use serde::Serialize;
use tetris::Piece;
use tetris::gameboy::{ChiSquare, PieceCounts, PieceModel, PieceShares};

use crate::ending::{Ending, UsageError};
use crate::output::Output;
use crate::play::tetris::alone::play_games;
use crate::plot::{PlotFile, Share, Shares};
use crate::settings::ConfigurationFlags;
use crate::table;

const EXAMPLES: &str = "\
Examples:
  gamebot measure pieces --count 18000                   the table, beside the exact model
  gamebot measure pieces --plot pieces.svg               with a plot
  gamebot measure pieces --rom my-cartridge.gb --json    another cartridge, as JSON";

/// Measure how often each piece comes, overall and after the two before it, by playing.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct MeasurePieces {
    /// Number of pieces.
    #[arg(long, default_value_t = 18_000, value_parser = clap::value_parser!(u32).range(100..))]
    count: u32,

    /// Your own cartridge image instead of the built-in one.
    #[arg(long, value_name = "FILE")]
    rom: Option<PathBuf>,

    /// Random seed: sets how long the title screen is shown, and so which pieces come.
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Draw the shares to this file (.svg or .png); may be repeated.
    #[arg(long, value_name = "FILE")]
    plot: Vec<PlotFile>,

    /// Print one JSON document instead of text.
    #[arg(long)]
    json: bool,
}

/// Most display periods to wait before each piece: in this time the divider shifts by half of its period.
const DAWDLE: u32 = 7;

/// The printed result.
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
    counts: [u32; Piece::COUNT],
    model: PieceShares,
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
    let request =
        Request { cancel: crate::interrupt::on_interrupt()?, ..Request::unlimited(values, measure.seed) };
    let played = play_games::<OnEmulator>(request, Some(measure.count as usize), None)?;
    if let engine::RunEnding::GaveUp { reason } = played.ending {
        anyhow::bail!("the run was given up: {reason}");
    }
    let games: Vec<_> = played.games.iter().map(|game| game.pieces.as_slice()).collect();
    let report = report(measure.seed, &games);
    let bar = |p: &PieceReport| Share { name: p.piece.to_string(), measured: p.share, model: p.model_share };
    let picture = Shares {
        title: format!("{} pieces of the Game Boy", report.count),
        bars: report.pieces.iter().map(bar).collect(),
    };
    if measure.json {
        out.json(&report)?;
    } else {
        std::io::Write::write_all(out, text(&report).as_bytes())?;
    }
    std::io::Write::flush(out)?;
    measure.plot.iter().try_for_each(|file| file.draw(&picture))?;
    Ok(if report.count < measure.count { Ending::Interrupted } else { Ending::Success })
}

fn report(seed: u64, games: &[&[Piece]]) -> Report {
    let counts = PieceCounts::of(games.iter().copied());
    let model = PieceModel::exact();
    let total = counts.total();
    let piece_report = |piece: Piece| {
        let count = counts.pieces[piece.index()];
        PieceReport {
            piece: piece.letter(),
            count,
            share: f64::from(count) / f64::from(total.max(1)),
            model_share: model.long_run[piece.index()],
        }
    };
    let after_two = |first: Piece, second: Piece| AfterTwo {
        before: [first.letter(), second.letter()].iter().collect(),
        counts: counts.after_two[first.index()][second.index()],
        model: model.after_two[first.index()][second.index()],
    };
    Report {
        seed,
        count: total,
        games: games.len(),
        pieces: Piece::ALL.map(piece_report).into(),
        same_as_last: counts.same_as_last(),
        three_in_a_row: counts.three_in_a_row(),
        after_two: Piece::ALL.iter().flat_map(|&a| Piece::ALL.map(|b| after_two(a, b))).collect(),
        chi_square: counts.chi_square(&model),
    }
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
        "{} pieces in {} games; same as the last {:.2} %, three in a row {:.2} %\n\n\
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
