//! Sign changes of a smooth function of one variable, decided on panels by Chebyshev series.
//!
//! If the constant of a panel's series exceeds the sum of all other terms, the function has one sign there. If this
//! holds for the derivative, the function is monotone, and the signs at the ends of the panel show whether it changes.
//! Other panels are halved. The decision is reliable as long as the series represent the function: their last
//! coefficients must be small, which polynomials of degree d achieve on panels of about 16/d of the range in which they
//! oscillate.

use std::f64::consts::PI;

/// Degree of the series.
const DEGREE: usize = 16;
/// Number of last coefficients from which the truncation error is estimated.
const LAST: usize = 3;
/// Largest ratio of the last coefficients to all of them for a resolved series.
const RESOLVED: f64 = 1e-4;
/// Factor of the assumed truncation error over the last coefficients.
const LEFT_OUT: f64 = 10.0;
/// Maximum number of halvings of a panel, down to the rounding of the variable.
const DEEPEST: usize = 48;
/// Number of points beyond which panels are no longer halved, because the noise is then larger than stated.
const MOST: usize = 20_000;

/// Returns points between `from` and `to` with the values of the function, such that it changes its sign at most once
/// between neighbors, and not at all if their signs are equal.
///
/// Values up to `noise`, or up to this fraction of larger values, count as rounding; the sign of a function within this
/// range is not resolved further.
pub(crate) fn isolate_sign_changes(
    f: &impl Fn(f64) -> f64,
    (from, to): (f64, f64),
    cells: usize,
    noise: f64,
) -> Vec<(f64, f64)> {
    let end = |k: usize| from + (to - from) * (k as f64 / cells as f64);
    let mut places = vec![(from, f(from))];
    for k in 0..cells {
        explore(f, (end(k), end(k + 1)), noise, DEEPEST, &mut places);
    }
    places
}

/// Appends the points of a panel except its first one.
fn explore(f: &impl Fn(f64) -> f64, (low, high): (f64, f64), noise: f64, depth: usize, places: &mut Vec<(f64, f64)>) {
    let nodes = nodes(low, high);
    let values = nodes.map(f);
    if depth == 0 || places.len() > MOST || is_decided(&values, noise) {
        places.push((high, values[DEGREE]));
        return;
    }
    let middle = f64::midpoint(low, high);
    explore(f, (low, middle), noise, depth - 1, places);
    explore(f, (middle, high), noise, depth - 1, places);
}

/// Returns the points (1 − cos kπ/n)/2 of the panel, with exact ends.
fn nodes(low: f64, high: f64) -> [f64; DEGREE + 1] {
    std::array::from_fn(|k| match k {
        0 => low,
        DEGREE => high,
        _ => low + (high - low) * 0.5 * (1.0 - (PI * k as f64 / DEGREE as f64).cos()),
    })
}

/// Returns whether a function with these values changes its sign exactly once if the signs at the ends differ, and
/// nowhere if they agree.
fn is_decided(values: &[f64; DEGREE + 1], noise: f64) -> bool {
    if values.iter().all(|value| *value == f64::INFINITY) || values.iter().all(|value| value.abs() <= noise) {
        return true;
    }
    if !values.iter().all(|value| value.is_finite()) {
        return false;
    }
    let series = coefficients(values);
    let size = |series: &[f64]| series.iter().map(|c| c.abs()).sum::<f64>();
    let last = size(&series[DEGREE + 1 - LAST..]);
    let all = size(&series);
    let rounding = noise * all.max(1.0);
    let left_out = LEFT_OUT * last + rounding;
    if last > RESOLVED * all + rounding {
        return false;
    }
    if 2.0 * series[0].abs() > all + left_out {
        return true;
    }
    let slopes = derivative(&series);
    // Markov's inequality: |p′| ≤ n²|p|.
    2.0 * slopes[0].abs() > size(&slopes) + (DEGREE * DEGREE) as f64 * left_out
}

/// Computes the coefficients of Σ c_k T_k through the values.
fn coefficients(values: &[f64; DEGREE + 1]) -> [f64; DEGREE + 1] {
    let half = |k: usize| if k == 0 || k == DEGREE { 0.5 } else { 1.0 };
    std::array::from_fn(|k| {
        // The nodes run from −1 to 1.
        let term =
            |j: usize| half(j) * values[j] * (PI * (k * (DEGREE - j) % (2 * DEGREE)) as f64 / DEGREE as f64).cos();
        half(k) * 2.0 / DEGREE as f64 * (0..=DEGREE).map(term).sum::<f64>()
    })
}

/// Computes the series of the derivative: c′_{k−1} = c′_{k+1} + 2k c_k.
fn derivative(series: &[f64; DEGREE + 1]) -> [f64; DEGREE + 1] {
    let mut slopes = [0.0; DEGREE + 2];
    for k in (1..=DEGREE).rev() {
        slopes[k - 1] = if k < DEGREE { slopes[k + 1] } else { 0.0 } + 2.0 * k as f64 * series[k];
    }
    slopes[0] *= 0.5;
    std::array::from_fn(|k| slopes[k])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changes(f: impl Fn(f64) -> f64, range: (f64, f64)) -> usize {
        isolate_sign_changes(&f, range, 1, 1e-13)
            .windows(2)
            .filter(|pair| (pair[0].1 > 0.0) != (pair[1].1 > 0.0))
            .count()
    }

    #[test]
    fn no_sign_is_missed() {
        assert_eq!(changes(|x| (40.0 * x).sin() + 1e-3, (0.0, PI)), 40);
        // Two roots 2e-6 apart, and none.
        assert_eq!(changes(|x| (x - 0.317).powi(2) - 1e-12, (0.0, 1.0)), 2);
        assert_eq!(changes(|x| (x - 0.317).powi(2) + 1e-12, (0.0, 1.0)), 0);
        // A peak of width 0.01 on a function of size one, and a jump to infinity.
        assert_eq!(changes(|x| 1e-3 / ((x - 0.7).powi(2) + 1e-4) - 0.5 - x, (0.0, 1.0)), 2);
        assert_eq!(changes(|x| if x < 0.3 { -1.0 } else { f64::INFINITY }, (0.0, 1.0)), 1);
        // Powers from 1e-30 to 1e30.
        assert_eq!(changes(|x| x.powi(60) - 1.0, (0.0, 10.0)), 1);
    }

    #[test]
    fn rounding_is_not_halved_forever() {
        let calls = std::cell::Cell::new(0);
        let flat = |x: f64| {
            calls.set(calls.get() + 1);
            1e-16 * (1e9 * x).sin()
        };
        assert!(
            isolate_sign_changes(&flat, (0.0, 1.0), 4, 1e-13).iter().all(|place| place.1.abs() <= 1e-16)
                && calls.get() < 100
        );
    }

    #[test]
    fn series_of_polynomials() {
        let values = nodes(-1.0, 1.0).map(|x| 4.0 * x * x * x - 3.0 * x + 2.0);
        let series = coefficients(&values);
        let slopes = derivative(&series);
        for k in 0..=DEGREE {
            let expected = [2.0, 0.0, 0.0, 1.0].get(k).copied().unwrap_or(0.0);
            assert!((series[k] - expected).abs() < 1e-14, "{k}");
            // T₃′ = 6T₂ + 3.
            let expected = [3.0, 0.0, 6.0].get(k).copied().unwrap_or(0.0);
            assert!((slopes[k] - expected).abs() < 1e-12, "{k}: {}", slopes[k]);
        }
    }
}
