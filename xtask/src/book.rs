//! `cargo xtask book`: solves the opening book of Connect Four and writes it.

use clap::Args;

use crate::run;

const CHECKPOINT: &str = "target/connect-four-book.checkpoint";

/// Solve the opening book of Connect Four; can be stopped and resumed.
#[derive(Args, Debug)]
pub struct Book {
    /// Solve every position up to this ply; 0 for the lines only.
    #[arg(long, default_value_t = 8)]
    full: u32,

    /// Follow the lines in which the machine plays perfectly up to this ply.
    #[arg(long, default_value_t = 14)]
    lines: u32,

    /// Number of threads.
    #[arg(long, default_value_t = 2)]
    threads: u32,
}

/// Solves what the checkpoint does not have yet, then writes the book.
pub fn book(book: &Book) -> anyhow::Result<()> {
    let (full, lines, threads) = (book.full.to_string(), book.lines.to_string(), book.threads.to_string());
    // Step by step, so that an interruption leaves complete plies.
    for last in (6..book.lines).step_by(2).chain([book.lines]) {
        generate(&["lines", "--last", &last.to_string()])?;
    }
    if book.full > 0 {
        generate(&["full", "--last", &full, "--threads", &threads])?;
    }
    generate(&["write", "--last", &full, "--lines", &lines])
}

fn generate(arguments: &[&str]) -> anyhow::Result<()> {
    let cargo =
        ["run", "--quiet", "--release", "--package", "connect-four", "--example", "generate_book", "--"];
    run::run("cargo", &[cargo.as_slice(), arguments, &["--checkpoint", CHECKPOINT]].concat())
}
