//! `gamebot tbp`: serves our Tetris player to front ends that speak the Tetris Bot Protocol.

use crate::ending::Ending;
use crate::output::Output;

/// Examples for the help page.
pub const EXAMPLES: &str = "\
Examples:
  gamebot tbp                                 serve a front end on standard input and output
  echo '{\"type\":\"quit\"}' | gamebot tbp     introduce itself and exit";

/// Serves the front end on the standard streams until it quits.
pub fn run(out: &mut Output) -> anyhow::Result<Ending> {
    plugins::bot::serve(std::io::stdin().lock(), out)?;
    Ok(Ending::Success)
}
