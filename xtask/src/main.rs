//! Automation: `cargo xtask check`, `test`, `bench`, `book`, `rom`, `lockstep`, `wasm`, `site`, `wheel`, `deps`.

#![allow(
    clippy::doc_markdown,
    reason = "doc comments of flags are printed as help, where backticks would be noise"
)]

mod bench;
mod book;
mod check;
mod deps;
mod install;
mod lockstep;
mod rom;
mod run;
mod site;
mod test;
mod wasm;
mod wheel;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Automation for this workspace.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask")]
struct Cli {
    #[command(subcommand)]
    task: Task,
}

#[derive(Debug, Subcommand)]
enum Task {
    /// Check format, lints, documentation and dependencies: all checks except the tests.
    Check,
    /// Install what the tests need and run them.
    Test {
        /// Arguments for cargo test, for example -p engine for one crate.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
    /// Measure and write a dated report under bench_runs/.
    Bench(bench::Bench),
    /// Solve the opening book of Connect Four; can be stopped and resumed.
    Book(book::Book),
    /// Build the Game Boy cartridge from rom/ with Debian's sdcc.
    Rom,
    /// Play the cartridge in lockstep with the rules, and broken cartridges for robustness.
    Lockstep(lockstep::Lockstep),
    /// Build the pages' WebAssembly module with Debian's rustc-web.
    Wasm,
    /// Write the pages that need no server into a folder for any static web host.
    Site {
        /// The folder.
        #[arg(default_value = "target/site")]
        folder: std::path::PathBuf,
    },
    /// Build the Python package and test it in a fresh virtual environment.
    Wheel(wheel::Wheel),
    /// Check the direction of dependencies between our crates.
    Deps,
}

fn main() -> ExitCode {
    match run_task(Cli::parse().task) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run_task(task: Task) -> anyhow::Result<()> {
    run::enter_workspace_root()?;
    match task {
        Task::Check => check::check(),
        Task::Test { arguments } => test::test(&arguments),
        Task::Bench(bench) => bench::bench(&bench),
        Task::Book(book) => book::book(&book),
        Task::Rom => rom::rom(),
        Task::Lockstep(lockstep) => lockstep::lockstep(&lockstep),
        Task::Wasm => wasm::wasm(),
        Task::Site { folder } => {
            let files = site::write("web".as_ref(), &folder)?;
            eprintln!("xtask: {files} files in {}; try: python3 -m http.server -d {0}", folder.display());
            Ok(())
        }
        Task::Wheel(wheel) => wheel::wheel(&wheel),
        Task::Deps => deps::check_direction(),
    }
}
