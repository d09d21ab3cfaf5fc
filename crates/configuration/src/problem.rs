//! What is wrong with a configuration, in words that say how to mend it.

use std::fmt;

/// Where a value came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// A profile, with the line.
    File {
        /// Its path as the user gave it.
        path: String,
        /// Counted from 1.
        line: usize,
    },
    /// An environment variable.
    Environment {
        /// Its name.
        variable: String,
    },
    /// A flag on the command line.
    Flag {
        /// As it was given.
        text: String,
    },
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Source::File { path, line } => write!(f, "{path}:{line}"),
            Source::Environment { variable } => write!(f, "environment variable {variable}"),
            Source::Flag { text } => write!(f, "flag --set {text}"),
        }
    }
}

/// One mistake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// Not TOML at all.
    Syntax {
        /// Where.
        source: Source,
        /// What the parser says.
        message: String,
    },
    /// No such section.
    UnknownSection {
        /// Where.
        source: Source,
        /// Its name.
        section: String,
        /// The known name that looks most like it.
        nearest: Option<String>,
    },
    /// No such key.
    UnknownKey {
        /// Where.
        source: Source,
        /// Its name.
        key: String,
        /// The known name that looks most like it.
        nearest: Option<String>,
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
            Problem::UnknownSection { source, section, nearest } => {
                write!(f, "{source}: unknown section `[{section}]`{}", did_you_mean(nearest.as_deref()))
            }
            Problem::UnknownKey { source, key, nearest } => {
                write!(f, "{source}: unknown key `{key}`{}", did_you_mean(nearest.as_deref()))
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

fn did_you_mean(nearest: Option<&str>) -> String {
    nearest.map(|nearest| format!("; did you mean `{nearest}`?")).unwrap_or_default()
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

/// The candidate that looks most like `word`, if any looks like it at all.
pub(crate) fn nearest<'a>(word: &str, candidates: impl Iterator<Item = &'a str>) -> Option<String> {
    candidates
        .map(|candidate| (strsim::jaro_winkler(word, candidate), candidate))
        .filter(|(likeness, _)| *likeness > 0.7)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, candidate)| candidate.to_owned())
}
