//! What to do when something did not work: repeat, resynchronise, pause, and
//! at last give up with a reason.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What went wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Trouble {
    /// A plan did not have the expected effect.
    Diverged,
    /// A screen could not be read.
    Unclear,
    /// A device failed.
    Fault,
}

/// What to do about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Remedy {
    /// Do it again: the failed step when each step is verified, otherwise a
    /// new decision on what is now seen; after an unclear screen, look again.
    Repeat,
    /// Forget what was believed and start from the next look.
    Resynchronise,
    /// Leave the game alone for a while, then resynchronise.
    Pause(Duration),
    /// End the run.
    GiveUp,
}

/// How much of each remedy is tried before the next stronger one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// Repetitions of a diverged plan.
    pub repeats: u32,
    /// Unclear screens in a row that are simply looked at again.
    pub unclear_looks: u32,
    /// Resynchronisations before the first pause.
    pub resynchronisations: u32,
    /// Pauses before giving up.
    pub pauses: u32,
    /// Length of the first pause; each further one is twice as long, up to 32 times.
    pub pause: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            repeats: 3,
            unclear_looks: 10,
            resynchronisations: 2,
            pauses: 8,
            pause: Duration::from_millis(500),
        }
    }
}

/// The ladder of remedies, climbed separately for each kind of trouble.
#[derive(Clone, Debug)]
pub struct Recovery {
    patience: Patience,
    diverged: u32,
    unclear: u32,
    faults: u32,
}

impl Recovery {
    /// Stands at the foot of every ladder.
    pub fn new(patience: Patience) -> Self {
        Self { patience, diverged: 0, unclear: 0, faults: 0 }
    }

    /// The next remedy for this trouble.
    pub fn remedy(&mut self, trouble: Trouble) -> Remedy {
        let Patience { repeats, unclear_looks, resynchronisations, .. } = self.patience;
        let (count, repeats, resynchronisations) = match trouble {
            Trouble::Diverged => (&mut self.diverged, repeats, resynchronisations),
            Trouble::Unclear => (&mut self.unclear, unclear_looks, resynchronisations),
            // A broken device is not mended by asking it faster.
            Trouble::Fault => (&mut self.faults, 0, 0),
        };
        *count = count.saturating_add(1);
        let rung = *count;
        if rung <= repeats {
            Remedy::Repeat
        } else if rung - repeats <= resynchronisations {
            Remedy::Resynchronise
        } else {
            self.pause(rung - repeats - resynchronisations)
        }
    }

    fn pause(&self, number: u32) -> Remedy {
        if number > self.patience.pauses {
            return Remedy::GiveUp;
        }
        Remedy::Pause(self.patience.pause * 2u32.pow((number - 1).min(5)))
    }

    /// A screen was read: eye and device work.
    pub fn seen(&mut self) {
        self.unclear = 0;
        self.faults = 0;
    }

    /// A plan was confirmed: hands work, and the player is in step.
    pub fn confirmed(&mut self) {
        self.diverged = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Remedy::{GiveUp, Pause, Repeat, Resynchronise};

    const fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    fn ladder(trouble: Trouble) -> Vec<Remedy> {
        let patience =
            Patience { repeats: 2, unclear_looks: 1, resynchronisations: 1, pauses: 3, pause: ms(100) };
        let mut recovery = Recovery::new(patience);
        let mut remedies = Vec::new();
        while remedies.last() != Some(&GiveUp) {
            remedies.push(recovery.remedy(trouble));
        }
        remedies
    }

    #[test]
    fn each_trouble_climbs_its_own_ladder() {
        let pauses = [Pause(ms(100)), Pause(ms(200)), Pause(ms(400)), GiveUp];
        assert_eq!(ladder(Trouble::Diverged), [[Repeat, Repeat, Resynchronise].as_slice(), &pauses].concat());
        assert_eq!(ladder(Trouble::Unclear), [[Repeat, Resynchronise].as_slice(), &pauses].concat());
        assert_eq!(ladder(Trouble::Fault), pauses);
    }

    #[test]
    fn success_leads_back_to_the_foot() {
        let mut recovery = Recovery::new(Patience { repeats: 1, ..Patience::default() });
        assert_eq!(recovery.remedy(Trouble::Diverged), Repeat);
        recovery.seen();
        assert_eq!(recovery.remedy(Trouble::Diverged), Resynchronise, "a look proves no plan");
        recovery.confirmed();
        assert_eq!(recovery.remedy(Trouble::Diverged), Repeat);
    }
}
