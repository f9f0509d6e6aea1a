//! Observed orders: slopes of log error over log steps.

use crate::convergence::comparison::Sample;

/// Error below which a run counts, relative to the scale of the solution.
const SMALL: f64 = 0.1;
/// Multiple of the reference's uncertainty above which a run counts.
const CLEAR: f64 = 20.0;
/// Largest difference between slopes in the asymptotic range.
const SPREAD: f64 = 0.2;

/// An order fitted to several runs.
#[derive(Clone, Debug, PartialEq)]
pub struct OrderFit {
    /// The slope of the least-squares line through log error over log steps.
    pub order: f64,
    /// The smallest and the largest number of steps of the runs.
    pub steps: [u64; 2],
    /// The smallest and the largest slope between neighboring runs.
    pub slopes: [f64; 2],
    /// Whether the slopes agree. Otherwise, the order is the slope between the two last runs.
    pub is_asymptotic: bool,
}

/// Fits the observed order over the asymptotic range: the longest sequence of runs, up to the last or the
/// second-to-last one, between which the slopes differ by at most 0.2. At least three runs are needed; if there are no
/// such runs, the order is that of [`observed_order`].
///
/// The slope of a single pair is unreliable: an error that changes its sign, or rounding, shifts it by far more than a
/// fit over several runs. Only runs with errors below a tenth of the scale and well above the uncertainty of the
/// reference are used. Returns `None` if there are fewer than two.
///
/// ```
/// use hemiola_integrate::{Outcome, Sample, fitted_order};
/// let sample = |steps: u64| {
///     let h = 1.0 / steps as f64;
///     Sample { steps, outcome: Outcome::Finished, error: h.powi(4) + 9.0 * h.powi(6), evaluations: vec![], jacobians: 0 }
/// };
/// let samples: Vec<Sample> = (1..9).map(|k| sample(1 << k)).collect();
/// let fit = fitted_order(&samples, 1e-16).ok_or("too few runs")?;
/// assert!((fit.order - 4.03).abs() < 0.01 && fit.steps == [8, 256] && fit.is_asymptotic);
/// # Ok::<(), &str>(())
/// ```
#[must_use]
pub fn fitted_order(samples: &[Sample], uncertainty: f64) -> Option<OrderFit> {
    let shown = shown(samples, uncertainty);
    for last in (2..shown.len()).rev().take(2) {
        let range = asymptotic_range(&shown[..=last]);
        if range.len() > 2 {
            let is_asymptotic = true;
            return Some(OrderFit {
                order: least_squares(range),
                steps: steps(range),
                slopes: slopes(range),
                is_asymptotic,
            });
        }
    }
    let pair = &shown[shown.len().checked_sub(2)?..];
    Some(OrderFit { order: slope(pair[0], pair[1]), steps: steps(pair), slopes: slopes(pair), is_asymptotic: false })
}

/// Computes the slope of log error over log steps between the last two samples whose errors are below a tenth of the
/// scale and well above the uncertainty of the reference.
///
/// Returns `None` if fewer than two samples qualify.
#[must_use]
pub fn observed_order(samples: &[Sample], uncertainty: f64) -> Option<f64> {
    let shown = shown(samples, uncertainty);
    let [.., coarse, fine] = shown[..] else { return None };
    Some(slope(coarse, fine))
}

fn shown(samples: &[Sample], uncertainty: f64) -> Vec<&Sample> {
    samples.iter().filter(|sample| sample.error < SMALL && sample.error > CLEAR * uncertainty).collect()
}

fn slope(coarse: &Sample, fine: &Sample) -> f64 {
    (coarse.error / fine.error).ln() / (fine.steps as f64 / coarse.steps as f64).ln()
}

/// Returns the smallest and the largest slope between neighbors.
fn slopes(range: &[&Sample]) -> [f64; 2] {
    let each = range.windows(2).map(|pair| slope(pair[0], pair[1]));
    each.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], slope| [low.min(slope), high.max(slope)])
}

fn steps(range: &[&Sample]) -> [u64; 2] {
    [range.first(), range.last()].map(|sample| sample.map_or(0, |sample| sample.steps))
}

/// Returns the longest sequence of samples up to the last with nearly equal slopes.
fn asymptotic_range<'r, 's>(samples: &'r [&'s Sample]) -> &'r [&'s Sample] {
    let agrees = |&start: &usize| {
        let [low, high] = slopes(&samples[start..]);
        high - low <= SPREAD
    };
    // Every end of a sequence with nearly equal slopes has nearly equal slopes.
    let start = (0..samples.len() - 1).rev().take_while(agrees).last().unwrap_or(samples.len() - 1);
    &samples[start..]
}

/// Returns the negative slope of the least-squares line through the logarithms of errors over those of steps.
fn least_squares(range: &[&Sample]) -> f64 {
    let points = || range.iter().map(|sample| ((sample.steps as f64).ln(), sample.error.ln()));
    let count = range.len() as f64;
    let [x, y] = points().fold([0.0; 2], |[x, y], (a, b)| [x + a / count, y + b / count]);
    let [xx, xy] = points().fold([0.0; 2], |[xx, xy], (a, b)| [xx + (a - x).powi(2), xy + (a - x) * (b - y)]);
    -xy / xx
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Outcome;

    fn samples(error: impl Fn(f64) -> f64) -> Vec<Sample> {
        let sample = |k: u32| {
            let steps = 1 << k;
            let error = error(1.0 / steps as f64);
            Sample { steps, outcome: Outcome::Finished, error, evaluations: Vec::new(), jacobians: 0 }
        };
        (2..12).map(sample).collect()
    }

    #[test]
    fn a_power_law_is_fitted_over_all_runs_that_show_it() {
        let fit = fitted_order(&samples(|h| 3.0 * h.powi(3)), 1e-9).unwrap();
        // 3/4³ = 0.047 is below a tenth, 3/512³ = 2.2e-8 above twenty uncertainties and 3/1024³ is not.
        assert!((fit.order - 3.0).abs() < 1e-12 && fit.steps == [4, 512] && fit.is_asymptotic, "{fit:?}");
        assert_eq!(fitted_order(&samples(|_| 1.0), 0.0), None);
    }

    #[test]
    fn rounding_in_the_last_run_is_no_part_of_the_range() {
        let noisy = samples(|h| h.powi(2) + if h < 6e-4 { 1e-6 } else { 0.0 });
        let fit = fitted_order(&noisy, 1e-9).unwrap();
        assert!((fit.order - 2.0).abs() < 1e-9 && fit.steps == [4, 1024], "{fit:?}");
        // The last error is larger than the one before.
        assert!(observed_order(&noisy, 1e-9).unwrap() < 1.5);
    }

    #[test]
    fn an_error_that_changes_its_sign_has_no_asymptotic_range_yet() {
        let fit = fitted_order(&samples(|h| (h.powi(4) - 1500.0 * h.powi(5)).abs().min(1.0)), 0.0).unwrap();
        assert!(!fit.is_asymptotic && fit.slopes == [fit.order; 2], "{fit:?}");
    }
}
