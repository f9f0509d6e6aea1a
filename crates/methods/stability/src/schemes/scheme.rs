//! Interface of schemes that stability maps require: a matrix for each Z.

use std::fmt::Debug;

use hemiola_tableau::Tableau;
use num_complex::Complex64;

use crate::coupled::matrix::{Matrix, stability_matrix};
use crate::eigenvalues::qr::eigenvalues;
use crate::error::StabilityError;

/// One-step scheme on the linear problem: q⁺ = M(Z) q for q' = Λq, Z = hΛ.
///
/// Partitioned Runge–Kutta methods, explicit or implicit, are schemes by their [stability matrix](stability_matrix);
/// [`SingularPerturbation`](crate::SingularPerturbation) is a scheme without a tableau.
///
/// ```
/// use hemiola_stability::{StabilityScheme, SingularPerturbation};
/// use num_complex::Complex64;
/// let pair = hemiola_tableau::library::method("mprk-p2").unwrap().to_f64();
/// let schemes: [&dyn StabilityScheme; 2] = [&pair, &SingularPerturbation::default()];
/// let entry = |re| Complex64::new(re, 0.0);
/// let z = [vec![entry(-0.1), entry(0.01)], vec![entry(0.2), entry(-1.0)]];
/// assert!(schemes.iter().all(|scheme| scheme.spectral_radius(&z) < 1.0));
/// ```
pub trait StabilityScheme: Debug + Send + Sync {
    /// Computes M(Z), row by row, for a square matrix Z in the same form.
    ///
    /// # Errors
    /// Returns a [`StabilityError`] if Z has the wrong size, or the scheme breaks down.
    fn matrix(&self, z: &[Vec<Complex64>]) -> Result<Matrix, StabilityError>;

    /// Computes ρ(M(Z)); infinity if there is no such matrix or it overflows.
    fn spectral_radius(&self, z: &[Vec<Complex64>]) -> f64 {
        let values = self.matrix(z).and_then(|m| eigenvalues(&m)).unwrap_or_default();
        let radius = values.first().map_or(f64::NAN, |value| value.norm());
        if radius.is_nan() { f64::INFINITY } else { radius }
    }
}

impl StabilityScheme for Tableau<f64> {
    fn matrix(&self, z: &[Vec<Complex64>]) -> Result<Matrix, StabilityError> {
        stability_matrix(self, z)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Field, Scan, Slice};
    use hemiola_tableau::library;

    #[test]
    fn a_pair_is_the_same_by_coefficients_along_a_ray_and_as_a_scheme() {
        for id in ["mprk-p2", "symplectic-euler"] {
            let pair = library::method(id).unwrap().to_f64();
            let slice = Slice::ray(3.0, 0.04);
            let [ray, scheme] = [Scan::new(&pair, slice).unwrap(), Scan::of(pair.clone(), slice)];
            for (x, y) in [(-0.3, 0.2), (0.0, 1.1), (0.1, -0.7)] {
                assert!((ray.at(x, y) - scheme.at(x, y)).abs() < 1e-14, "{id}");
            }
        }
    }

    #[test]
    fn a_pole_is_unstable() {
        let euler = library::method("implicit-euler").unwrap().to_f64();
        let at = |re: f64| euler.spectral_radius(&[vec![Complex64::from(re)]]);
        assert_eq!(at(1.0), f64::INFINITY);
        assert!((at(-1.0) - 0.5).abs() < 1e-15);
        assert_eq!(euler.spectral_radius(&[]), f64::INFINITY);
    }
}
