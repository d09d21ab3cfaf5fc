//! All settings of the program, and the layers they come from.

#![allow(
    clippy::struct_field_names,
    reason = "a setting's name ends with its unit, even if all of a section do"
)]

use std::fs;
use std::path::PathBuf;

use clap::Args;
use configuration::{Layers, Schema, Values, settings};
pub use runs::settings::milliseconds;

use crate::ending::UsageError;

settings! {
    /// The simulated Connect Four robot of `gamebot simulate robot`: how long things take at speed 1.
    pub struct SimulatedRobotSettings in "simulated_robot" {
        /// From receiving a column to the arm leaving.
        load_ms: u32 = 800, range 0..=60_000, unit "milliseconds";
        /// From the arm leaving to the arm being back.
        travel_ms: u32 = 4_000, range 0..=600_000, unit "milliseconds";
        /// Emptying the board and collecting the discs.
        empty_ms: u32 = 8_000, range 0..=600_000, unit "milliseconds";
        /// How long the lights of a win burn.
        lights_ms: u32 = 10_000, range 0..=3_600_000, unit "milliseconds";
        /// How long passing faults last: deaf, stuck-busy, unplug.
        fault_ms: u32 = 10_000, range 0..=3_600_000, unit "milliseconds";
        /// How long it takes until a person helps after an error or a jam.
        help_ms: u32 = 20_000, range 0..=3_600_000, unit "milliseconds";
    }
}

/// Every section, in the order in which they are explained.
pub fn schema() -> Schema {
    Schema::new(&[runs::settings::SECTIONS, &[SimulatedRobotSettings::SECTION], arcade::SECTIONS].concat())
}

/// Heading of the options that every command has.
pub const SHARED: &str = "Options of every command";

/// Where settings come from.
#[derive(Args, Clone, Debug, Default)]
pub struct ConfigurationFlags {
    /// Read settings from this profile [default: ./gamebot.toml, else gamebot/gamebot.toml in the user's configuration
    /// folder, if there is one].
    #[arg(long, value_name = "FILE", global = true, help_heading = SHARED)]
    profile: Option<PathBuf>,

    /// Set one setting, over profile and environment; may be repeated.
    #[arg(long = "set", value_name = "SECTION.KEY=VALUE", global = true, help_heading = SHARED)]
    assignments: Vec<String>,
}

impl ConfigurationFlags {
    /// Lays defaults < profile < environment < flags over each other.
    pub fn load(&self) -> anyhow::Result<Values> {
        let schema = schema();
        let mut layers = Layers::new(&schema);
        if let Some(path) = self.profile.clone().or_else(found_profile) {
            tracing::info!(profile = %path.display(), "settings");
            layers.profile(&path.display().to_string(), &read_profile(&path)?);
        }
        // Other programs' variables may not be text; ours must be.
        layers.environment(
            std::env::vars_os()
                .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?))),
        );
        for assignment in &self.assignments {
            layers.flag(assignment);
        }
        Ok(layers.finish().map_err(UsageError::from)?)
    }
}

/// The profile that is used without being named: the one beside the user, then the user's own.
fn found_profile() -> Option<PathBuf> {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let own = set("XDG_CONFIG_HOME").or_else(|| Some(set("HOME")?.join(".config")));
    let places = [Some(PathBuf::new()), own.map(|folder| folder.join("gamebot"))];
    places.into_iter().flatten().map(|folder| folder.join("gamebot.toml")).find(|path| path.is_file())
}

/// Reads a profile; one that cannot be read is a mistake in the call.
pub fn read_profile(path: &std::path::Path) -> anyhow::Result<String> {
    fs::read_to_string(path)
        .map_err(|error| UsageError(format!("cannot read {}: {error}", path.display())).into())
}
