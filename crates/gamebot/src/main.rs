//! The command line: the only place that names concrete combinations of
//! games, bodies and players.

#![allow(
    clippy::doc_markdown,
    reason = "doc comments of flags are printed as help, where backticks would be noise"
)]

mod arcade;
mod calibrate;
mod cli;
mod compare;
mod completions;
mod config;
mod ending;
mod flags;
mod inspect;
mod interrupt;
mod jobs;
mod log;
mod man_pages;
mod measure;
mod output;
mod play;
mod plot;
mod progress;
mod replay;
mod see;
mod settings;
mod simulate;
mod solve;
mod table;
mod tbp;
mod tune;

use std::io::Write;
use std::process::ExitCode;

use cli::{Cli, Verb};
use ending::Ending;

fn main() -> ExitCode {
    let cli = cli::read();
    log::start(cli.log_level());
    let mut out = output::stdout();
    let result = run(&cli, &mut out).and_then(|ending| {
        out.flush()?;
        Ok(ending)
    });
    ending::exit_code(result)
}

/// Calls the verb. Data goes to `out`, everything else to the log.
fn run(cli: &Cli, out: &mut output::Output) -> anyhow::Result<Ending> {
    match &cli.verb {
        Verb::Arcade(arcade) => arcade::run(arcade, &cli.configuration, out),
        Verb::Play(play) => play::run(play, &cli.configuration, out),
        Verb::Solve(solve) => solve::run(solve, out),
        Verb::See(see) => see::run(see, out),
        Verb::Compare(compare) => compare::run(compare, out),
        Verb::Calibrate(calibrate) => calibrate::run(calibrate, out),
        Verb::Measure(measure) => measure::run(measure, &cli.configuration, out),
        Verb::Tune(tune) => tune::run(tune, out),
        Verb::Tbp => tbp::run(out),
        Verb::Replay(replay) => replay::run(replay, out),
        Verb::Inspect(inspect) => inspect::run(inspect, out),
        Verb::Simulate(simulate) => simulate::run(simulate, &cli.configuration, out),
        Verb::Config(config) => config::run(config, &cli.configuration, out),
        Verb::Completions(completions) => completions::run(completions, out),
        Verb::ManPages(pages) => man_pages::run(pages),
    }
}
