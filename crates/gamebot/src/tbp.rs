//! `gamebot tbp`: our Tetris player for front ends that speak the Tetris Bot Protocol.

use crate::ending::Ending;
use crate::output::Output;

/// For the help page.
pub const EXAMPLES: &str = "\
Examples:
  gamebot tbp                                 waits for a front end on standard input and output
  echo '{\"type\":\"quit\"}' | gamebot tbp     introduces itself and leaves";

/// Serves the front end on the standard streams until it leaves.
pub fn run(out: &mut Output) -> anyhow::Result<Ending> {
    plugins::bot::serve(std::io::stdin().lock(), out)?;
    Ok(Ending::Success)
}
