//! How long each step of a tick takes, in real time, as histograms.

use std::time::{Duration, Instant};

use hdrhistogram::Histogram;
use serde::{Deserialize, Serialize};

/// The steps of a tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names are the documentation: see the crate's first lines")]
pub enum StepName {
    Look,
    Rectify,
    See,
    Verify,
    Decide,
    Plan,
    Act,
    Record,
}

impl StepName {
    /// In the order of a tick.
    pub const ALL: [StepName; 8] = [
        StepName::Look,
        StepName::Rectify,
        StepName::See,
        StepName::Verify,
        StepName::Decide,
        StepName::Plan,
        StepName::Act,
        StepName::Record,
    ];
}

/// One histogram per step. Real time even when the run's clock is simulated:
/// this measures our program, not the game.
#[derive(Clone, Debug)]
pub struct Timings {
    histograms: [Histogram<u64>; StepName::ALL.len()],
    totals_ns: [u64; StepName::ALL.len()],
    lap_start: Instant,
}

impl Timings {
    /// Empty histograms.
    #[expect(clippy::missing_panics_doc, reason = "the bounds are constants")]
    #[expect(clippy::disallowed_methods, reason = "measures the program itself, on any clock")]
    pub fn new() -> Self {
        // Up to an hour with two significant digits: 36 KiB a step.
        #[expect(clippy::expect_used, reason = "constant bounds: 1 < high, digits in 0..=5")]
        let empty = Histogram::new_with_bounds(1, 3_600_000_000_000, 2).expect("valid bounds");
        Self {
            histograms: std::array::from_fn(|_| empty.clone()),
            totals_ns: [0; StepName::ALL.len()],
            lap_start: Instant::now(),
        }
    }

    /// Starts the next lap without counting what came before.
    #[inline]
    #[expect(clippy::disallowed_methods, reason = "measures the program itself, on any clock")]
    pub fn start(&mut self) {
        self.lap_start = Instant::now();
    }

    /// Counts the time since the last lap for this step.
    #[inline]
    #[expect(clippy::disallowed_methods, reason = "measures the program itself, on any clock")]
    pub fn lap(&mut self, step: StepName) {
        let now = Instant::now();
        let nanos = now.duration_since(self.lap_start).as_nanos() as u64;
        self.histograms[step as usize].saturating_record(nanos);
        self.totals_ns[step as usize] += nanos;
        self.lap_start = now;
    }

    /// All time that was spent on a step so far.
    pub fn total(&self, step: StepName) -> Duration {
        Duration::from_nanos(self.totals_ns[step as usize])
    }

    /// Figures of every step that ran.
    pub fn summary(&self) -> StepTimesSummary {
        let summarise = |step: StepName| {
            let histogram = &self.histograms[step as usize];
            StepTimes {
                step,
                count: histogram.len(),
                mean_us: histogram.mean() / 1e3,
                p50_us: histogram.value_at_quantile(0.5) as f64 / 1e3,
                p99_us: histogram.value_at_quantile(0.99) as f64 / 1e3,
                max_us: histogram.max() as f64 / 1e3,
            }
        };
        StepTimesSummary {
            steps: StepName::ALL.into_iter().map(summarise).filter(|step| step.count > 0).collect(),
        }
    }
}

impl Default for Timings {
    fn default() -> Self {
        Self::new()
    }
}

/// Figures of one step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StepTimes {
    /// Which step.
    pub step: StepName,
    /// How often it ran.
    pub count: u64,
    /// Mean, in microseconds.
    pub mean_us: f64,
    /// Median, in microseconds.
    pub p50_us: f64,
    /// 99th percentile, in microseconds.
    pub p99_us: f64,
    /// Longest, in microseconds.
    pub max_us: f64,
}

/// Figures of all steps that ran.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StepTimesSummary {
    /// In the order of a tick.
    pub steps: Vec<StepTimes>,
}
