//! `gamebot config`: check, explain or begin a profile.

use std::io::Write;
use std::path::PathBuf;

use clap::{Args, Subcommand};
use configuration::{Layers, commented_profile, explain_all, explain_key};

use crate::ending::{Ending, UsageError};
use crate::output::Output;
use crate::settings::{ConfigurationFlags, read_profile, schema};

const EXAMPLES: &str = "\
Examples:
  gamebot config init > my-rig.toml                   a commented profile with every key
  gamebot config check my-rig.toml                    find every mistake, start nothing
  gamebot config explain engine.repeat_limit          one key: meaning, unit, range, default
  gamebot config explain --profile my-rig.toml        all keys, and where each value comes from

Order, later wins: defaults < --profile FILE < environment < --set SECTION.KEY=VALUE.
An environment variable is GAMEBOT_SECTION__KEY, for example GAMEBOT_ENGINE__REPEAT_LIMIT=5.";

/// Check, explain or begin a configuration profile.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Config {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Find every mistake in a profile; exit code 2 if there is one.
    Check {
        /// The profile.
        file: PathBuf,
    },
    /// Explain one key, one section, or everything.
    Explain {
        /// A key such as engine.repeat_limit, or a section such as engine.
        key: Option<String>,
    },
    /// Print a commented profile with every key at its default.
    Init,
}

/// Runs the verb.
pub fn run(config: &Config, flags: &ConfigurationFlags, out: &mut Output) -> anyhow::Result<Ending> {
    let schema = schema();
    match &config.action {
        Action::Check { file } => {
            let mut layers = Layers::new(&schema);
            layers.profile(&file.display().to_string(), &read_profile(file)?);
            layers.finish().map_err(UsageError::from)?;
            tracing::info!(file = %file.display(), "no mistakes");
        }
        Action::Explain { key: None } => write!(out, "{}", explain_all(&schema, &flags.load()?))?,
        Action::Explain { key: Some(key) } => {
            let text = explain_key(&schema, &flags.load()?, key)
                .map_err(|hint| UsageError(format!("unknown key `{key}`; {hint}")))?;
            write!(out, "{text}")?;
        }
        Action::Init => write!(out, "{}", commented_profile(&schema))?,
    }
    Ok(Ending::Success)
}
