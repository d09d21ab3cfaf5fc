//! The display: its size, its shades, and when its periods begin.

use std::time::Duration;

/// Pixels in a row of the display.
pub const SCREEN_WIDTH: usize = 160;
/// Rows of the display.
pub const SCREEN_HEIGHT: usize = 144;
/// Clock ticks of one display period …
pub const PERIOD: u64 = 70_224;
/// … of which this many make a second.
pub const TICKS_PER_SECOND: u64 = 4_194_304;

/// Luma of the four shades, white first.
pub const LUMA: [u8; 4] = [255, 170, 85, 0];

/// When display period `number` begins, after the console was switched on.
pub fn period_start(number: u64) -> Duration {
    let nanos = (u128::from(number) * u128::from(PERIOD) * 1_000_000_000).div_ceil(TICKS_PER_SECOND.into());
    Duration::from_nanos(nanos as u64)
}

/// The number of the period that begins at or before this time after switching on.
pub fn period_at(time: Duration) -> u64 {
    (time.as_nanos() * u128::from(TICKS_PER_SECOND) / (u128::from(PERIOD) * 1_000_000_000)) as u64
}

/// How long this many display periods take.
pub fn periods(count: u32) -> Duration {
    period_start(u64::from(count))
}

/// A picture of 160 × 144 shades, 0 white to 3 black, top row first.
#[derive(Clone, PartialEq, Eq)]
pub struct Screen {
    /// One byte a pixel.
    pub shades: Box<[u8]>,
}

impl Screen {
    /// A white screen.
    pub fn white() -> Screen {
        Screen { shades: vec![0; SCREEN_WIDTH * SCREEN_HEIGHT].into() }
    }

    /// The shade of a pixel; white outside the screen.
    pub fn shade(&self, x: usize, y: usize) -> u8 {
        if x < SCREEN_WIDTH { self.shades.get(y * SCREEN_WIDTH + x).copied().unwrap_or(0) } else { 0 }
    }

    /// Writes the luma of every pixel, top row first.
    pub fn write_luma(&self, pixels: &mut [u8]) {
        for (luma, shade) in pixels.iter_mut().zip(self.shades.iter()) {
            *luma = LUMA[usize::from(shade & 3)];
        }
    }
}

impl std::fmt::Debug for Screen {
    /// Every second row and pixel, as much as a failing test can show.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for y in (0..SCREEN_HEIGHT).step_by(2) {
            let row = (0..SCREEN_WIDTH).step_by(2);
            let line: String = row.map(|x| [' ', '-', '+', '#'][usize::from(self.shade(x, y) & 3)]).collect();
            writeln!(f, "{line}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn periods_and_moments_are_inverse() {
        for number in [0, 1, 2, 59, 60, 61, 4_194_304, 1 << 40] {
            assert_eq!(period_at(period_start(number)), number);
            assert_eq!(period_at(period_start(number + 1).saturating_sub(Duration::from_nanos(1))), number);
        }
    }
}
