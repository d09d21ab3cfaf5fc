//! `cargo xtask fuzz`: everything that strangers may send, with inputs mutated at random; by cargo-fuzz where a nightly
//! compiler is found, which steers by coverage.

use std::process::Command;

use anyhow::Context;
use clap::Args;

use crate::run;

/// Which targets, and for how long.
#[derive(Debug, Args)]
pub struct Fuzz {
    /// Seconds for each target.
    #[arg(long, default_value_t = 10, conflicts_with = "inputs")]
    seconds: u64,
    /// Inputs of all targets together instead; each target gets the same time.
    #[arg(long, conflicts_with = "coverage")]
    inputs: Option<u64>,
    /// This target only.
    #[arg(long)]
    target: Option<String>,
    /// Random seed of the mutated inputs.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Print the targets and end.
    #[arg(long)]
    list: bool,
    /// Let cargo-fuzz go on afterwards, as long again; it needs a nightly compiler and `cargo install cargo-fuzz`.
    #[arg(long)]
    coverage: bool,
}

/// Runs the targets; fails at the first input that breaks one.
pub fn fuzz(options: &Fuzz) -> anyhow::Result<()> {
    let (seconds, seed) = (options.seconds.to_string(), options.seed.to_string());
    let inputs = options.inputs.map(|inputs| inputs.to_string());
    let mut arguments = vec!["run", "--quiet", "--package", "fuzz", "--"];
    if options.list {
        arguments.push("--list");
    } else {
        match &inputs {
            Some(inputs) => arguments.extend(["--inputs", inputs]),
            None => arguments.extend(["--seconds", &seconds]),
        }
        arguments.extend(["--seed", &seed]);
    }
    if let Some(target) = &options.target {
        arguments.extend(["--target", target]);
    }
    run::run("cargo", &arguments)?;
    if options.list || !options.coverage {
        return Ok(());
    }
    let toolchains = run::capture("rustup", &["toolchain", "list"]).unwrap_or_default();
    if !toolchains.contains("nightly") || !run::exists("cargo-fuzz") {
        eprintln!("xtask: no coverage: it needs a nightly compiler and `cargo install cargo-fuzz`");
        return Ok(());
    }
    let listed = run::capture("cargo", &["run", "--quiet", "--package", "fuzz", "--", "--list"])?;
    let names = listed.lines().filter_map(|line| line.split_whitespace().next());
    for name in names.filter(|name| options.target.as_ref().is_none_or(|wanted| wanted == name)) {
        let corpus = std::path::absolute(format!("target/fuzz/corpus/{name}"))?;
        std::fs::create_dir_all(&corpus).with_context(|| format!("cannot create {}", corpus.display()))?;
        let seeds = std::path::absolute(format!("fuzz/corpus/{name}"))?;
        let mut command = Command::new("cargo");
        // Found inputs go to the first folder; the one in the repository is only read.
        command
            .args(["+nightly", "fuzz", "run", "--fuzz-dir", "fuzz/nightly", "strangers"])
            .arg(&corpus)
            .args(seeds.is_dir().then_some(&seeds))
            .args(["--", &format!("-max_total_time={seconds}"), "-print_final_stats=1", "-max_len=65536"])
            .env("TARGET", name);
        run::run_command(&mut command)?;
    }
    Ok(())
}
