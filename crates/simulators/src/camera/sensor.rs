//! The sensor: noise in every pixel, and rows that are read out one after the other.

use std::time::Duration;

use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

/// The sensor's habits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sensor {
    /// Standard deviation of the noise in grey levels, at most 40.
    pub noise: f32,
    /// From the first to the last row of a frame.
    pub readout: Duration,
}

impl Default for Sensor {
    fn default() -> Sensor {
        Sensor { noise: 4.0, readout: Duration::from_millis(16) }
    }
}

/// Noise drawn once; every row of a frame takes it from another place.
#[derive(Clone, Debug)]
pub(super) struct Noise {
    /// What is added and what is taken away; two tables, because processors do either for many pixels at once.
    brighter: Vec<u8>,
    darker: Vec<u8>,
}

const TABLE: usize = 1 << 16;
/// As much as rows are cut into.
const RUN: usize = 640;

impl Noise {
    pub(super) fn new(sensor: &Sensor, random: &mut Xoshiro256PlusPlus) -> Noise {
        let deviation = sensor.noise.clamp(0.0, 40.0);
        // The sum of twelve evenly spread numbers is normal enough.
        let mut normal = || (0..12).map(|_| random.random::<f32>()).sum::<f32>() - 6.0;
        let count = if deviation == 0.0 { 0 } else { TABLE + RUN };
        let table: Vec<_> = (0..count).map(|_| (normal() * deviation).round()).collect();
        // The casts saturate.
        let brighter = table.iter().map(|noise| *noise as u8).collect();
        let darker = table.iter().map(|noise| -noise as u8).collect();
        Noise { brighter, darker }
    }

    pub(super) fn add(&self, frame: &mut [u8], random: &mut Xoshiro256PlusPlus) {
        if self.brighter.is_empty() {
            return;
        }
        for run in frame.chunks_mut(RUN) {
            let start = random.random_range(0..TABLE);
            let noise = self.brighter[start..start + RUN].iter().zip(&self.darker[start..start + RUN]);
            for (pixel, (brighter, darker)) in run.iter_mut().zip(noise) {
                *pixel = pixel.saturating_add(*brighter).saturating_sub(*darker);
            }
        }
    }
}
