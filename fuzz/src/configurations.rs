//! Profiles, flags and environment variables.

use std::sync::LazyLock;

use configuration::{Layers, Schema, explain_all};

static SCHEMA: LazyLock<Schema> =
    LazyLock::new(|| Schema::new(&[runs::settings::SECTIONS, arcade::SECTIONS].concat()));

/// Reads the text as a profile, as flags and as variables. What is accepted can be written as a profile that gives the
/// same settings, and what is not has a message with a line.
pub fn read(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let mut layers = Layers::new(&SCHEMA);
    layers.profile("fuzz.toml", &text);
    match layers.finish() {
        Ok(values) => {
            let written = values.to_profile();
            let mut again = Layers::new(&SCHEMA);
            again.profile("written.toml", &written);
            let again = again.finish().unwrap_or_else(|problems| panic!("{problems}\nin\n{written}"));
            assert_eq!(again.to_profile(), written);
            assert!(!explain_all(&SCHEMA, &values).is_empty());
        }
        Err(problems) => assert!(!problems.to_string().is_empty()),
    }
    let mut layers = Layers::new(&SCHEMA);
    for line in text.lines().take(20) {
        layers.flag(line);
    }
    layers.environment(text.lines().take(20).filter_map(|line| {
        let (name, value) = line.split_once('=')?;
        Some((format!("GAMEBOT_{}", name.trim()), value.to_owned()))
    }));
    drop(layers.finish());
}
