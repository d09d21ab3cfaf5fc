//! What JPEG does to a grey frame: blocks of 8 × 8 lose their fine frequencies. Nothing is encoded.

/// Luminance quantisation of the JPEG standard (ITU-T T.81, table K.1).
const STEPS: [f32; 64] = [
    16.0, 11.0, 10.0, 16.0, 24.0, 40.0, 51.0, 61.0, 12.0, 12.0, 14.0, 19.0, 26.0, 58.0, 60.0, 55.0, 14.0,
    13.0, 16.0, 24.0, 40.0, 57.0, 69.0, 56.0, 14.0, 17.0, 22.0, 29.0, 51.0, 87.0, 80.0, 62.0, 18.0, 22.0,
    37.0, 56.0, 68.0, 109.0, 103.0, 77.0, 24.0, 35.0, 55.0, 64.0, 81.0, 104.0, 113.0, 92.0, 49.0, 64.0, 78.0,
    87.0, 103.0, 121.0, 120.0, 101.0, 72.0, 92.0, 95.0, 98.0, 112.0, 100.0, 103.0, 99.0,
];
/// Adding and taking away 1.5 · 2²³ rounds a small number: faster than `round`, which looks at ties.
const ROUNDER: f32 = 12_582_912.0;

/// Compresses and expands a frame of this size in place; quality is 1 to 100, as libjpeg counts it.
pub(super) fn compress(frame: &mut [u8], (width, height): (usize, usize), quality: u8) {
    let quality = f32::from(quality.clamp(1, 100));
    let scale = if quality < 50.0 { 50.0 / quality } else { 2.0 - quality / 50.0 };
    let steps = STEPS.map(|step| (step * scale).round().max(1.0));
    let waves = waves();
    for top in (0..height / 8 * 8).step_by(8) {
        for left in (0..width / 8 * 8).step_by(8) {
            let at = |row: usize| (top + row) * width + left;
            let mut block = [[0.0; 8]; 8];
            for (row, values) in block.iter_mut().enumerate() {
                for (value, pixel) in values.iter_mut().zip(&frame[at(row)..at(row) + 8]) {
                    *value = f32::from(*pixel) - 128.0;
                }
            }
            let transposed = std::array::from_fn(|i| std::array::from_fn(|j| waves[j][i]));
            let mut frequencies = multiply(&multiply(&waves, &block), &transposed);
            for (frequency, step) in frequencies.as_flattened_mut().iter_mut().zip(&steps) {
                *frequency = ((*frequency / step) + ROUNDER - ROUNDER) * step;
            }
            let block = multiply(&multiply(&transposed, &frequencies), &waves);
            for (row, values) in block.iter().enumerate() {
                for (value, pixel) in values.iter().zip(&mut frame[at(row)..at(row) + 8]) {
                    // The cast saturates.
                    *pixel = (value + 128.5) as u8;
                }
            }
        }
    }
}

/// The cosines of the transform: row u is the wave of frequency u.
fn waves() -> [[f32; 8]; 8] {
    std::array::from_fn(|u| {
        let scale = if u == 0 { 0.125f32.sqrt() } else { 0.5 };
        std::array::from_fn(|x| scale * ((2 * x + 1) as f32 * u as f32 * std::f32::consts::PI / 16.0).cos())
    })
}

#[inline(always)]
fn multiply(a: &[[f32; 8]; 8], b: &[[f32; 8]; 8]) -> [[f32; 8]; 8] {
    let mut product = [[0.0; 8]; 8];
    for (row, out) in a.iter().zip(&mut product) {
        for (factor, values) in row.iter().zip(b) {
            for (out, value) in out.iter_mut().zip(values) {
                *out += factor * value;
            }
        }
    }
    product
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(quality: u8) -> f64 {
        let frame: Vec<u8> =
            (0..64 * 48).map(|i| if (i / 5 + i / 64 / 3) % 4 == 0 { 40 } else { 200 }).collect();
        let mut compressed = frame.clone();
        compress(&mut compressed, (64, 48), quality);
        let squares = frame.iter().zip(&compressed).map(|(a, b)| f64::from(a.abs_diff(*b)).powi(2));
        (squares.sum::<f64>() / frame.len() as f64).sqrt()
    }

    #[test]
    fn less_quality_is_less_like_the_original() {
        assert!(error(100) < 1.0, "{}", error(100));
        assert!(error(80) > error(100) && error(20) > 2.0 * error(80), "{} {}", error(80), error(20));
    }
}
