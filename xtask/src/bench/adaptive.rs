//! How often simulated visitors of ten strengths win against ADAPTIVE (X4), with a plot.

use std::fmt::Write;
use std::fs;

use anyhow::{Context, ensure};
use clap::Args;
use serde_json::Value;

use super::{Report, measure};

/// The share of the points that each strength must get after its third game.
const GOAL: std::ops::RangeInclusive<f64> = 0.4..=0.6;
/// Okabe and Ito's colours, from weak to strong; told apart by nearly everyone.
const COLOURS: [&str; 10] = [
    "#56b4e9", "#0072b2", "#009e73", "#66a61e", "#f0e442", "#e69f00", "#d55e00", "#cc79a7", "#7570b3",
    "#000000",
];

/// Visitors against ADAPTIVE.
#[derive(Args, Debug)]
pub struct Options {
    /// Visitors over all strengths.
    #[arg(long, default_value_t = 1000)]
    visitors: u32,
    /// Games of each visitor.
    #[arg(long, default_value_t = 13, value_parser = clap::value_parser!(u32).range(4..))]
    games: u32,
    /// Threads that play.
    #[arg(long, default_value_t = 2)]
    threads: u32,
}

/// Measures and reports.
pub fn bench(options: &Options) -> anyhow::Result<()> {
    let mut report = Report::begin("adaptive")?;
    let arguments = [options.visitors, options.games, options.threads].map(|number| number.to_string());
    let [visitors, games, threads] = arguments.each_ref().map(String::as_str);
    let arguments = ["--visitors", visitors, "--games", games, "--threads", threads];
    let figures = measure("connect-four", "adaptive", &arguments)?;
    let strengths = figures["strengths"].as_array().context("the measuring program reports strengths")?;
    report.line(&format!(
        "{} simulated visitors, {} games each, colours exchanged from game to game. Shares of the points (a draw is half a \
         win) after the third game; goal 40 to 60 % for each strength.\n",
        figures["visitors"], figures["games"]
    ));
    report.line("| visitor | share | visitors within 40–60 % | least, most | draws | discs a game |");
    report.line("|---|---|---|---|---|---|");
    let percent = |strength: &Value, name: &str| 100.0 * strength[name].as_f64().unwrap_or(f64::NAN);
    for strength in strengths {
        report.line(&format!(
            "| {} | {:.1} % | {:.0} % | {:.0} %, {:.0} % | {:.1} % | {:.1} |",
            strength["strength"].as_str().unwrap_or_default(),
            percent(strength, "share"),
            percent(strength, "within"),
            percent(strength, "least"),
            percent(strength, "most"),
            percent(strength, "draws"),
            strength["discs"].as_f64().unwrap_or(f64::NAN),
        ));
    }
    let date = jiff::Timestamp::now().strftime("%Y-%m-%d").to_string();
    let picture = format!("{date}-adaptive.svg");
    report.line(&format!("\n![share of the points by game]({picture})"));
    fs::create_dir_all("bench_runs")?;
    fs::write(format!("bench_runs/{picture}"), plot(strengths))?;
    report.write()?;
    let missed: Vec<_> = strengths
        .iter()
        .filter(|strength| !strength["share"].as_f64().is_some_and(|share| GOAL.contains(&share)))
        .map(|strength| strength["strength"].to_string())
        .collect();
    ensure!(missed.is_empty(), "outside of 40 to 60 %: {}", missed.join(", "));
    Ok(())
}

/// The share of the points of each strength, game by game.
fn plot(strengths: &[Value]) -> String {
    const WIDTH: f64 = 860.0;
    const HEIGHT: f64 = 440.0;
    let (left, right, top, bottom) = (56.0, WIDTH - 190.0, 40.0, HEIGHT - 46.0);
    let series = |strength: &Value| -> Vec<f64> {
        strength["by_game"].as_array().into_iter().flatten().filter_map(Value::as_f64).collect()
    };
    let games = strengths.first().map_or(0, |strength| series(strength).len()).max(2);
    let x = |game: usize| left + (right - left) * game as f64 / (games - 1) as f64;
    let y = |share: f64| bottom - (bottom - top) * share;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" font-size=\"13\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <text x=\"{left}\" y=\"22\" font-size=\"15\">Visitors against ADAPTIVE: share of the points, game by game</text>\n\
         <rect x=\"{left}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"#e8f3ec\"/>\n",
        y(0.6),
        right - left,
        y(0.4) - y(0.6)
    );
    // Writing to a String cannot fail.
    for share in [0.0, 0.2, 0.4, 0.5, 0.6, 0.8, 1.0] {
        let _ = writeln!(
            svg,
            "<line x1=\"{left}\" x2=\"{right}\" y1=\"{0:.1}\" y2=\"{0:.1}\" stroke=\"#ddd\"/><text x=\"{1}\" y=\"{2:.1}\" text-anchor=\"end\">{3:.0} %</text>",
            y(share),
            left - 8.0,
            y(share) + 4.0,
            100.0 * share
        );
    }
    for game in 0..games {
        let _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
            x(game),
            bottom + 20.0,
            game + 1
        );
    }
    let _ = writeln!(svg, "<text x=\"{left}\" y=\"{}\">game</text>", HEIGHT - 8.0);
    for (place, strength) in strengths.iter().enumerate() {
        let colour = COLOURS[place % COLOURS.len()];
        let points: Vec<String> = series(strength)
            .iter()
            .enumerate()
            .map(|(game, share)| format!("{:.1},{:.1}", x(game), y(*share)))
            .collect();
        let at = top + 10.0 + 22.0 * place as f64;
        let _ = writeln!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>\
             <line x1=\"{}\" x2=\"{}\" y1=\"{at}\" y2=\"{at}\" stroke=\"{colour}\" stroke-width=\"4\"/>\
             <text x=\"{}\" y=\"{}\">{}</text>",
            points.join(" "),
            right + 14.0,
            right + 36.0,
            right + 44.0,
            at + 4.0,
            strength["strength"].as_str().unwrap_or_default()
        );
    }
    svg.push_str("</svg>\n");
    svg
}
