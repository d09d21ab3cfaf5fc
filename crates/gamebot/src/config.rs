//! `gamebot config`: check, explain or begin a profile.

use std::io::Write;
use std::path::PathBuf;

use clap::{Args, Subcommand};
use configuration::{Key, Layers, Raw, Schema, Section, Values, commented_profile, explain_all, explain_key};
use serde_json::{Map, Value, json};

use crate::ending::{Ending, UsageError};
use crate::output::Output;
use crate::settings::{ConfigurationFlags, read_profile, schema};

const EXAMPLES: &str = "\
Examples:
  gamebot config init > my-rig.toml                   a commented profile with every key
  gamebot config check my-rig.toml                    find every mistake, start nothing
  gamebot config explain engine.repeat_limit          one key: meaning, unit, range, default
  gamebot config explain --profile my-rig.toml        all keys, and where each value comes from
  gamebot config explain --json                       the same for programs
  gamebot config schema > gamebot.schema.json         a JSON Schema, for editors that complete and check TOML

Order, later wins: defaults < profile < environment < --set SECTION.KEY=VALUE.
The profile is --profile FILE, else ./gamebot.toml, else gamebot/gamebot.toml in the user's configuration folder
(XDG_CONFIG_HOME or ~/.config); --profile /dev/null uses none of them.
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

        /// Print one JSON document with all keys instead of text.
        #[arg(long, conflicts_with = "key")]
        json: bool,
    },
    /// Print a JSON Schema of profiles, for editors.
    Schema,
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
        Action::Explain { json: true, .. } => out.json(&explained(&schema, &flags.load()?))?,
        Action::Explain { key: None, .. } => write!(out, "{}", explain_all(&schema, &flags.load()?))?,
        Action::Explain { key: Some(key), .. } => {
            let text = explain_key(&schema, &flags.load()?, key)
                .map_err(|hint| UsageError(format!("unknown key `{key}`; {hint}")))?;
            write!(out, "{text}")?;
        }
        Action::Schema => out.json(&json_schema(&schema))?,
        Action::Init => write!(out, "{}", commented_profile(&schema))?,
    }
    Ok(Ending::Success)
}

/// Every key with its value and where that comes from.
fn explained(schema: &Schema, values: &Values) -> Value {
    let keys = schema.sections().iter().flat_map(|section| {
        section.keys.iter().map(|key| {
            let default = (key.default)();
            let value = values.get(section.name, key.name).unwrap_or(&default);
            let source = values.source(section.name, key.name).map(ToString::to_string);
            json!({
                "key": section.path(key),
                "value": json_value(value),
                "source": source.unwrap_or_else(|| "default".to_owned()),
                "default": json_value(&default),
                "allowed": (key.allowed)(),
                "unit": key.unit,
                "meaning": key.doc.trim(),
            })
        })
    });
    keys.collect()
}

/// What a profile may hold, as editors understand it. Ranges are checked by `config check`.
fn json_schema(schema: &Schema) -> Value {
    let key = |key: &Key| {
        let default = json_value(&(key.default)());
        let kind = match &default {
            Value::Bool(_) => "boolean",
            Value::Number(number) if number.is_i64() => "integer",
            Value::Number(_) => "number",
            _ => "string",
        };
        let unit = key.unit.map_or_else(String::new, |unit| format!(" in {unit}"));
        let description = format!("{} Allowed: {}{unit}.", key.doc.trim(), (key.allowed)());
        (key.name.to_owned(), json!({ "type": kind, "default": default, "description": description }))
    };
    let section = |section: &Section| {
        let keys: Map<String, Value> = section.keys.iter().map(key).collect();
        let table = json!({
            "type": "object",
            "description": section.doc.trim(),
            "properties": keys,
            "additionalProperties": false,
        });
        (section.name.to_owned(), table)
    };
    let sections: Map<String, Value> = schema.sections().iter().map(section).collect();
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Gamebot profile",
        "type": "object",
        "properties": sections,
        "additionalProperties": false,
    })
}

fn json_value(raw: &Raw) -> Value {
    match raw {
        Raw::Boolean(value) => json!(value),
        Raw::Integer(value) => json!(value),
        Raw::Float(value) => json!(value),
        Raw::Text(value) => json!(value),
        Raw::Other(kind) => json!(kind),
    }
}
