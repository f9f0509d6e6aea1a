//! Singular-perturbation scheme of Gil, Sanfelice & Nikravesh (2013), DETC2013-13330, on the linear problem.
//!
//! The scheme integrates ẋ = f(x, z), ż = g(x, z), z fast, in three steps. It splits z into a quasi-steady part H(x)
//! and the rest y. A conventional method advances x on the slow manifold, corrected by the contribution of y, and
//! exponentials advance y.
//!
//! # The matrix of a step
//!
//! On q' = Λq with Z = hΛ and the slope ρ = z_fs/z_ff of the manifold, H(x) = −ρx (step 2 prints y for z in H). With
//! φ₁(z) = (eᶻ − 1)/z and φ₂(z) = (eᶻ − 1 − z)/z² the steps are:
//!
//! 1. σ = ρxₙ + zₙ and hγ = ρ(z_ss xₙ + z_sf zₙ); the integral of y is h(φ₁(z_ff) σ + φ₂(z_ff) hγ).
//! 2. On the manifold hẋ = d·x with d = z_ss − ρz_sf, so that x̂ = R(d)xₙ and xₙ₊₁ = R(d)xₙ + z_sf(φ₁(z_ff) σ +
//!    φ₂(z_ff) hγ).
//! 3. hẏ = ay + ρd((1 − t/h)xₙ + (t/h)xₙ₊₁) with a = z_ff + ρz_sf and y = σ at first, so that zₙ₊₁ = −ρxₙ₊₁ + eᵃσ +
//!    ρd(φ₁(a)xₙ + φ₂(a)(xₙ₊₁ − xₙ)).
//!
//! The coefficients of xₙ and zₙ are:
//!
//! ```text
//! M₁₁ = R(d) + z_sf ρ (φ₁(z_ff) + z_ss φ₂(z_ff))      M₂₁ = −ρM₁₁ + ρeᵃ + ρd(φ₁(a) + φ₂(a)(M₁₁ − 1))
//! M₁₂ = z_sf (φ₁(z_ff) + z_sf ρ φ₂(z_ff))             M₂₂ = −ρM₁₂ + eᵃ + ρd φ₂(a) M₁₂
//! ```
//!
//! # Comparison with the paper
//!
//! In its parameters (51), z_ss = ξ, z_ff = αξ, z_sf = βξ and z_fs = βαξ: ρ = β, d = (1 − β²)ξ, a = (α + β²)ξ.
//!
//! - M₁₁ agrees.
//! - The first term of M₁₂ is printed as β(e^{αξ} − 1), twice; the steps give (β/α)(e^{αξ} − 1).
//! - M₂₁ and M₂₂ below (56), with exponentials of (α + β²)ξ, agree with the steps.
//! - M₂₁ and M₂₂ below (57), with exponentials of αξ, do not: they take y at the end of the step from (32), the
//!   solution for step 1 only.
//! - The block matrix D of step 3, (47), has B and C exchanged: its exponential integrates C + tB, while (40), the
//!   units and the matrix below (56) require B + tC. The step as printed is not even consistent.

use hemiola_tableau::Butcher;
use num_complex::Complex64;

use crate::coupled::matrix::{Matrix, identity};
use crate::error::StabilityError;
use crate::function::rational::StabilityFunction;
use crate::schemes::scheme::StabilityScheme;

/// Scheme of Gil, Sanfelice & Nikravesh (2013), of order one. The default is the published one, with RK4 on the slow
/// manifold.
///
/// The eigenvalues of its matrix, like those of a pair, depend only on z_ss, z_ff and z_sf z_fs.
///
/// ```
/// use hemiola_stability::{StabilityScheme, SingularPerturbation};
/// use num_complex::Complex64;
/// let imaginary = |im| Complex64::new(0.0, im);
/// // Without coupling the fast component is exact, however fast it is.
/// let z = [vec![imaginary(0.1), Complex64::ZERO], vec![Complex64::ZERO, imaginary(50.0)]];
/// let m = SingularPerturbation::default().matrix(&z)?;
/// assert!((m[1][1] - imaginary(50.0).exp()).norm() < 1e-15);
/// # Ok::<(), hemiola_stability::StabilityError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct SingularPerturbation {
    /// Stability function of the method on the slow manifold.
    slow: StabilityFunction<f64>,
}

