//! `gamebot tbp`: our Tetris player for front ends that speak the Tetris Bot Protocol.

use crate::ending::Ending;
use crate::output::Output;

/// Serves the front end on the standard streams until it leaves.
pub fn run(out: &mut Output) -> anyhow::Result<Ending> {
    plugins::bot::serve(std::io::stdin().lock(), out)?;
    Ok(Ending::Success)
}
