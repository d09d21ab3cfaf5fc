//! Automation: `cargo xtask check`, `test`, `bench`, `book`, `fuzz`, `rom`, `lockstep`, `wasm`, `site`, `docs`, `targets`, `dist`, `wheel`,
//! `licences`, `deps`.

#![allow(
    clippy::doc_markdown,
    reason = "doc comments of flags are printed as help, where backticks would be noise"
)]

mod advisories;
mod bench;
mod book;
mod check;
mod deps;
mod dist;
mod docs;
mod fuzz;
mod install;
mod licences;
mod lockstep;
mod rom;
mod run;
mod site;
mod targets;
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
    /// Try everything that strangers may send, with inputs mutated at random, and print how many each way in survived.
    Fuzz(fuzz::Fuzz),
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
    /// Write the manual, which the arcade serves at /docs, into a folder for any static web host.
    Docs {
        /// The folder.
        #[arg(default_value = "target/docs")]
        folder: std::path::PathBuf,
    },
    /// Build the Python package and test it in a fresh virtual environment.
    Wheel(wheel::Wheel),
    /// Compile for other systems, and with the oldest Rust that is promised, as far as they are installed.
    Targets,
    /// Make a Debian package and an archive of the release, with sums.
    Dist(dist::Dist),
    /// Write the list of crates with their licences that the arcade shows at /about.
    Licences,
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
        Task::Fuzz(options) => fuzz::fuzz(&options),
        Task::Rom => rom::rom(),
        Task::Lockstep(lockstep) => lockstep::lockstep(&lockstep),
        Task::Wasm => wasm::wasm(),
        Task::Site { folder } => {
            let files = site::write("web".as_ref(), &folder)?;
            eprintln!("xtask: {files} files in {}; try: python3 -m http.server -d {0}", folder.display());
            Ok(())
        }
        Task::Docs { folder } => {
            let files = docs::write("web".as_ref(), &folder)?;
            eprintln!("xtask: {files} files in {}; try: python3 -m http.server -d {0}", folder.display());
            Ok(())
        }
        Task::Wheel(wheel) => wheel::wheel(&wheel),
        Task::Targets => targets::check(),
        Task::Dist(options) => dist::dist(&options),
        Task::Licences => licences::licences(),
        Task::Deps => deps::check_direction(),
    }
}
