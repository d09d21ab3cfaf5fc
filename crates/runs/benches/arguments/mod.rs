//! The arguments of a measuring program: `--name value` pairs, and settings separated by commas.

use std::str::FromStr;

use configuration::{Layers, Schema, Values};
use runs::RunError;

/// What the program was called with.
pub struct Arguments(Vec<String>);

impl Arguments {
    pub fn read() -> Self {
        Self(std::env::args().skip(1).collect())
    }

    /// Whether a flag is there.
    #[allow(dead_code, reason = "not every program has flags")]
    pub fn has(&self, flag: &str) -> bool {
        self.0.iter().any(|argument| argument == flag)
    }

    /// The value behind a name.
    pub fn value(&self, name: &str) -> Option<&str> {
        let at = self.0.iter().position(|argument| argument == name)?;
        self.0.get(at + 1).map(String::as_str)
    }

    /// The number behind a name.
    pub fn number<N: FromStr>(&self, name: &str, default: N) -> Result<N, N::Err> {
        self.value(name).map_or(Ok(default), str::parse)
    }

    /// The settings behind `--set`.
    pub fn values(&self) -> Result<Values, RunError> {
        let schema = Schema::new(runs::settings::SECTIONS);
        let mut layers = Layers::new(&schema);
        let assignments = self.value("--set").unwrap_or_default();
        for assignment in assignments.split(',').filter(|text| !text.is_empty()) {
            layers.flag(assignment);
        }
        Ok(layers.finish()?)
    }
}
