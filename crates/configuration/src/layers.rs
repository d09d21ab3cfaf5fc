//! Combines defaults, profile, environment and flags.

use std::collections::BTreeMap;
use std::fmt::Write;

use toml::de::{DeTable, DeValue};

use crate::problem::{Hint, Problem, Problems, Source};
use crate::schema::{Key, Schema, Section, Settings};
use crate::value::{Raw, Wrong};

/// Prefix of environment variables that are settings, such as `GAMEBOT_ENGINE__REPEAT_LIMIT`.
const PREFIX: &str = "GAMEBOT_";
/// Separates section and key in an environment variable.
const SEPARATOR: &str = "__";

/// Checked values by section and key; keys that were not set are absent.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Values {
    sections: BTreeMap<&'static str, BTreeMap<&'static str, (Raw, Source)>>,
}

impl Values {
    /// The value of a key, if it was set.
    pub fn get(&self, section: &str, key: &str) -> Option<&Raw> {
        self.sections.get(section)?.get(key).map(|(raw, _)| raw)
    }

    /// Where the value of a key came from, if it was set.
    pub fn source(&self, section: &str, key: &str) -> Option<&Source> {
        self.sections.get(section)?.get(key).map(|(_, source)| source)
    }

    /// Changes settings as a command's own flags say, typed all the way. What the change leaves as it
    /// was stays as it was, also where it came from.
    pub fn update<S: Settings>(&mut self, change: impl FnOnce(&mut S)) -> Result<(), Problems> {
        let before = S::from_values(self);
        let mut after = before.clone();
        change(&mut after);
        let mut problems = Vec::new();
        for ((key, old), new) in S::SECTION.keys.iter().zip(before.to_raw()).zip(after.to_raw()) {
            if old != new {
                let source = Source::OwnFlag { key: S::SECTION.path(key) };
                problems.extend(self.insert(&S::SECTION, key, new, source).err());
            }
        }
        if problems.is_empty() { Ok(()) } else { Err(Problems(problems)) }
    }

    /// Fills in defaults that suit a game or a body better than the general ones; what was set stays.
    pub fn fill_in<S: Settings>(&mut self, defaults: &S, of: &str) {
        for (key, raw) in S::SECTION.keys.iter().zip(defaults.to_raw()) {
            if self.get(S::SECTION.name, key.name).is_none() && raw != (key.default)() {
                let source = Source::Default { of: of.to_owned() };
                self.sections.entry(S::SECTION.name).or_default().insert(key.name, (raw, source));
            }
        }
    }

    fn insert(&mut self, section: &Section, key: &Key, raw: Raw, source: Source) -> Result<(), Problem> {
        let (path, value, allowed) = (section.path(key), raw.to_string(), key.allowed);
        match (key.check)(&raw) {
            Ok(()) => {
                self.sections.entry(section.name).or_default().insert(key.name, (raw, source));
                Ok(())
            }
            Err(Wrong::Type) => Err(Problem::WrongType { source, key: path, value, allowed: allowed() }),
            Err(Wrong::Range) => Err(Problem::OutOfRange { source, key: path, value, allowed: allowed() }),
            Err(Wrong::Secret) => {
                let value = "something else (not shown here)".to_owned();
                Err(Problem::OutOfRange { source, key: path, value, allowed: allowed() })
            }
        }
    }

    /// A profile with these values.
    pub fn to_profile(&self) -> String {
        let mut profile = String::new();
        for (section, keys) in &self.sections {
            // Writing to a String cannot fail.
            let _ = writeln!(profile, "[{section}]");
            for (key, (raw, _)) in keys {
                let _ = writeln!(profile, "{key} = {raw}");
            }
        }
        profile
    }
}

/// Collects values layer by layer; later layers win. Mistakes are collected
/// too, so that the user sees all of them at once.
#[derive(Debug)]
pub struct Layers<'a> {
    schema: &'a Schema,
    values: Values,
    problems: Vec<Problem>,
}

impl<'a> Layers<'a> {
    /// Defaults only.
    pub fn new(schema: &'a Schema) -> Self {
        Self { schema, values: Values::default(), problems: Vec::new() }
    }

    /// Starts from values that were checked before.
    pub fn over(schema: &'a Schema, values: Values) -> Self {
        Self { schema, values, problems: Vec::new() }
    }

    /// One setting from the operator's page.
    pub fn page(&mut self, path: &str, value: &str) {
        self.assign(path, value, Source::Page);
    }

    /// A TOML profile; messages refer to it by `path`.
    pub fn profile(&mut self, path: &str, text: &str) {
        let before = self.problems.len();
        self.read_profile(path, text);
        // The parser sorts tables by name; people read from top to bottom.
        self.problems[before..].sort_by_key(Problem::line);
    }

    /// A profile of a program with more sections than this schema: those are passed over.
    pub fn known_sections_of_profile(&mut self, path: &str, text: &str) {
        self.profile(path, text);
        self.problems.retain(|problem| !matches!(problem, Problem::UnknownSection { .. }));
    }

