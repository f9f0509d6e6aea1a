//! The functions φ_k of exponential integrators, which result from a forcing τᵏ.
//!
//! φ₀(z) = e^z and φ_{k+1}(z) = (φ_k(z) − 1/k!)/z = Σ_n zⁿ/(n+k+1)!, so that ∫₀¹ e^{z(1−τ)} τᵏ dτ = k! φ_{k+1}(z)
//! (Hochbruck & Ostermann, Acta Numerica 19, 2010, equations 2.10 and 2.11).
//!
//! For |z| < k the terms of the series decrease from the first term on, and the sum of their moduli is at most √(2πk)/2
//! times the first. For |z| ≥ k the recurrence multiplies the error of φ_{k−1} by 1/|z| ≤ 1/k and adds one rounding of
//! 1/k!: in the left half-plane errors are at most k + 1 roundings of 1/k!.

use super::flow_number::FlowNumber;

/// Computes φ₀(z) … φ_K(z) for K = `highest`.
///
/// ```
/// use hemiola_multirate::phi;
/// use num_complex::Complex64;
/// let far = phi(&Complex64::new(-1e6, 0.0), 2);
/// assert_eq!((far[0].re, far[1].re, far[2].re), (0.0, 1e-6, (1e-6 - 1.0) / -1e6));
/// ```
#[must_use]
pub fn phi<T: FlowNumber>(z: &T, highest: usize) -> Vec<T> {
    let mut values = Vec::with_capacity(highest + 1);
    values.push(z.exponential());
    // 1/(k − 1)!
    let mut reciprocal = T::one();
    let size = z.size();
    for k in 1..=highest {
        let recurrence = || (values[k - 1].clone() - reciprocal.clone()).divided_by(z);
        let value = if size < k as f64 { None } else { recurrence() };
        values.push(value.unwrap_or_else(|| z.exponential_series(k)));
        reciprocal = reciprocal * T::ratio(1, k as u64);
    }
    values
}

#[cfg(test)]
mod tests {
    use hemiola_number::Exact;
    use num_complex::Complex64;

    use super::phi;
    use crate::stability::ball::ComplexBall;

    /// Doubles agree with enclosures within the bound in the module documentation: on both sides of every transition
    /// between series and recurrence, near zero, far left and on the imaginary axis.
    #[test]
    fn doubles_lie_within_the_derived_bound_of_the_enclosures() {
        let highest = 8;
        for modulus in [1e-9, 0.3, 0.999, 1.0, 1.999, 2.0, 4.5, 7.999, 8.0, 30.0, 1e3, 1e6] {
            for angle in [0.0f64, 0.7, 1.4, std::f64::consts::FRAC_PI_2] {
                let z = Complex64::new(-modulus * angle.cos(), modulus * angle.sin());
                let [re, im] = [z.re, z.im].map(|part| Exact::from_f64(part).unwrap());
                let enclosed = phi(&ComplexBall::new(&re, &im), highest);
                let mut factorial = 1.0;
                for (k, (value, truth)) in phi(&z, highest).iter().zip(&enclosed).enumerate() {
                    factorial *= k.max(1) as f64;
                    let (re, im) = truth.center();
                    // Complex products take a few roundings; e^{iy} has the error of the argument of sin and cos.
                    let bound = 6.0 * (k as f64 + 1.0) * f64::EPSILON / factorial;
                    assert!((value - Complex64::new(re, im)).norm() <= bound, "φ_{k}({z}): {value}, {re} + {im} i");
                }
            }
        }
    }

    #[test]
    fn the_definition_by_integrals_holds() {
        // ∫₀¹ e^{z(1−τ)} τ² dτ by Simpson's rule on 2000 intervals.
        let z = Complex64::new(-3.0, 2.0);
        let at = |tau: f64| (z * (1.0 - tau)).exp() * tau * tau;
        let simpson: Complex64 = (0..2000)
            .map(|k| {
                let (a, b) = (k as f64 / 2000.0, (k + 1) as f64 / 2000.0);
                (at(a) + at(f64::midpoint(a, b)) * 4.0 + at(b)) * ((b - a) / 6.0)
            })
            .sum();
        assert!((phi(&z, 3)[3] * 2.0 - simpson).norm() < 1e-13);
    }
}
