//! Finds and loads the plug-ins in a folder.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tetris::evaluate::learned::{Tables, TablesError};

use crate::wasm::{WasmError, WasmEvaluator};

/// The plug-ins of a folder.
#[derive(Debug, Default)]
pub struct Found {
    /// WebAssembly evaluators, sorted by name.
    pub evaluators: Vec<WasmEvaluator>,
    /// Names and tables learned by `gamebot tune tetris --objective score`.
    pub learned: Vec<(String, Arc<Tables>)>,
    /// Names and commands of programs that speak TBP.
    pub programs: Vec<(String, Vec<String>)>,
    /// Files that could not be loaded, with the reason.
    pub broken: Vec<(PathBuf, FolderError)>,
}

impl Found {
    /// The names of all that could be loaded.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let evaluators = self.evaluators.iter().map(WasmEvaluator::name);
        let learned = self.learned.iter().map(|(name, _)| name.as_str());
        let programs = self.programs.iter().map(|(name, _)| name.as_str());
        evaluators.chain(learned).chain(programs)
    }
}

/// Why a file could not be loaded.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// It cannot be read.
    #[error("cannot be read: {0}")]
    Unreadable(#[from] std::io::Error),
    /// The WebAssembly module cannot be run.
    #[error(transparent)]
    Wasm(#[from] WasmError),
    /// The learned tables are malformed.
    #[error(transparent)]
    Tables(#[from] TablesError),
    /// A `.tbp` file names no program.
    #[error("the first line must name a program")]
    NoCommand,
}

/// Loads all plug-ins of a folder in order of their names; a missing folder counts as empty.
pub fn find(folder: &Path) -> Found {
    let mut found = Found::default();
    let mut paths: Vec<PathBuf> = fs::read_dir(folder)
        .map(|entries| entries.flatten().map(|entry| entry.path()).collect())
        .unwrap_or_default();
    paths.sort();
    for path in paths {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let extension = path.extension().unwrap_or_default().to_string_lossy().into_owned();
        let loaded = match extension.as_str() {
            "wasm" | "wat" => load_evaluator(&name, &path).map(|evaluator| found.evaluators.push(evaluator)),
            "values" => load_tables(&path).map(|tables| found.learned.push((name, Arc::new(tables)))),
            "tbp" => load_command(&path).map(|command| found.programs.push((name, command))),
            _ => continue,
        };
        if let Err(reason) = loaded {
            found.broken.push((path, reason));
        }
    }
    found
}

fn load_evaluator(name: &str, path: &Path) -> Result<WasmEvaluator, FolderError> {
    Ok(WasmEvaluator::new(name, &fs::read(path)?)?)
}

fn load_tables(path: &Path) -> Result<Tables, FolderError> {
    Ok(Tables::parse(&fs::read(path)?)?)
}

fn load_command(path: &Path) -> Result<Vec<String>, FolderError> {
    let text = fs::read_to_string(path)?;
    let command: Vec<String> =
        text.lines().next().unwrap_or_default().split_whitespace().map(str::to_owned).collect();
    if command.is_empty() { Err(FolderError::NoCommand) } else { Ok(command) }
}
