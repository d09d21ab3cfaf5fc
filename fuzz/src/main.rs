//! Runs every target on mutated inputs for some time and prints how many it survived. `cargo xtask fuzz` calls it.

#![allow(clippy::disallowed_methods, reason = "it runs for as long as a person asks, in wall time")]

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::Parser;
use fuzz::{Mutator, TARGETS, Target, corpus};

/// Try what strangers may send, with inputs that are mutated at random.
#[derive(Debug, Parser)]
struct Cli {
    /// Seconds for each target.
    #[arg(long, default_value_t = 10)]
    seconds: u64,
    /// This target only.
    #[arg(long)]
    target: Option<String>,
    /// Random seed; the same one gives the same inputs.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Print the targets and end.
    #[arg(long)]
    list: bool,
    /// Where an input that broke something is kept.
    #[arg(long, default_value = "target/fuzz")]
    found: PathBuf,
}

#[expect(clippy::print_stdout, reason = "the table is the program's answer")]
fn main() -> ExitCode {
    let cli = Cli::parse();
    let chosen: Vec<_> =
        TARGETS.iter().filter(|target| cli.target.as_ref().is_none_or(|name| name == target.name)).collect();
    if chosen.is_empty() {
        eprintln!("error: there is no such target; --list prints them");
        return ExitCode::from(2);
    }
    if cli.list {
        for target in chosen {
            println!("{:14} {}", target.name, target.what);
        }
        return ExitCode::SUCCESS;
    }
    println!("{:14} {:>12} {:>10}  what", "target", "inputs", "a second");
    let mut sum = 0;
    for target in chosen {
        let began = Instant::now();
        match stand(target, &cli, began + Duration::from_secs(cli.seconds)) {
            Ok(inputs) => {
                sum += inputs;
                let rate = inputs as f64 / began.elapsed().as_secs_f64();
                println!("{:14} {inputs:>12} {rate:>10.0}  {}", target.name, target.what);
            }
            Err(why) => {
                eprintln!("error: {}: {why}", target.name);
                return ExitCode::FAILURE;
            }
        }
    }
    println!("{:14} {sum:>12}", "together");
    ExitCode::SUCCESS
}

/// How many inputs the target survived until then; the first one that breaks it is kept in a file.
fn stand(target: &Target, cli: &Cli, until: Instant) -> Result<u64, String> {
    let corpus = corpus(target).map_err(|error| format!("its corpus cannot be read: {error}"))?;
    let seeds = corpus.clone();
    let mut mutator = Mutator::new(corpus, cli.seed);
    let mut inputs = 0;
    let mut next = seeds.into_iter();
    while Instant::now() < until {
        let input = next.next().unwrap_or_else(|| mutator.mutated());
        if catch_unwind(AssertUnwindSafe(|| (target.run)(&input))).is_err() {
            let file = cli.found.join(format!("{}-{}-{inputs}", target.name, cli.seed));
            std::fs::create_dir_all(&cli.found).map_err(|error| error.to_string())?;
            std::fs::write(&file, &input).map_err(|error| error.to_string())?;
            return Err(format!("input {inputs} broke it; it is kept in {}", file.display()));
        }
        inputs += 1;
    }
    Ok(inputs)
}
