//! Colours of tiles: drawn from a seed, far enough apart for a person.

use samegame::random::{Random, below, unit};

use super::canvas::Rgb;

/// Least distance between two colours of a palette that people still tell apart at a glance.
const APART: f64 = 70.0;

/// Colours of different hues.
pub fn hues(count: usize, random: &mut Random) -> Vec<Rgb> {
    let mut colours: Vec<Rgb> = Vec::new();
    let mut wanted = APART;
    while colours.len() < count {
        let colour = hsv(unit(random), 0.45 + 0.55 * unit(random), 0.55 + 0.45 * unit(random));
        if colours.iter().all(|other| distance(colour, *other) > wanted) {
            colours.push(colour);
        }
        // Nine colours do not always fit at the full distance.
        wanted = (wanted * 0.999).max(APART / 2.0);
    }
    colours
}

/// One hue at several brightnesses.
pub fn shades(count: usize, random: &mut Random) -> Vec<Rgb> {
    let hue = unit(random);
    let saturation = 0.3 + 0.5 * unit(random);
    let step = 0.75 / count.max(2) as f64;
    let mut shades: Vec<Rgb> = (0..count).map(|i| hsv(hue, saturation, 0.3 + step * i as f64)).collect();
    for i in (1..shades.len()).rev() {
        shades.swap(i, below(random, i as u32 + 1) as usize);
    }
    shades
}

/// A colour from hue, saturation and value, each from 0 to 1.
pub fn hsv(hue: f64, saturation: f64, value: f64) -> Rgb {
    let channel = |n: f64| {
        let k = (n + hue * 6.0).rem_euclid(6.0);
        255.0 * (value - value * saturation * k.min(4.0 - k).clamp(0.0, 1.0))
    };
    [channel(5.0), channel(3.0), channel(1.0)]
}

/// Euclidean distance of two colours.
pub fn distance(a: Rgb, b: Rgb) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt()
}

/// A mixture: all of `a` at 0, all of `b` at 1.
pub fn mix(a: Rgb, b: Rgb, share: f64) -> Rgb {
    [0, 1, 2].map(|i| a[i] * (1.0 - share) + b[i] * share)
}
