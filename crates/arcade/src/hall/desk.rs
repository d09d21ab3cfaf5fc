//! The operator's desk: settings as they are, and how they are changed while the hall is open.

use std::collections::BTreeMap;

use configuration::{Layers, Problems, Raw, Schema, Source, Values};
use serde::Serialize;

/// A setting as the operator's page shows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[expect(missing_docs, reason = "docs/events.md")]
pub struct SettingView {
    pub key: String,
    pub doc: String,
    pub unit: Option<&'static str>,
    pub allowed: String,
    pub default: String,
    pub value: String,
    pub source: String,
}

/// All settings, the operator's changes on top.
pub(super) struct Desk {
    schema: Schema,
    /// Defaults, profile, environment and flags.
    base: Values,
    /// The operator's changes.
    changes: BTreeMap<String, String>,
    values: Values,
}

impl Desk {
    /// Lays the operator's stored changes over everything else; one that no longer fits is passed over.
    pub(super) fn new(schema: Schema, base: Values, stored: Vec<(String, String)>) -> Self {
        let changes = stored.into_iter().collect();
        let mut desk = Self { schema, values: base.clone(), base, changes };
        desk.lay();
        desk
    }

    /// What holds now.
    pub(super) fn values(&self) -> &Values {
        &self.values
    }

    /// Changes a setting, or forgets the change; the same checks and words as for a profile.
    pub(super) fn change(&mut self, key: &str, value: Option<&str>) -> Result<(), Problems> {
        match value {
            Some(value) => {
                let mut layers = Layers::over(&self.schema, self.base.clone());
                layers.page(key, value);
                layers.finish()?;
                self.changes.insert(key.to_owned(), value.to_owned());
            }
            None => drop(self.changes.remove(key)),
        }
        self.lay();
        Ok(())
    }

    /// All settings, for the operator's page.
    pub(super) fn list(&self) -> Vec<SettingView> {
        let sections = self.schema.sections().iter();
        let keys = sections.flat_map(|section| section.keys.iter().map(move |key| (section, key)));
        keys.map(|(section, key)| {
            let value = self.values.get(section.name, key.name);
            let source = self.values.source(section.name, key.name);
            SettingView {
                key: section.path(key),
                doc: key.doc.trim().to_owned(),
                unit: key.unit,
                allowed: (key.allowed)(),
                default: (key.default)().plain(),
                value: value.map_or_else(|| (key.default)().plain(), Raw::plain),
                source: source.map_or("default".to_owned(), Source::to_string),
            }
        })
        .collect()
    }

    fn lay(&mut self) {
        self.values = self.base.clone();
        for (key, value) in &self.changes {
            let mut layers = Layers::over(&self.schema, self.values.clone());
            layers.page(key, value);
            match layers.finish() {
                Ok(values) => self.values = values,
                Err(problem) => tracing::warn!(%problem, "a stored setting is ignored"),
            }
        }
    }
}
