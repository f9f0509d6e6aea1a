//! Stability limits of polynomials along a ray.

use num_complex::Complex64;

/// Returns the last t of a fine grid before |R(tu)| exceeds one by more than a tolerance.
pub(crate) fn first_exit(coefficients: &[f64], u: Complex64, tolerance: f64) -> f64 {
    const FINEST: f64 = 1e-3;
    let modulus = |t: f64| coefficients.iter().rev().fold(Complex64::ZERO, |sum, &beta| sum * (t * u) + beta).norm();
    // No polynomial of s stages is stable beyond 2s².
    let farthest = 2.0 * (coefficients.len() * coefficients.len()) as f64;
    let mut k = 1.0;
    while k * FINEST < farthest && modulus(k * FINEST) <= 1.0 + tolerance {
        k += 1.0;
    }
    (k - 1.0) * FINEST
}
