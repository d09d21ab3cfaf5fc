//! Faults of the simulated robot that can be switched while it runs: somebody knocks against the camera, turns the
//! light off, pulls a plug.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::{Deserialize, Serialize};

/// What is wrong at the moment, beyond what the settings ask for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Faults {
    /// Share of presses that slip off their button, 0 to 1; nothing leaves it to the settings.
    pub missed_presses: Option<f64>,
    /// By how many pixels the camera shakes, at most.
    pub shake_px: f64,
    /// Whether the light is off.
    pub dark: bool,
    /// Whether the camera is unplugged.
    pub camera_out: bool,
}

/// Switches that a run and the people around it share.
#[derive(Clone, Debug, Default)]
pub struct FaultSwitches(Arc<Mutex<Faults>>);

impl FaultSwitches {
    /// What is wrong now.
    pub fn now(&self) -> Faults {
        *self.lock()
    }

    /// Sets all switches; figures that make no sense are brought into range.
    pub fn set(&self, faults: Faults) {
        let sane = |value: f64, most: f64| if value.is_finite() { value.clamp(0.0, most) } else { 0.0 };
        *self.lock() = Faults {
            missed_presses: faults.missed_presses.map(|share| sane(share, 1.0)),
            shake_px: sane(faults.shake_px, MOST_SHAKE_PX),
            ..faults
        };
    }

    fn lock(&self) -> MutexGuard<'_, Faults> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Beyond this the screen leaves the frame.
const MOST_SHAKE_PX: f64 = 40.0;

impl PartialEq for FaultSwitches {
    fn eq(&self, other: &FaultSwitches) -> bool {
        self.now() == other.now()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nonsense_is_brought_into_range() {
        let switches = FaultSwitches::default();
        let other = switches.clone();
        switches.set(Faults { missed_presses: Some(7.0), shake_px: f64::NAN, dark: true, camera_out: false });
        let now = other.now();
        assert_eq!((now.missed_presses, now.dark), (Some(1.0), true));
        assert!(now.shake_px.abs() < f64::EPSILON, "{now:?}");
    }
}
