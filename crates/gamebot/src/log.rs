//! The log on standard error, with millisecond time stamps. The newest lines are
//! also kept in memory for the operator's page.

use std::fmt;
use std::io::{self, IsTerminal, Write};
use std::sync::OnceLock;

use arcade::RecentLog;
use tracing::Level;
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::time::FormatTime;

use crate::output::are_colours_wanted;

/// Starts logging up to `level`; `None` logs nothing.
pub fn start(level: Option<Level>) {
    let Some(level) = level else { return };
    tracing_subscriber::fmt()
        .with_max_level(level)
        .with_timer(WallTime)
        .with_ansi(io::stderr().is_terminal() && are_colours_wanted())
        .with_target(false)
        .with_writer(Tee::default)
        .init();
}

/// The newest lines of the log.
pub fn recent_log() -> RecentLog {
    static RECENT: OnceLock<RecentLog> = OnceLock::new();
    RECENT.get_or_init(RecentLog::default).clone()
}

/// Writes one line to standard error and keeps it.
#[derive(Default)]
struct Tee {
    line: Vec<u8>,
}

impl Write for Tee {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.line.extend_from_slice(bytes);
        io::stderr().write(bytes)
    }
    fn flush(&mut self) -> io::Result<()> {
        io::stderr().flush()
    }
}

impl Drop for Tee {
    fn drop(&mut self) {
        if !self.line.is_empty() {
            recent_log().add(String::from_utf8_lossy(&self.line).into_owned());
        }
    }
}

struct WallTime;

impl FormatTime for WallTime {
    fn format_time(&self, writer: &mut Writer<'_>) -> fmt::Result {
        write!(writer, "{:.3}", jiff::Timestamp::now())
    }
}
