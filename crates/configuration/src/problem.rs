//! Mistakes in a configuration, with messages that say how to fix them.

use std::fmt;

/// Where a value came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// A profile, with the line.
    File {
        /// Its path as the user gave it.
        path: String,
        /// The line, counted from 1.
        line: usize,
    },
    /// An environment variable.
    Environment {
        /// Its name.
        variable: String,
    },
    /// The operator's page.
    Page,
    /// A flag on the command line.
    Flag {
        /// The flag as given.
        text: String,
    },
    /// A command's own flag.
    OwnFlag {
        /// The key it sets.
        key: String,
    },
    /// The default of a game or body.
    Default {
        /// Which one.
        of: String,
    },
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Source::File { path, line } => write!(f, "{path}:{line}"),
            Source::Environment { variable } => write!(f, "environment variable {variable}"),
            Source::Page => write!(f, "operator's page"),
            Source::Flag { text } => write!(f, "flag --set {text}"),
            Source::OwnFlag { key } => write!(f, "the command's flag for {key}"),
            Source::Default { of } => write!(f, "default of {of}"),
        }
    }
}

/// One mistake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// Not valid TOML.
    Syntax {
        /// Where.
        source: Source,
        /// The parser's message.
        message: String,
    },
    /// No such section.
    UnknownSection {
        /// Where.
        source: Source,
        /// Its name.
        section: String,
        /// What was probably meant.
        hint: Hint,
    },
    /// No such key.
    UnknownKey {
        /// Where.
        source: Source,
        /// Its name.
        key: String,
        /// The value as written.
        value: String,
        /// What was probably meant.
        hint: Hint,
    },
    /// A value of the wrong type.
    WrongType {
        /// Where.
        source: Source,
        /// The key's full name.
        key: String,
        /// The value as written.
        value: String,
        /// What is allowed.
        allowed: String,
    },
    /// A value outside what is allowed.
    OutOfRange {
        /// Where.
        source: Source,
        /// The key's full name.
        key: String,
        /// The value as written.
        value: String,
        /// What is allowed.
        allowed: String,
    },
    /// A flag that is not `key=value`.
    NotAnAssignment {
        /// Where.
        source: Source,
    },
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::Syntax { source, message } => write!(f, "{source}: {message}"),
            Problem::UnknownSection { source, section, hint } => {
                write!(f, "{source}: unknown section `[{section}]`; {hint}")
            }
            Problem::UnknownKey { source, key, value, hint } => {
                write!(f, "{source}: unknown key `{key}` (= {value}); {hint}")
            }
            Problem::WrongType { source, key, value, allowed } => {
                write!(f, "{source}: `{key}` is {value}, which has the wrong type: it must be {allowed}")
            }
            Problem::OutOfRange { source, key, value, allowed } => {
                write!(f, "{source}: `{key}` is {value}, which is not allowed: it must be {allowed}")
            }
            Problem::NotAnAssignment { source } => {
                write!(f, "{source}: a setting is given as section.key=value")
            }
        }
    }
}

impl Problem {
    /// Its line in the profile; 0 outside of profiles.
    pub fn line(&self) -> usize {
        match self {
            Problem::Syntax { source, .. }
            | Problem::UnknownSection { source, .. }
            | Problem::UnknownKey { source, .. }
            | Problem::WrongType { source, .. }
            | Problem::OutOfRange { source, .. }
            | Problem::NotAnAssignment { source } => match source {
                Source::File { line, .. } => *line,
                Source::Environment { .. }
                | Source::Page
                | Source::Flag { .. }
                | Source::OwnFlag { .. }
                | Source::Default { .. } => 0,
            },
        }
    }
}

/// What was probably meant by an unknown name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Hint {
    /// This known name is similar.
    Nearest(String),
    /// No known name is similar; these are all of them.
    Known(Vec<String>),
}

impl Hint {
    /// Finds the known name most similar to `word`.
    pub fn new(word: &str, known: &[&str]) -> Self {
        let likeness = |name: &&&str| strsim::jaro_winkler(word, name);
        let nearest = known.iter().max_by(|a, b| likeness(a).total_cmp(&likeness(b)));
        match nearest {
            // “window” and “rounds” are 0.7 alike, “repeat_limt” and “repeat_limit” 0.99.
            Some(name) if likeness(&name) > 0.85 => Hint::Nearest((*name).to_owned()),
            _ => Hint::Known(known.iter().map(|name| (*name).to_owned()).collect()),
        }
    }
}

impl fmt::Display for Hint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Hint::Nearest(name) => write!(f, "did you mean `{name}`?"),
            Hint::Known(names) => write!(f, "known names: {}", names.join(", ")),
        }
    }
}

/// All mistakes of a configuration, in the order of the layers.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct Problems(pub Vec<Problem>);

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, problem) in self.0.iter().enumerate() {
            let end = if index + 1 < self.0.len() { "\n" } else { "" };
            write!(f, "{problem}{end}")?;
        }
        Ok(())
    }
}
