//! How bright a known thing looks in this light: uneven, changing, with reflections.

use crate::homography::Point;
use crate::solve::{off_plane, solve};

/// Light over the seen plane: a thing of brightness b at (x, y) looks as bright as
/// (g₀ + g₁ x + g₂ y) b + o₀ + o₁ x + o₂ y. Contrast and haze may both change across the screen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Light {
    gain: [f64; 3],
    offset: [f64; 3],
    /// How well the references, in this light, explain what was seen: 1 in full, 0 no better than light alone.
    pub fit: f64,
    /// The usual difference between what was seen and what the light explains, in grey levels.
    pub residual: f64,
}

/// A place whose brightness is known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reference {
    /// Where it is on the plane; both coordinates about -1 to 1, so that the sums below are well scaled.
    pub at: Point,
    /// How bright it is by itself, 0 to 1.
    pub brightness: f64,
}

/// Rounds of leaving aside what does not fit; a reflection covers a few references at most.
const ROUNDS: usize = 3;

impl Light {
    /// The light under which the references look as bright as was seen; what does not fit the others
    /// (a reflection, a finger) counts for little. `None` if they cannot tell.
    pub fn fit(references: &[Reference], seen: &[f32]) -> Option<Light> {
        let mut weights = vec![1.0; references.len().min(seen.len())];
        let mut off = Vec::with_capacity(references.len());
        let mut light = None;
        for _ in 0..ROUNDS {
            let mut fitted = Light::fit_weighted(references, seen, &weights)?;
            fitted.residual = fitted.usual_difference(references, seen, &mut off);
            let spread = (1.5 * fitted.residual).max(1.0);
            for ((weight, reference), seen) in weights.iter_mut().zip(references).zip(seen) {
                let off = (f64::from(*seen) - fitted.of(reference.at, reference.brightness)) / spread;
                *weight = 1.0 / (1.0 + off * off).powi(2);
            }
            light = Some(fitted);
        }
        light.map(|light| Light { fit: light.explained(references, seen), ..light })
    }

    fn fit_weighted(references: &[Reference], seen: &[f32], weights: &[f64]) -> Option<Light> {
        let mut normal = [[0.0; 7]; 6];
        for ((reference, seen), weight) in references.iter().zip(seen).zip(weights) {
            let terms = terms(reference.at, reference.brightness);
            for row in 0..6 {
                for column in row..6 {
                    normal[row][column] += weight * terms[row] * terms[column];
                }
                normal[row][6] += weight * terms[row] * f64::from(*seen);
            }
        }
        for row in 0..6 {
            // A little stiffness: where all references are of one brightness, the planes stay flat.
            normal[row][row] += [1e-6, 1e-2, 1e-2, 1e-6, 1e-2, 1e-2][row];
            for column in 0..row {
                normal[row][column] = normal[column][row];
            }
        }
        let [g0, g1, g2, o0, o1, o2] = solve(normal)?;
        Some(Light { gain: [g0, g1, g2], offset: [o0, o1, o2], fit: 0.0, residual: 0.0 })
    }

    fn differences(&self, references: &[Reference], seen: &[f32]) -> impl Iterator<Item = f64> {
        references
            .iter()
            .zip(seen)
            .map(|(reference, seen)| f64::from(*seen) - self.of(reference.at, reference.brightness))
    }

    /// The median of what differs; `off` is room for the differences.
    fn usual_difference(&self, references: &[Reference], seen: &[f32], off: &mut Vec<f64>) -> f64 {
        off.clear();
        off.extend(self.differences(references, seen).map(f64::abs));
        let middle = off.len() / 2;
        if off.is_empty() { 0.0 } else { *off.select_nth_unstable_by(middle, f64::total_cmp).1 }
    }

    /// How much of what was seen, beyond light alone, the references explain.
    fn explained(&self, references: &[Reference], seen: &[f32]) -> f64 {
        let values = references.iter().zip(seen).map(|(r, seen)| (r.at.x, r.at.y, f64::from(*seen)));
        let all = off_plane(values);
        let left: f64 = self.differences(references, seen).map(|difference| difference * difference).sum();
        // A grey level of noise in each reference: where nothing differs by more, nothing was explained.
        let noise = references.len() as f64;
        ((all - left) / (all + noise).max(1.0)).clamp(0.0, 1.0).sqrt()
    }

    /// How bright a thing of this brightness looks at this place.
    pub fn of(&self, at: Point, brightness: f64) -> f64 {
        let terms = terms(at, brightness);
        (0..3).map(|i| self.gain[i] * terms[i] + self.offset[i] * terms[3 + i]).sum()
    }

    /// How bright a thing is by itself that looks so at this place: about 0 to 1. Nothing in the dark.
    pub fn undo(&self, at: Point, seen: f64) -> Option<f64> {
        let (dark, bright) = (self.of(at, 0.0), self.of(at, 1.0));
        (bright - dark > 1.0).then(|| (seen - dark) / (bright - dark))
    }
}

fn terms(at: Point, brightness: f64) -> [f64; 6] {
    [brightness, brightness * at.x, brightness * at.y, 1.0, at.x, at.y]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn references() -> Vec<Reference> {
        (0..60)
            .map(|i| Reference {
                at: Point::new(f64::from(i % 8) / 4.0 - 1.0, f64::from(i / 8) / 4.0 - 1.0),
                brightness: f64::from(i * 7 % 4) / 3.0,
            })
            .collect()
    }

    #[test]
    fn uneven_light_and_a_reflection_are_told_apart() {
        let references = references();
        let look = |r: &Reference| (120.0 + 30.0 * r.at.x) * r.brightness + 40.0 - 10.0 * r.at.y;
        let mut seen: Vec<f32> = references.iter().map(|r| look(r) as f32).collect();
        let clean = Light::fit(&references, &seen).unwrap();
        assert!(clean.fit > 0.999, "{clean:?}");
        for seen in &mut seen[20..25] {
            *seen += 110.0;
        }
        let light = Light::fit(&references, &seen).unwrap();
        for r in &references {
            assert!((light.of(r.at, r.brightness) - look(r)).abs() < 2.0, "{light:?}");
            let undone = light.undo(r.at, look(r)).unwrap();
            assert!((undone - r.brightness).abs() < 0.03);
        }
    }

    #[test]
    fn darkness_says_nothing() {
        let references = references();
        let light = Light::fit(&references, &[7.0; 60]).unwrap();
        assert_eq!(light.undo(Point::new(0.0, 0.0), 7.0), None);
        assert!(light.fit < 0.5);
    }
}
