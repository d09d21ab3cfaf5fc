//! Explains every key, for `config explain` and `config init`.

use std::fmt::Write;

use crate::layers::Values;
use crate::problem::Hint;
use crate::schema::{Key, Schema, Section};

/// Explains one key, or all keys of a section; an unknown name gives a hint.
pub fn explain_key(schema: &Schema, values: &Values, path: &str) -> Result<String, Hint> {
    if let Some(section) = schema.section(path) {
        return Ok(section
            .keys
            .iter()
            .map(|key| explain(section, key, values))
            .collect::<Vec<_>>()
            .join("\n"));
    }
    let found = schema.key(path).or_else(|| {
        // The section may be omitted if only one section has the key.
        let mut matches = schema.sections().iter().filter_map(|s| Some((s, s.key(path)?)));
        matches.next().filter(|_| matches.next().is_none())
    });
    let Some((section, key)) = found else {
        let paths: Vec<_> = schema.paths().collect();
        return Err(Hint::new(path, &paths.iter().map(String::as_str).collect::<Vec<_>>()));
    };
    Ok(explain(section, key, values))
}

/// Explains all keys.
pub fn explain_all(schema: &Schema, values: &Values) -> String {
    let sections = schema.sections().iter().map(|section| {
        let keys: Vec<_> = section.keys.iter().map(|key| explain(section, key, values)).collect();
        format!("[{}] {}\n\n{}", section.name, section.doc.trim(), keys.join("\n"))
    });
    sections.collect::<Vec<_>>().join("\n")
}

fn explain(section: &Section, key: &Key, values: &Values) -> String {
    let default = (key.default)();
    let mut text = format!("{}\n    {}\n", section.path(key), key.doc.trim());
    // Writing to a String cannot fail.
    let _ = writeln!(text, "    allowed: {}{}", (key.allowed)(), unit_suffix(key));
    let _ = writeln!(text, "    default: {default}");
    if let (Some(value), Some(source)) =
        (values.get(section.name, key.name), values.source(section.name, key.name))
    {
        let _ = writeln!(text, "    now:     {value} ({source})");
    }
    text
}

fn unit_suffix(key: &Key) -> String {
    key.unit.map(|unit| format!(" ({unit})")).unwrap_or_default()
}

/// A profile with every key at its default, explained and commented out.
pub fn commented_profile(schema: &Schema) -> String {
    let mut text = String::from(
        "# A Gamebot profile. Every key is shown with its default; remove the `#` before a key to change it.\n",
    );
    for section in schema.sections() {
        let _ = write!(text, "\n# {}\n[{}]\n", section.doc.trim(), section.name);
        for key in section.keys {
            let _ = write!(
                text,
                "\n# {}\n# {}{}\n#{} = {}\n",
                key.doc.trim(),
                (key.allowed)(),
                unit_suffix(key),
                key.name,
                (key.default)()
            );
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Layers;

    crate::settings! {
        /// The oven.
        pub struct Oven in "oven" {
            /// How hot it gets.
            degrees: u32 = 180, range 50..=300, unit "°C";
            /// What is said when it is hot.
            greeting: String = "it is \"hot\"".to_owned();
        }
    }

    fn schema() -> Schema {
        Schema::new(&[Oven::SECTION])
    }

    #[test]
    fn a_key_is_explained_with_its_value_and_where_it_comes_from() {
        let schema = schema();
        let mut layers = Layers::new(&schema);
        layers.profile("a.toml", "\n[oven]\ndegrees = 200");
        let values = layers.finish().unwrap();
        let expected = "oven.degrees\n    How hot it gets.\n    allowed: a whole number from 50 to 300 (°C)\n    default: 180\n    now:     200 (a.toml:3)\n";
        assert_eq!(explain_key(&schema, &values, "oven.degrees").unwrap(), expected);
        assert_eq!(explain_key(&schema, &values, "degrees").unwrap(), expected);
        assert_eq!(
            explain_key(&schema, &values, "oven.degree").unwrap_err().to_string(),
            "did you mean `oven.degrees`?"
        );
    }

    #[test]
    fn the_commented_profile_says_the_defaults() {
        let schema = schema();
        let commented = commented_profile(&schema);
        let uncomment = |line| match str::strip_prefix(line, "#") {
            Some(rest) if !rest.starts_with(' ') => rest,
            _ => line,
        };
        let uncommented = commented.lines().map(uncomment).collect::<Vec<_>>().join("\n");
        let mut layers = Layers::new(&schema);
        layers.profile("init.toml", &uncommented);
        let values = layers.finish().unwrap();
        assert_eq!(Oven::from_values(&values), Oven::default());
        assert!(values.get("oven", "greeting").is_some(), "every key was uncommented");
    }
}
