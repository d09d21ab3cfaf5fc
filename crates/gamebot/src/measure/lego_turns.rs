//! `gamebot measure lego-turns`: how long the LEGO robot's turns take, by how full the board is.

use std::io::Write;

use clap::Args;
use comfy_table::Cell;
use engine::notes::NoReader;
use runs::Request;
use runs::connect_four::SimulatedLego;
use serde::Serialize;

use crate::ending::Ending;
use crate::output::Output;
use crate::plot::{Chart, Curve, PlotFile};
use crate::settings::ConfigurationFlags;
use crate::{progress, table};

const EXAMPLES: &str = "\
Examples:
  gamebot measure lego-turns --games 20                  the table
  gamebot measure lego-turns --games 20 --plot turns.svg  with a picture
  gamebot measure lego-turns --set simulated_lego.misread=0.02 --set simulated_lego.jam=0.02 --json
                                                         with bad light and a rough slide, for another program";

/// The study's own figure: 20 to 45 s a turn, depending on how full the board is.
const STUDY: &str = "20–45";
/// Discs in one line of the table.
const STEP: usize = 6;

/// Measure how long the simulated LEGO robot's turns take, by how full the board is.
///
/// A turn lasts from the press of the force sensor until the robot has left the board, measured beside the table.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct MeasureLegoTurns {
    /// How many games.
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    games: u32,

    /// Random seed.
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Draw the turns into this file (.svg or .png); may be repeated.
    #[arg(long, value_name = "FILE")]
    plot: Vec<PlotFile>,

    /// Print one JSON document instead of text.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Serialize)]
struct Report {
    seed: u64,
    games: u32,
    wins: u32,
    draws: u32,
    losses: u32,
    wrong_beliefs: u32,
    turns: usize,
    mean_s: f64,
    longest_s: f64,
    rows: Vec<Row>,
}

#[derive(Debug, Serialize)]
struct Row {
    discs_from: usize,
    discs_to: usize,
    turns: usize,
    mean_s: f64,
    shortest_s: f64,
    longest_s: f64,
}

/// Runs the verb.
pub fn run(
    measure: &MeasureLegoTurns,
    flags: &ConfigurationFlags,
    out: &mut Output,
) -> anyhow::Result<Ending> {
    let request = Request {
        cancel: crate::interrupt::on_interrupt()?,
        ..Request::games(flags.load()?, measure.seed, measure.games)
    };
    let bar = progress::bar(u64::from(measure.games), "games");
    let played =
        runs::play::<SimulatedLego, _>(request, NoReader, |_, counts| bar.set_position(counts.games.into()))?;
    bar.finish_and_clear();
    let report = report(measure, &played.player, &played.witness);
    if measure.json {
        out.json(&report)?;
    } else {
        print(&report, out)?;
    }
    out.flush()?;
    for plot in &measure.plot {
        plot.draw(&chart(&report))?;
    }
    crate::play::finish(played.ending)
}

fn report(
    measure: &MeasureLegoTurns,
    player: &players::connect_four::ConnectFourPlayer,
    witness: &runs::connect_four::Witness,
) -> Report {
    use players::connect_four::GameEnd;

    let seen = witness.table.games();
    let count = |end: GameEnd| player.games().iter().filter(|game| game.end == end).count() as u32;
    let wrong = player.games().iter().zip(&seen).filter(|(believed, seen)| {
        let really: String = seen.columns.iter().map(|&column| char::from(b'1' + column as u8)).collect();
        believed.moves != really
    });
    let turns: Vec<(usize, f64)> =
        seen.iter().flat_map(|game| &game.turns).map(|turn| (turn.discs, turn.seconds)).collect();
    let rows = (0..42).step_by(STEP).filter_map(|from| {
        let inside = turns.iter().filter(|(discs, _)| (from..from + STEP).contains(discs));
        let times: Vec<f64> = inside.map(|(_, seconds)| *seconds).collect();
        (!times.is_empty()).then(|| Row {
            discs_from: from,
            discs_to: from + STEP - 1,
            turns: times.len(),
            mean_s: times.iter().sum::<f64>() / times.len() as f64,
            shortest_s: times.iter().copied().fold(f64::INFINITY, f64::min),
            longest_s: times.iter().copied().fold(0.0, f64::max),
        })
    });
    Report {
        seed: measure.seed,
        games: measure.games,
        wins: count(GameEnd::Win),
        draws: count(GameEnd::Draw),
        losses: count(GameEnd::Loss),
        wrong_beliefs: wrong.count() as u32,
        turns: turns.len(),
        mean_s: turns.iter().map(|(_, seconds)| seconds).sum::<f64>() / turns.len().max(1) as f64,
        longest_s: turns.iter().map(|(_, seconds)| *seconds).fold(0.0, f64::max),
        rows: rows.collect(),
    }
}

fn print(report: &Report, out: &mut Output) -> anyhow::Result<()> {
    let mut lines = table::table(&["discs", "turns", "shortest s", "mean s", "longest s", "study s"]);
    for row in &report.rows {
        lines.add_row([
            Cell::new(format!("{}–{}", row.discs_from, row.discs_to)),
            Cell::new(row.turns),
            Cell::new(format!("{:.1}", row.shortest_s)),
            Cell::new(format!("{:.1}", row.mean_s)),
            Cell::new(format!("{:.1}", row.longest_s)),
            Cell::new(STUDY),
        ]);
    }
    writeln!(out, "{}", table::figures(lines))?;
    writeln!(
        out,
        "games {}  won {}  drawn {}  lost {}  wrong beliefs {}  turns {}  mean {:.1} s  longest {:.1} s",
        report.games,
        report.wins,
        report.draws,
        report.losses,
        report.wrong_beliefs,
        report.turns,
        report.mean_s,
        report.longest_s
    )?;
    Ok(())
}

fn chart(report: &Report) -> Chart {
    let middle = |row: &Row| (row.discs_from + row.discs_to) as f64 / 2.0;
    let curve = |name: &str, value: fn(&Row) -> f64| Curve {
        name: name.to_owned(),
        points: report.rows.iter().map(|row| (middle(row), value(row))).collect(),
    };
    Chart {
        title: "A turn of the LEGO robot".to_owned(),
        x: "discs on the board".to_owned(),
        y: "seconds".to_owned(),
        curves: vec![curve("longest", |row| row.longest_s), curve("mean", |row| row.mean_s)],
    }
}