    fn read_profile(&mut self, path: &str, text: &str) {
        let text_until = |end: usize| text.get(..end).unwrap_or(text);
        let source_at = |start: usize| Source::File {
            path: path.to_owned(),
            line: text_until(start).matches('\n').count() + 1,
        };
        let document = match DeTable::parse(text) {
            Ok(document) => document,
            Err(error) => {
                let source = source_at(error.span().map_or(0, |span| span.start));
                let message = error.message().lines().collect::<Vec<_>>().join(", ");
                self.problems.push(Problem::Syntax { source, message });
                return;
            }
        };
        for (name, table) in document.get_ref() {
            let source = source_at(name.span().start);
            let Some(section) = self.schema.section(name.get_ref()) else {
                self.unknown_section(name.get_ref(), source);
                continue;
            };
            let DeValue::Table(table) = table.get_ref() else {
                self.problems.push(Problem::WrongType {
                    source,
                    key: section.name.to_owned(),
                    value: to_raw(table.get_ref()).to_string(),
                    allowed: format!("a section: `[{}]` with its keys below", section.name),
                });
                continue;
            };
            let section = *section;
            for (name, value) in table {
                let source = source_at(name.span().start);
                if let Some(key) = section.key(name.get_ref()) {
                    self.set(&section, key, to_raw(value.get_ref()), source);
                } else {
                    let known: Vec<_> = section.keys.iter().map(|key| key.name).collect();
                    let hint = Hint::new(name.get_ref(), &known);
                    let key = format!("{}.{}", section.name, name.get_ref());
                    let value = to_raw(value.get_ref()).to_string();
                    self.problems.push(Problem::UnknownKey { source, key, value, hint });
                }
            }
        }
    }

    /// Environment variables; those of other programs are ignored.
    pub fn environment(&mut self, variables: impl IntoIterator<Item = (String, String)>) {
        for (variable, value) in variables {
            let Some(path) = variable.strip_prefix(PREFIX).filter(|path| path.contains(SEPARATOR)) else {
                continue;
            };
            let path = path.replacen(SEPARATOR, ".", 1).to_lowercase();
            let source = Source::Environment { variable: variable.clone() };
            self.assign(&path, &value, source);
        }
    }

    /// A flag `section.key=value`.
    pub fn flag(&mut self, assignment: &str) {
        let source = Source::Flag { text: assignment.to_owned() };
        match assignment.split_once('=') {
            Some((path, value)) => self.assign(path.trim(), value.trim(), source),
            None => self.problems.push(Problem::NotAnAssignment { source }),
        }
    }

    /// The values, or all mistakes.
    pub fn finish(self) -> Result<Values, Problems> {
        if self.problems.is_empty() { Ok(self.values) } else { Err(Problems(self.problems)) }
    }

    fn assign(&mut self, path: &str, value: &str, source: Source) {
        let Some((section, key)) = self.schema.key(path).map(|(section, key)| (*section, *key)) else {
            let paths: Vec<_> = self.schema.paths().collect();
            let paths: Vec<_> = paths.iter().map(String::as_str).collect();
            let hint = Hint::new(path, &paths);
            let (key, value) = (path.to_owned(), Raw::from_plain(value).to_string());
            self.problems.push(Problem::UnknownKey { source, key, value, hint });
            return;
        };
        // Text needs no quotes here, even if it looks like a number.
        let raw = match (key.check)(&Raw::Text(value.to_owned())) {
            Ok(()) => Raw::Text(value.to_owned()),
            Err(Wrong::Type | Wrong::Range | Wrong::Secret) => Raw::from_plain(value),
        };
        self.set(&section, &key, raw, source);
    }

    fn set(&mut self, section: &Section, key: &Key, raw: Raw, source: Source) {
        self.problems.extend(self.values.insert(section, key, raw, source).err());
    }

    fn unknown_section(&mut self, name: &str, source: Source) {
        let known: Vec<_> = self.schema.sections().iter().map(|section| section.name).collect();
        let hint = Hint::new(name, &known);
        self.problems.push(Problem::UnknownSection { source, section: name.to_owned(), hint });
    }
}

fn to_raw(value: &DeValue<'_>) -> Raw {
    match value {
        DeValue::Boolean(value) => Raw::Boolean(*value),
        DeValue::Integer(value) => {
            // No key allows numbers beyond 64 bits.
            i64::from_str_radix(value.as_str(), value.radix())
                .map_or(Raw::Other("a huge number"), Raw::Integer)
        }
        DeValue::Float(value) => value.as_str().parse().map_or(Raw::Other("a huge number"), Raw::Float),
        DeValue::String(value) => Raw::Text(value.to_string()),
        DeValue::Datetime(_) => Raw::Other("a date"),
        DeValue::Array(_) => Raw::Other("a list"),
        DeValue::Table(_) => Raw::Other("a table"),
    }
}
