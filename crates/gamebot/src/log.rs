//! The log on standard error, with millisecond time stamps.

use std::fmt;
use std::io::{self, IsTerminal};

use tracing::Level;
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::time::FormatTime;

/// Starts logging up to `level`; nothing at all without one.
pub fn start(level: Option<Level>) {
    let Some(level) = level else { return };
    tracing_subscriber::fmt()
        .with_max_level(level)
        .with_timer(WallTime)
        .with_ansi(io::stderr().is_terminal())
        .with_target(false)
        .with_writer(io::stderr)
        .init();
}

struct WallTime;

impl FormatTime for WallTime {
    fn format_time(&self, writer: &mut Writer<'_>) -> fmt::Result {
        write!(writer, "{:.3}", jiff::Timestamp::now())
    }
}
