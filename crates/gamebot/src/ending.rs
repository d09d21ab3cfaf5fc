//! How a command ends, and its exit code.

use std::io;
use std::process::ExitCode;

/// How a command ended without an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// It succeeded.
    Success,
    /// It worked, and the answer is negative.
    Negative,
    /// The user interrupted it.
    Interrupted,
}

/// A mistake in how the program was called or configured.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct UsageError(pub String);

impl From<configuration::Problems> for UsageError {
    fn from(problems: configuration::Problems) -> Self {
        Self(problems.to_string())
    }
}

/// Whether the user can mend it by calling or configuring otherwise.
fn is_usage(error: &anyhow::Error) -> bool {
    error.downcast_ref::<UsageError>().is_some()
        || error.downcast_ref::<runs::RunError>().is_some_and(runs::RunError::is_usage)
}

/// Prints what went wrong and returns the exit code.
pub fn exit_code(result: anyhow::Result<Ending>) -> ExitCode {
    match result {
        Ok(Ending::Success) => ExitCode::SUCCESS,
        Ok(Ending::Negative) => ExitCode::from(1),
        Ok(Ending::Interrupted) => ExitCode::from(130),
        // The reader of our output has seen enough: `gamebot … | head`.
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            for line in causes(&error).lines() {
                eprintln!("error: {line}");
            }
            if is_usage(&error) { ExitCode::from(2) } else { ExitCode::from(1) }
        }
    }
}

/// The error and its causes; a cause that the text before it names already is not repeated.
fn causes(error: &anyhow::Error) -> String {
    let mut text = String::new();
    for cause in error.chain().map(ToString::to_string) {
        if text.is_empty() {
            text = cause;
        } else if !text.contains(&cause) {
            text = format!("{text}: {cause}");
        }
    }
    text
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        let io_error = cause.downcast_ref::<io::Error>();
        // serde_json wraps the error of the stream.
        let kind = io_error
            .map(io::Error::kind)
            .or_else(|| cause.downcast_ref::<serde_json::Error>().and_then(serde_json::Error::io_error_kind));
        kind == Some(io::ErrorKind::BrokenPipe)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cause_is_named_once() {
        #[derive(Debug, thiserror::Error)]
        #[error("cannot open the line: {0}")]
        struct Line(#[source] io::Error);

        let error = anyhow::Error::new(Line(io::Error::other("no such device"))).context("robot");
        assert_eq!(causes(&error), "robot: cannot open the line: no such device");
    }
}
