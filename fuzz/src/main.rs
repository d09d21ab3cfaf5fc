//! Runs every target on mutated inputs, for some time or until there were enough of them, and prints how many each
//! survived. `cargo xtask fuzz` calls it.

#![allow(clippy::disallowed_methods, reason = "it runs for as long as a person asks, in wall time")]

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::Parser;
use fuzz::{Mutator, TARGETS, Target, corpus};

/// How long a target has its turn when inputs are counted.
const SLICE: Duration = Duration::from_secs(1);

/// Try what strangers may send, with inputs that are mutated at random.
#[derive(Debug, Parser)]
struct Cli {
    /// Seconds for each target.
    #[arg(long, default_value_t = 10, conflicts_with = "inputs")]
    seconds: u64,
    /// Inputs of all targets together instead; each target gets the same time.
    #[arg(long)]
    inputs: Option<u64>,
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
    let bouts: Result<Vec<_>, _> = chosen.into_iter().map(|target| Bout::new(target, cli.seed)).collect();
    match bouts.and_then(|bouts| survive(bouts, &cli)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("error: {why}");
            ExitCode::FAILURE
        }
    }
}

/// Runs all targets and prints how many inputs each survived.
#[expect(clippy::print_stdout, reason = "the table is the program's answer")]
fn survive(mut bouts: Vec<Bout>, cli: &Cli) -> Result<(), String> {
    let sum = |bouts: &[Bout]| bouts.iter().map(|bout| bout.inputs).sum::<u64>();
    println!("{:14} {:>12} {:>10}  what", "target", "inputs", "a second");
    if let Some(inputs) = cli.inputs {
        while sum(&bouts) < inputs {
            bouts.iter_mut().try_for_each(|bout| bout.go_on(SLICE, &cli.found))?;
        }
        for bout in &bouts {
            println!("{bout}");
        }
    } else {
        for bout in &mut bouts {
            bout.go_on(Duration::from_secs(cli.seconds), &cli.found)?;
            println!("{bout}");
        }
    }
    println!("{:14} {:>12}", "together", sum(&bouts));
    Ok(())
}

/// A target and the inputs that it has not seen yet.
struct Bout {
    target: &'static Target,
    corpus: std::vec::IntoIter<Vec<u8>>,
    mutator: Mutator,
    seed: u64,
    inputs: u64,
    spent: Duration,
}

impl Bout {
    fn new(target: &'static Target, seed: u64) -> Result<Self, String> {
        let corpus =
            corpus(target).map_err(|error| format!("{}: its corpus cannot be read: {error}", target.name))?;
        let mutator = Mutator::new(corpus.clone(), seed);
        Ok(Self { target, corpus: corpus.into_iter(), mutator, seed, inputs: 0, spent: Duration::ZERO })
    }

    /// Survives inputs for so long; the first one that breaks the target is kept in a file.
    fn go_on(&mut self, time: Duration, found: &Path) -> Result<(), String> {
        let began = Instant::now();
        while began.elapsed() < time {
            let input = self.corpus.next().unwrap_or_else(|| self.mutator.mutated());
            if catch_unwind(AssertUnwindSafe(|| (self.target.run)(&input))).is_err() {
                return Err(self.keep(&input, found));
            }
            self.inputs += 1;
        }
        self.spent += began.elapsed();
        Ok(())
    }

    /// Writes down what broke the target, and says so.
    fn keep(&self, input: &[u8], found: &Path) -> String {
        let name = self.target.name;
        let file = found.join(format!("{name}-{}-{}", self.seed, self.inputs));
        match std::fs::create_dir_all(found).and_then(|()| std::fs::write(&file, input)) {
            Ok(()) => format!("{name}: input {} broke it; it is kept in {}", self.inputs, file.display()),
            Err(error) => format!("{name}: input {} broke it and cannot be kept: {error}", self.inputs),
        }
    }
}

impl std::fmt::Display for Bout {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { target, inputs, spent, .. } = self;
        let rate = *inputs as f64 / spent.as_secs_f64();
        write!(f, "{:14} {inputs:>12} {rate:>10.0}  {}", target.name, target.what)
    }
}
