//! Whether counts fit a model.

use serde::Serialize;

/// The result of a test.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct ChiSquare {
    /// Sum of squared differences by what was expected.
    pub statistic: f64,
    /// Free counts.
    pub degrees_of_freedom: u32,
    /// Probability of a statistic this large or larger if the model is right.
    pub p_value: f64,
}

/// Expected count below which a group says nothing.
const LEAST_EXPECTED: f64 = 5.0;

/// Tests groups of counts, each against its own probabilities; groups too small for the test are left out.
pub fn chi_square<'a>(groups: impl Iterator<Item = (&'a [u32; 7], &'a [f64; 7])>) -> ChiSquare {
    let (mut statistic, mut degrees) = (0.0, 0);
    for (counts, model) in groups {
        let total = f64::from(counts.iter().sum::<u32>());
        if model.iter().any(|share| share * total < LEAST_EXPECTED) {
            continue;
        }
        statistic += counts
            .iter()
            .zip(model)
            .map(|(count, share)| (f64::from(*count) - share * total).powi(2) / (share * total))
            .sum::<f64>();
        degrees += 6;
    }
    let p_value = upper_gamma(f64::from(degrees) / 2.0, statistic / 2.0);
    ChiSquare { statistic, degrees_of_freedom: degrees, p_value }
}

/// The regularised upper incomplete gamma function Q(a, x): by its series below a + 1, by a continued
/// fraction (modified Lentz) above; see Numerical Recipes, section 6.2.
fn upper_gamma(a: f64, x: f64) -> f64 {
    if a <= 0.0 || x <= 0.0 {
        return 1.0;
    }
    let scale = (a * x.ln() - x - ln_gamma(a)).exp();
    if x < a + 1.0 {
        let (mut term, mut sum) = (1.0 / a, 1.0 / a);
        for n in 1..10_000 {
            term *= x / (a + f64::from(n));
            sum += term;
            if term < sum * 1e-15 {
                break;
            }
        }
        return 1.0 - sum * scale;
    }
    let mut b = x + 1.0 - a;
    let mut c = 1e300;
    let mut d = 1.0 / b;
    let mut fraction = d;
    for n in 1..10_000 {
        let n = f64::from(n);
        let factor = -n * (n - a);
        b += 2.0;
        d = 1.0 / (factor * d + b);
        c = b + factor / c;
        fraction *= c * d;
        if (c * d - 1.0).abs() < 1e-15 {
            break;
        }
    }
    fraction * scale
}

/// Stirling's series, moved up to where it is exact to all digits that count.
fn ln_gamma(x: f64) -> f64 {
    let (mut x, mut shift) = (x, 0.0);
    while x < 20.0 {
        shift += x.ln();
        x += 1.0;
    }
    (x - 0.5) * x.ln() - x + 0.5 * (2.0 * std::f64::consts::PI).ln() + 1.0 / (12.0 * x)
        - 1.0 / (360.0 * x.powi(3))
        - shift
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_quantiles() {
        // 95 % quantiles of the chi-square distribution.
        for (degrees, quantile) in [(1.0, 3.841_459), (6.0, 12.591_587), (48.0, 65.170_769), (294.0, 334.99)]
        {
            let p = upper_gamma(degrees / 2.0, quantile / 2.0);
            assert!((p - 0.05).abs() < 2e-4, "{degrees}: {p}");
        }
    }

    #[test]
    fn fair_counts_fit_and_skewed_ones_do_not() {
        let model = [1.0 / 7.0; 7];
        let fair = chi_square([(&[100, 99, 101, 100, 103, 97, 100], &model)].into_iter());
        assert_eq!(fair.degrees_of_freedom, 6);
        assert!(fair.p_value > 0.99);
        let skewed = chi_square([(&[200, 50, 101, 100, 103, 97, 49], &model)].into_iter());
        assert!(skewed.p_value < 1e-6);
        let small = chi_square([(&[1, 0, 2, 0, 0, 0, 0], &model)].into_iter());
        assert_eq!(small.degrees_of_freedom, 0);
    }
}
