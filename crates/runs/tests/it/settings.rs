//! The settings of a run, for tests and measurements.

use configuration::{Layers, Schema, Values};

/// The defaults, changed by these assignments.
pub fn values(assignments: &[&str]) -> Values {
    let schema = Schema::new(runs::settings::SECTIONS);
    let mut layers = Layers::new(&schema);
    for assignment in assignments {
        layers.flag(assignment);
    }
    layers.finish().unwrap()
}
