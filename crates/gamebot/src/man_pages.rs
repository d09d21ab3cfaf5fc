//! `gamebot man-pages`: manual pages from the same descriptions as `--help`, for packages.

use std::path::PathBuf;

use anyhow::Context;
use clap::{Args, CommandFactory};

use crate::cli::Cli;
use crate::ending::Ending;

/// Write a manual page for every command.
#[derive(Args, Debug)]
pub struct ManPages {
    /// The folder.
    folder: PathBuf,
}

/// Runs the verb.
pub fn run(pages: &ManPages) -> anyhow::Result<Ending> {
    clap_mangen::generate_to(Cli::command(), &pages.folder)
        .with_context(|| format!("cannot write into {}", pages.folder.display()))?;
    Ok(Ending::Success)
}
