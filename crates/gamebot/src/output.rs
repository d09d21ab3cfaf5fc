//! Data on standard output: text for people, JSON for programs.

use std::io::{self, BufWriter, IsTerminal, StdoutLock, Write};

use serde::Serialize;

/// The stream for a command's data.
pub struct Output {
    stream: BufWriter<StdoutLock<'static>>,
    colored: bool,
}

/// Standard output, with colours only on a terminal.
pub fn stdout() -> Output {
    let colored = io::stdout().is_terminal() && are_colours_wanted();
    Output { stream: BufWriter::new(io::stdout().lock()), colored }
}

/// Whether the user wants colours on terminals (<https://no-color.org>).
pub fn are_colours_wanted() -> bool {
    std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

impl Output {
    /// Whether colours may be used.
    pub fn is_colored(&self) -> bool {
        self.colored
    }

    /// Writes one JSON document.
    pub fn json(&mut self, value: &impl Serialize) -> anyhow::Result<()> {
        serde_json::to_writer_pretty(&mut self.stream, value)?;
        writeln!(self.stream)?;
        Ok(())
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.stream.write(bytes)
    }
    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}
