//! The distance at which a profile repeats, to fractions of a pixel.
//!
//! A profile is folded at a trial pitch; the pitch is right where the folds agree (epoch folding, as
//! astronomers find the period of a pulsar).

/// Pitches that can be found, in pixels.
pub const SMALLEST: f64 = 10.5;
/// A smaller pitch that folds nearly as well as the best is the pitch: multiples fold as well.
const NEARLY: f64 = 0.85;
/// Anything that folds worse than this, relative to the best, is not a pitch.
const MAYBE: f64 = 0.5;
const MOST_CANDIDATES: usize = 3;
/// Fewer repeats than this say nothing.
const FEWEST_REPEATS: f64 = 2.2;

/// The pitches near a coarse one, its parts and its multiples that fold well, the best first. The coarse one itself is
/// always among the first two: what surrounds a few cells may fold better at another.
pub fn candidates(profile: &[f32], coarse: f64) -> Vec<f64> {
    let profile = Profile::new(profile);
    let mut tried: Vec<(f64, f64)> = Vec::new();
    let mut own = None;
    for share in (1..=8).rev().map(|part| 1.0 / f64::from(part)).chain([2.0, 3.0]) {
        let trial = coarse * share;
        let fits = profile.values.len() as f64 > trial * FEWEST_REPEATS;
        let is_coarse = (share - 1.0).abs() < f64::EPSILON;
        if trial >= SMALLEST && (fits || is_coarse) {
            // The coarse pitch is exact to a pixel, and a part of it to a part.
            let found = profile.refine(trial, (1.2 * share).clamp(0.25, 1.5));
            tried.push(found);
            if is_coarse {
                own = Some(found.0);
            }
        }
    }
    let best = tried.iter().map(|(_, agreement)| *agreement).fold(0.0, f64::max);
    tried.retain(|(_, agreement)| *agreement >= MAYBE * best);
    // The smallest that folds nearly as well as the best comes first.
    let first = tried.iter().position(|(_, agreement)| *agreement >= NEARLY * best);
    let first = first.map(|at| tried.remove(at));
    tried.sort_by(|a, b| b.1.total_cmp(&a.1));
    let mut pitches: Vec<f64> = first.into_iter().chain(tried).map(|(pitch, _)| pitch).collect();
    let is_same = |a: f64, b: f64| (a - b).abs() < f64::EPSILON;
    if let Some(own) = own.filter(|&own| !pitches.iter().take(2).any(|&pitch| is_same(pitch, own))) {
        pitches.retain(|&pitch| !is_same(pitch, own));
        pitches.insert(pitches.len().min(1), own);
    }
    pitches.truncate(MOST_CANDIDATES);
    pitches
}

/// The pitch within a pixel of a coarse one.
pub fn refine(profile: &[f32], coarse: f64) -> f64 {
    Profile::new(profile).refine(coarse, 0.8).0
}

/// How well the profile agrees with itself when folded at this pitch, 0 to 1.
pub fn agreement(profile: &[f32], pitch: f64) -> f64 {
    Profile::new(profile).agreement(pitch)
}

struct Profile {
    /// Smoothed, with mean 0.
    values: Vec<f64>,
    /// Sum of their squares.
    all: f64,
}

impl Profile {
    fn new(profile: &[f32]) -> Self {
        let at = |i: isize| {
            let inside = i.clamp(0, profile.len() as isize - 1);
            f64::from(profile[inside as usize])
        };
        // A pitch with a fraction puts edges on two pixels in turn.
        let mut values: Vec<f64> =
            (0..profile.len() as isize).map(|i| 0.25 * at(i - 1) + 0.5 * at(i) + 0.25 * at(i + 1)).collect();
        let mean = values.iter().sum::<f64>() / values.len().max(1) as f64;
        for value in &mut values {
            *value -= mean;
        }
        let all = values.iter().map(|value| value * value).sum::<f64>().max(1e-9);
        Self { values, all }
    }

    /// The best pitch within a range, and how well it agrees.
    fn refine(&self, middle: f64, range: f64) -> (f64, f64) {
        let repeats = (self.values.len() as f64 / middle).max(1.0);
        // An error adds up over the repeats: it must stay below a pixel in all.
        let step = (0.4 / repeats).max(0.004);
        let steps = (range / step).ceil() as i32;
        let trials = (-steps..=steps).map(|i| middle + f64::from(i) * step);
        let scored = trials.map(|pitch| (pitch, self.agreement(pitch)));
        let (pitch, agreement) = scored.max_by(|a, b| a.1.total_cmp(&b.1)).unwrap_or((middle, 0.0));
        // Most programs count in whole pixels, and a whole one that is off by a pixel in all is meant.
        let whole = pitch.round();
        if (pitch - whole).abs() * repeats < 1.3 {
            let exact = self.agreement(whole);
            if exact > 0.9 * agreement {
                return (whole, exact);
            }
        }
        (pitch, agreement)
    }

    /// Share of the variance that the folded profile explains, less what chance explains.
    fn agreement(&self, pitch: f64) -> f64 {
        let bins = pitch.round().max(2.0) as usize;
        let mut sums = [(0.0_f64, 0.0_f64); 256];
        let sums = &mut sums[..bins.min(256)];
        let per_pixel = sums.len() as f64 / pitch;
        let last = sums.len() - 1;
        let mut turn = 0.0_f64;
        for value in &self.values {
            let sum = &mut sums[(turn as usize).min(last)];
            sum.0 += value;
            sum.1 += 1.0;
            turn += per_pixel;
            if turn >= last as f64 + 1.0 {
                turn -= last as f64 + 1.0;
            }
        }
        let explained: f64 = sums.iter().map(|(sum, count)| sum * sum / count.max(1.0)).sum();
        let (count, free) = (self.values.len() as f64, self.values.len() as f64 - sums.len() as f64);
        if free < 1.0 {
            return 0.0;
        }
        (1.0 - (1.0 - explained / self.all) * (count - 1.0) / free).max(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lines at this pitch, each on the pixel where it begins.
    fn lines(pitch: f64, length: usize) -> Vec<f32> {
        let mut profile = vec![0.0; length];
        let mut at = 3.0;
        while at < length as f64 {
            profile[at as usize] = 100.0;
            at += pitch;
        }
        profile
    }

    #[test]
    fn a_pitch_is_found_to_fractions_of_a_pixel() {
        for pitch in [12.0, 17.3, 25.6, 33.6] {
            let found = refine(&lines(pitch, 400), pitch.round());
            assert!((found - pitch).abs() < 0.06, "{pitch} found as {found}");
        }
    }

    #[test]
    fn a_multiple_leads_to_the_pitch() {
        let profile = lines(17.3, 400);
        for times in [1.0, 2.0, 3.0, 5.0] {
            let found = candidates(&profile, (17.3_f64 * times).round())[0];
            assert!((found - 17.3).abs() < 0.1, "found {found} from {times} times the pitch");
        }
    }

    #[test]
    fn nothing_repeats_in_an_empty_profile() {
        assert!(agreement(&[0.0; 100], 20.0) < 0.01);
        assert!(agreement(&[], 20.0) < 0.01);
        assert!(candidates(&[0.0; 4], 20.0).len() <= 1);
    }
}
