//! Internal stability: the amplification of perturbations of a stage within the step.

use hemiola_tableau::{Butcher, Method};
use num_complex::Complex64;

use crate::error::StabilityError;
use crate::function::limit::{Limit, stability_limit};

/// Number of sample intervals along the ray; the largest value is refined between them.
const SAMPLES: usize = 2000;

/// Computes the maximum internal amplification factor of an explicit partition along t·`direction` within its stability
/// limit.
///
/// It is the largest |Q_j(z)| over all stages j, with Q(z)ᵀ = z bᵀ(I − zA)⁻¹ (Ketcheson, Lóczi & Parsani 2014). A
/// perturbation of a stage by rounding or by an inexact solver enters the step with the factor Q_j. The first stage is
/// included. NodePy omits it, because its value is the result of the previous step and is not perturbed; its slope,
/// however, may be perturbed.
///
/// The function samples 2000 intervals and fits a parabola through the largest value and its neighbors, which gives
/// about six digits.
///
/// ```
/// use num_complex::Complex64;
/// let euler = hemiola_tableau::library::method("explicit-euler").unwrap();
/// // Q₁ = z, up to z = −2.
/// let factor = hemiola_stability::internal_amplification(&euler, 0, Complex64::new(-1.0, 0.0))?;
/// assert!((factor.unwrap() - 2.0).abs() < 1e-12);
/// # Ok::<(), hemiola_stability::StabilityError>(())
/// ```
///
/// Returns `None` if the partition is implicit or its limit is zero or infinite.
///
/// # Errors
/// Returns the errors of [`stability_limit`].
pub fn internal_amplification(
    method: &Method,
    partition: usize,
    direction: Complex64,
) -> Result<Option<f64>, StabilityError> {
    let limit = stability_limit(method, partition, direction)?;
    let butcher = &method.to_f64().partitions[partition];
    let (Limit::Finite(limit), true) = (limit, butcher.is_explicit()) else { return Ok(None) };
    if limit <= 0.0 {
        return Ok(None);
    }
    let at = |t: f64| largest_factor(butcher, direction * t);
    let step = limit / SAMPLES as f64;
    let values: Vec<f64> = (0..=SAMPLES).map(|k| at(k as f64 * step)).collect();
    let peak = (1..=SAMPLES).fold(0, |best, k| if values[k] > values[best] { k } else { best });
    if peak == 0 || peak == SAMPLES {
        return Ok(Some(values[peak]));
    }
    let [before, here, after] = [values[peak - 1], values[peak], values[peak + 1]];
    let bend = before - 2.0 * here + after;
    let vertex = if bend < 0.0 { 0.5 * (before - after) / bend } else { 0.0 };
    Ok(Some(at((peak as f64 + vertex) * step).max(here)))
}

/// Computes the maximum internal amplification factor of an explicit partition over given points z, such as a spectrum
/// times the step size.
///
/// The factor is that of [`internal_amplification`] without a ray. It is infinite for implicit partitions and for a
/// partition that does not exist.
///
/// ```
/// use num_complex::Complex64;
/// let euler = hemiola_tableau::library::method("explicit-euler").unwrap();
/// let places = [Complex64::new(-1.0, 0.5), Complex64::new(-2.0, 0.0)];
/// assert_eq!(hemiola_stability::spectral_amplification(&euler, 0, &places), 2.0);
/// ```
#[must_use]
pub fn spectral_amplification(method: &Method, partition: usize, places: &[Complex64]) -> f64 {
    let tableau = method.to_f64();
    let Some(butcher) = tableau.partitions.get(partition).filter(|butcher| butcher.is_explicit()) else {
        return f64::INFINITY;
    };
    places.iter().map(|&z| largest_factor(butcher, z)).fold(0.0, f64::max)
}

/// Computes max |Q_j(z)|, from the last stage to the first: Q_j = z(b_j + Σ_{i>j} a_ij Q_i).
fn largest_factor(butcher: &Butcher<f64>, z: Complex64) -> f64 {
    let mut q: Vec<Complex64> = butcher.b.iter().map(|&b| b * z).collect();
    for i in (0..q.len()).rev() {
        let own = q[i] * z;
        butcher.a[i][..i].iter().zip(&mut q[..i]).for_each(|(a, q)| *q += own * a);
    }
    q.iter().map(|q| q.norm()).fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hemiola_tableau::library;

    #[test]
    fn the_classical_method_amplifies_little() {
        // RK4: |Q₁| = |z/6 + z²/6 + z³/12 + z⁴/24| is largest at z = i√8: (−8/6 + 64/24) + i(√8/6 − 8√8/12).
        let rk4 = library::method("rk4").unwrap();
        let factor = internal_amplification(&rk4, 0, Complex64::I).unwrap().unwrap();
        let root = 8f64.sqrt();
        let expected = Complex64::new(-8.0 / 6.0 + 64.0 / 24.0, root / 6.0 - 8.0 * root / 12.0).norm();
        assert!((factor - expected).abs() < 1e-9, "{factor} {expected}");
    }

    #[test]
    fn what_has_no_limit_has_no_factor() {
        let gauss = library::method("gauss-2").unwrap();
        assert_eq!(internal_amplification(&gauss, 0, Complex64::I).unwrap(), None);
        let heun = library::method("heun-2").unwrap();
        assert_eq!(internal_amplification(&heun, 0, Complex64::I).unwrap(), None);
    }
}
