//! χ² distribution and confidence ellipses.

use nalgebra::Matrix2;

/// Returns the probability that χ² with this number of degrees of freedom exceeds a value: Q(ν/2, χ²/2), the
/// regularized incomplete gamma function.
///
/// ```
/// use hemiola_optimize::identification::chi_squared_tail;
/// // With two degrees of freedom it is e^{−χ²/2}; 5 % are beyond 3.841 with one, and 18.307 with ten.
/// assert!((chi_squared_tail(3.0, 2) - f64::exp(-1.5)).abs() < 1e-14);
/// assert!((chi_squared_tail(3.841_458_820_694_124, 1) - 0.05).abs() < 1e-12);
/// assert!((chi_squared_tail(18.307_038_053_275_146, 10) - 0.05).abs() < 1e-12);
/// ```
#[must_use]
pub fn chi_squared_tail(value: f64, degrees: usize) -> f64 {
    let (a, x) = (degrees as f64 / 2.0, value / 2.0);
    if x.is_nan() || degrees == 0 {
        return f64::NAN;
    }
    if x <= 0.0 {
        return 1.0;
    }
    let scale = (a * x.ln() - x - ln_gamma(a)).exp();
    if x < a + 1.0 { 1.0 - scale * series(a, x) } else { scale * fraction(a, x) }
}

/// Sums γ(a, x)/(xᵃe⁻ˣ) = Σ xᵏ/(a(a+1)…(a+k)), where γ(a, x) = Γ(a) − Γ(a, x).
fn series(a: f64, x: f64) -> f64 {
    let (mut term, mut sum, mut k) = (1.0 / a, 1.0 / a, a);
    while term > sum * f64::EPSILON {
        k += 1.0;
        term *= x / k;
        sum += term;
    }
    sum
}

/// Computes Γ(a, x)/(xᵃe⁻ˣ) by Lentz's continued fraction (Press et al., Numerical Recipes, §6.2).
fn fraction(a: f64, x: f64) -> f64 {
    const TINY: f64 = 1e-300;
    let mut b = x + 1.0 - a;
    let mut c = 1.0 / TINY;
    let mut d = 1.0 / b;
    let mut value = d;
    for k in 1..100_000 {
        let factor = -f64::from(k) * (f64::from(k) - a);
        b += 2.0;
        let away = |value: f64| if value.abs() < TINY { TINY } else { value };
        d = 1.0 / away(factor * d + b);
        c = away(b + factor / c);
        value *= c * d;
        if (c * d - 1.0).abs() <= f64::EPSILON {
            break;
        }
    }
    value
}

/// Computes ln Γ(a) for multiples of one half: Stirling's series after a shift to arguments where it is exact to
/// rounding.
fn ln_gamma(a: f64) -> f64 {
    let (mut a, mut shift) = (a, 0.0);
    while a < 15.0 {
        shift += a.ln();
        a += 1.0;
    }
    let square = 1.0 / (a * a);
    let tail = [1.0 / 12.0, -1.0 / 360.0, 1.0 / 1260.0, -1.0 / 1680.0, 1.0 / 1188.0];
    let tail = tail.iter().rev().fold(0.0, |sum, term| sum * square + term) / a;
    (a - 0.5) * a.ln() - a + 0.5 * std::f64::consts::TAU.ln() + tail - shift
}

/// Returns points on the confidence ellipse of two parameters for a probability, given their values and their
/// covariance.
///
/// ```
/// use hemiola_optimize::identification::ellipse;
/// let points = ellipse([1.0, 2.0], [[4.0, 0.0], [0.0, 1.0]], 0.95, 4);
/// // χ² = 5.991 with two degrees of freedom.
/// assert!((points[0][0] - 1.0 - 2.0 * f64::sqrt(5.991_464_547)).abs() < 1e-8 && (points[0][1] - 2.0).abs() < 1e-12);
/// ```
#[must_use]
pub fn ellipse(center: [f64; 2], covariance: [[f64; 2]; 2], probability: f64, points: usize) -> Vec<[f64; 2]> {
    let [[a, b], [c, d]] = covariance;
    let radius = (-2.0 * (1.0 - probability).ln()).sqrt();
    let Some(root) = Matrix2::new(a, b, c, d).cholesky().map(|factor| factor.l()) else { return Vec::new() };
    let point = |k: usize| {
        let (sin, cos) = (std::f64::consts::TAU * k as f64 / points as f64).sin_cos();
        let away = root * nalgebra::Vector2::new(radius * cos, radius * sin);
        [center[0] + away[0], center[1] + away[1]]
    };
    (0..points).map(point).collect()
}
