//! `gamebot measure lego-colors`: what the LEGO robot's sensor shows of discs, as settings.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use runs::Setup;
use runs::connect_four::settings::LegoSettings;
use runs::connect_four::{Colors, measure_colors, simulate_colors};

use crate::ending::{Ending, UsageError};
use crate::output::Output;
use crate::settings::ConfigurationFlags;

const EXAMPLES: &str = "\
Examples:
  gamebot measure lego-colors                        the hub that is plugged in
  gamebot measure lego-colors --port /tmp/hub        another one, or a simulated one
  gamebot measure lego-colors --simulated            without a robot

Before: drop a red disc into the near column (at the robot's right) and a yellow one into the second; leave the third
empty. The three lines that are printed belong into a profile.";

/// Measure what the robot's sensor shows of a red disc, a yellow disc and an empty cell.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct MeasureLegoColors {
    /// The hub's serial port [default: the only hub that is plugged in].
    #[arg(long, value_name = "PATH")]
    port: Option<PathBuf>,

    /// Look at a simulated table.
    #[arg(long, conflicts_with = "port")]
    simulated: bool,

    /// Print one JSON document instead of text.
    #[arg(long)]
    json: bool,
}

/// Runs the verb.
pub fn run(
    measure: &MeasureLegoColors,
    flags: &ConfigurationFlags,
    out: &mut Output,
) -> anyhow::Result<Ending> {
    let mut values = flags.load()?;
    let set_port = |lego: &mut LegoSettings| {
        if let Some(port) = &measure.port {
            lego.port = port.display().to_string();
        }
    };
    values.update(set_port).map_err(UsageError::from)?;
    let setup = Setup::new(&values, 1);
    let colors = if measure.simulated {
        simulate_colors(&setup)?
    } else {
        measure_colors(&setup, &crate::interrupt::on_interrupt()?)?
    };
    if measure.json {
        out.json(&colors)?;
        return Ok(Ending::Success);
    }
    let Colors { red, yellow, empty } = colors;
    writeln!(out, "[lego]")?;
    for (name, [r, g, b]) in [("red", red), ("yellow", yellow), ("empty", empty)] {
        writeln!(out, "{name} = \"{r} {g} {b}\"")?;
    }
    Ok(Ending::Success)
}
