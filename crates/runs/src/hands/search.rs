//! The search for the fastest presses that still work (4.5 of the document), by halving.

use std::time::Duration;

use devices::tinkerforge::PressTimes;
use serde::Serialize;

use super::trial::{Bench, TrialError, run_sequence};

/// One set of times, tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Attempt {
    /// Current on.
    pub press_ms: u32,
    /// Current off.
    pub pause_ms: u32,
    /// Whether the cursor came home.
    pub works: bool,
}

impl Attempt {
    /// The document's figure of merit, rounded as there.
    pub fn presses_per_minute(&self) -> u32 {
        (60_000.0 / f64::from((self.press_ms + self.pause_ms).max(1))).round() as u32
    }
}

/// Everything that was tried, and the fastest that worked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SpeedSearch {
    /// In order.
    pub attempts: Vec<Attempt>,
    /// None if not even the slowest worked.
    pub fastest: Option<Attempt>,
}

/// Looks for the shortest press and pause with which `repeats` sequences bring the cursor home. Both are
/// shortened together from `slowest`, then each alone, as the document does by hand.
pub fn search_speed(
    bench: &mut impl Bench,
    slowest: u32,
    repeats: u32,
    mut progress: impl FnMut(&Attempt),
) -> Result<SpeedSearch, TrialError> {
    let mut attempts: Vec<Attempt> = Vec::new();
    let mut works = |press_ms: u32, pause_ms: u32| -> Result<bool, TrialError> {
        let known = attempts.iter().find(|a| (a.press_ms, a.pause_ms) == (press_ms, pause_ms));
        if let Some(known) = known {
            return Ok(known.works);
        }
        let ms = |ms: u32| Duration::from_millis(u64::from(ms));
        let times = PressTimes { press: ms(press_ms), pause: ms(pause_ms) };
        let works = run_sequence(bench, times, repeats)?;
        let attempt = Attempt { press_ms, pause_ms, works };
        progress(&attempt);
        attempts.push(attempt);
        Ok(works)
    };
    if !works(slowest, slowest)? {
        return Ok(SpeedSearch { attempts, fastest: None });
    }
    let both = least(slowest, |time| works(time, time))?;
    let press_ms = least(both, |press| works(press, both))?;
    let pause_ms = least(both, |pause| works(press_ms, pause))?;
    let fastest = Attempt { press_ms, pause_ms, works: true };
    Ok(SpeedSearch { attempts, fastest: Some(fastest) })
}

/// The least time that works, if `most` does and less time never works better.
fn least(most: u32, mut works: impl FnMut(u32) -> Result<bool, TrialError>) -> Result<u32, TrialError> {
    let (mut fails, mut least) = (0, most);
    while least - fails > 1 {
        let middle = fails.midpoint(least);
        if works(middle)? {
            least = middle;
        } else {
            fails = middle;
        }
    }
    Ok(least)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halving_finds_the_least_time() {
        for wanted in 1..=140 {
            assert_eq!(least(140, |time| Ok(time >= wanted)).unwrap(), wanted);
        }
    }

    #[test]
    fn speeds_are_rounded_as_in_the_document() {
        let speed = |press_ms, pause_ms| Attempt { press_ms, pause_ms, works: true }.presses_per_minute();
        assert_eq!([speed(140, 140), speed(33, 37), speed(32, 37), speed(37, 35)], [214, 857, 870, 833]);
    }
}