impl SingularPerturbation {
    /// Creates the scheme with another Runge–Kutta method on the slow manifold.
    ///
    /// ```
    /// use hemiola_stability::{SingularPerturbation, StabilityScheme};
    /// use num_complex::Complex64;
    /// let euler = hemiola_tableau::library::method("explicit-euler").unwrap().to_f64();
    /// let z = [vec![Complex64::new(-0.5, 1.0), Complex64::ZERO], vec![Complex64::ZERO, Complex64::I]];
    /// // Without coupling the slow component makes the steps of the method, 1 + z.
    /// let m = SingularPerturbation::new(&euler.partitions[0]).matrix(&z)?;
    /// assert_eq!(m[0][0], Complex64::new(0.5, 1.0));
    /// # Ok::<(), hemiola_stability::StabilityError>(())
    /// ```
    #[must_use]
    pub fn new(slow: &Butcher<f64>) -> Self {
        Self { slow: StabilityFunction::new(slow) }
    }
}

impl Default for SingularPerturbation {
    fn default() -> Self {
        let numerator = vec![1.0, 1.0, 1.0 / 2.0, 1.0 / 6.0, 1.0 / 24.0];
        Self { slow: StabilityFunction { numerator, denominator: vec![1.0] } }
    }
}

impl StabilityScheme for SingularPerturbation {
    /// # Errors
    /// Returns [`StabilityError::WrongSize`] if Z is not 2×2, [`StabilityError::NoSlowManifold`] if z_ff is zero and Z
    /// is not.
    fn matrix(&self, z: &[Vec<Complex64>]) -> Result<Matrix, StabilityError> {
        let &[[ss, sf], [fs, ff]] = &pair(z)?;
        if ff == Complex64::ZERO {
            // A step of length zero is the identity, for any slope of the manifold.
            let stands_still = [ss, sf, fs].iter().all(|entry| *entry == Complex64::ZERO);
            return if stands_still { Ok(identity(2)) } else { Err(StabilityError::NoSlowManifold { z: z.to_vec() }) };
        }
        let slope = fs / ff;
        let on_manifold = ss - slope * sf;
        let a = ff + slope * sf;
        let [_, phi_1, phi_2] = phi(ff);
        let xx = self.slow.at(on_manifold) + sf * slope * (phi_1 + ss * phi_2);
        let xz = sf * (phi_1 + sf * slope * phi_2);
        let [exp, phi_1, phi_2] = phi(a);
        let zx = slope * (exp - xx + on_manifold * (phi_1 + phi_2 * (xx - 1.0)));
        let zz = exp + slope * xz * (on_manifold * phi_2 - 1.0);
        Ok(vec![vec![xx, xz], vec![zx, zz]])
    }
}

fn pair(z: &[Vec<Complex64>]) -> Result<[[Complex64; 2]; 2], StabilityError> {
    match z {
        [x, y] if x.len() == 2 && y.len() == 2 => Ok([[x[0], x[1]], [y[0], y[1]]]),
        _ => {
            let sizes = z.iter().map(Vec::len).chain([z.len()]);
            let found = sizes.into_iter().find(|&size| size != 2).unwrap_or(0);
            Err(StabilityError::WrongSize { found, expected: 2 })
        }
    }
}

/// Computes φ₀ = eᶻ, φ₁ and φ₂ with φₖ₊₁(z) = (φₖ(z) − 1/k!)/z.
fn phi(z: Complex64) -> [Complex64; 3] {
    let exp = z.exp();
    if z.norm_sqr() >= 1.0 {
        let first = (exp - 1.0) / z;
        return [exp, first, (first - 1.0) / z];
    }
    // The differences cancel near zero: use Horner's scheme for Σ 2 zᵏ/(k+2)!, in which eighteen terms reach rounding
    // for |z| ≤ 1.
    let series = (0..18).rev().fold(Complex64::ZERO, |sum, k| 1.0 + z * sum / f64::from(k + 3));
    let second = 0.5 * series;
    [exp, 1.0 + z * second, second]
}

#[cfg(test)]
mod tests;
