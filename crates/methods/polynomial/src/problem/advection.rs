//! Spectra of discretizations of u_t + u_x = 0 on periodic meshes with cells of length one.
//!
//! They are computed from the symbol: with u_{j+1} = e^{iθ} u_j the semidiscrete system reduces to one small matrix for
//! each wave number θ, and its eigenvalues over 0 ≤ θ ≤ π are those of a mesh with arbitrarily many cells. The scale h
//! is then the Courant number.

use nalgebra::{DMatrix, Schur};
use num_complex::Complex64;

use crate::error::PolynomialError;

/// Number of intervals between wave numbers 0 and π. With four eigenvalues each, degree three yields about two hundred
/// eigenvalues.
const WAVES: usize = 48;
/// Highest degree: the matrices stay small, and their eigenvalues are accurate to twelve digits.
const HIGHEST: usize = 9;

/// Computes the spectrum of the upwind discontinuous Galerkin method of degree p (Cockburn & Shu 2001).
///
/// It uses Legendre polynomials on each cell and the numerical flux from the left.
pub(super) fn discontinuous_galerkin(degree: usize) -> Result<Vec<Complex64>, PolynomialError> {
    galerkin(degree, (2 * degree + 1) as f64).ok_or_else(|| unknown("dg", degree))
}

/// Computes the spectrum with p + 1 Lobatto nodes for interpolation and quadrature (DGSEM, Kopriva & Gassner 2010):
/// ∫P_p² becomes 2/p.
pub(super) fn spectral_elements(degree: usize) -> Result<Vec<Complex64>, PolynomialError> {
    galerkin(degree, lobatto_factor(degree)).ok_or_else(|| unknown("dgsem", degree))
}

fn lobatto_factor(degree: usize) -> f64 {
    if degree == 0 { 1.0 } else { degree as f64 }
}

/// Returns the symbol of a Galerkin method at a wave number, given `highest` = 2/∫P_p².
fn galerkin_symbol(degree: usize, highest: f64, theta: f64) -> DMatrix<Complex64> {
    let shift = Complex64::from_polar(1.0, -theta);
    DMatrix::from_fn(degree + 1, degree + 1, |k, j| {
        // ∫ P_k′ P_j is two if k − j is odd and positive; the flux at −1 takes the value of the left neighbor at 1.
        let volume = if k > j && (k - j) % 2 == 1 { 2.0 } else { 0.0 };
        let sign = if k % 2 == 0 { 1.0 } else { -1.0 };
        let factor = if k == degree { highest } else { (2 * k + 1) as f64 };
        factor * (Complex64::from(volume - 1.0) + sign * shift)
    })
}

/// Computes the eigenvalues, given `highest` = 2/∫P_p²; returns `None` if the QR iteration does not converge.
fn galerkin(degree: usize, highest: f64) -> Option<Vec<Complex64>> {
    let mut all = Vec::with_capacity((degree + 1) * (WAVES + 1));
    for wave in 0..=WAVES {
        let values = Schur::try_new(galerkin_symbol(degree, highest, angle(wave)), 1e-15, 10_000)?.eigenvalues()?;
        all.extend(values.iter().map(|value| Complex64::new(value.re.min(0.0), value.im.abs())));
    }
    Some(all)
}

/// Computes the spectrum of upwind-biased finite differences of order one, three or five.
///
/// The last is the limit of the WENO scheme of order five where the solution is smooth (Jiang & Shu 1996).
pub(super) fn upwind_differences(order: usize) -> Option<Vec<Complex64>> {
    let values: Option<Vec<Complex64>> = (0..=4 * WAVES).map(|wave| difference(order, angle(wave) / 4.0)).collect();
    Some(values?.into_iter().map(|value| Complex64::new(value.re.min(0.0), value.im.abs())).collect())
}

/// Returns the symbol of a difference at a wave number; `None` if there is none of this order.
fn difference(order: usize, theta: f64) -> Option<Complex64> {
    // Weights of u_{j−3} … u_{j+2} over their common denominator: u_x with the flux from the left.
    let (weights, denominator): (&[(i32, f64)], f64) = match order {
        1 => (&[(-1, -1.0), (0, 1.0)], 1.0),
        3 => (&[(-2, 1.0), (-1, -6.0), (0, 3.0), (1, 2.0)], 6.0),
        5 => (&[(-3, -2.0), (-2, 15.0), (-1, -60.0), (0, 20.0), (1, 30.0), (2, -3.0)], 60.0),
        _ => return None,
    };
    let terms = weights.iter().map(|&(k, weight)| Complex64::from_polar(weight, f64::from(k) * theta));
    Some(-terms.sum::<Complex64>() / denominator)
}

/// A discretization of u_t + u_x = 0 with upwind fluxes on cells of length one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Discretization {
    /// Discontinuous Galerkin method of a degree with exact integrals.
    Galerkin(usize),
    /// Discontinuous Galerkin method of a degree on Lobatto nodes.
    SpectralElements(usize),
    /// Upwind-biased differences of order one, three or five.
    Differences(usize),
}

impl Discretization {
    /// Returns the number of unknowns in a cell.
    pub(super) fn size(self) -> usize {
        match self {
            Self::Galerkin(degree) | Self::SpectralElements(degree) => degree + 1,
            Self::Differences(_) => 1,
        }
    }

    /// Returns the symbol D(θ) of u_t = Du; `None` if there are no differences of this order.
    pub(super) fn symbol(self, theta: f64) -> Option<DMatrix<Complex64>> {
        match self {
            Self::Galerkin(degree) => Some(galerkin_symbol(degree, (2 * degree + 1) as f64, theta)),
            Self::SpectralElements(degree) => Some(galerkin_symbol(degree, lobatto_factor(degree), theta)),
            Self::Differences(order) => Some(DMatrix::from_element(1, 1, difference(order, theta)?)),
        }
    }
}

pub(super) fn parse_degree(degree: f64) -> Option<usize> {
    (0..=HIGHEST).find(|p| *p as f64 == degree)
}

fn angle(wave: usize) -> f64 {
    std::f64::consts::PI * wave as f64 / WAVES as f64
}

fn unknown(name: &str, degree: usize) -> PolynomialError {
    PolynomialError::UnknownSpectrum { text: format!("{name}:{degree}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_families_begin_with_the_upwind_difference() {
        // λ = e^{−iθ} − 1 traces the circle about −1.
        for value in discontinuous_galerkin(0).unwrap().into_iter().chain(upwind_differences(1).unwrap()) {
            assert!(((value + 1.0).norm() - 1.0).abs() < 1e-14, "{value}");
        }
    }

    #[test]
    fn degree_three_has_its_published_extent() {
        // Largest modulus of an eigenvalue, computed by LAPACK from the same symbol.
        let values = discontinuous_galerkin(3).unwrap();
        let largest = values.iter().map(|value| value.norm()).fold(0.0, f64::max);
        assert!((largest - 19.156_881_215_155).abs() < 1e-9, "{largest}");
    }

    #[test]
    fn spectral_elements_have_their_published_extent() {
        // Doehring et al. (2024) list the eigenvalues of 16 cells on [−1, 1]; the largest, at θ = π, is −77.187 961 982 889.
        let values = spectral_elements(3).unwrap();
        let largest = values.iter().map(|value| value.norm()).fold(0.0, f64::max);
        assert!((largest - 77.187_961_982_889 / 8.0).abs() < 1e-12, "{largest}");
        assert_eq!(spectral_elements(0).unwrap(), discontinuous_galerkin(0).unwrap());
    }

    #[test]
    fn differences_are_of_their_order() {
        for order in [1, 3, 5] {
            // At the first nonzero wave number λ + iθ = O(θ^{p+1}).
            let theta = angle(1) / 4.0;
            let value = upwind_differences(order).unwrap()[1];
            let error = (value - Complex64::new(0.0, theta)).norm();
            assert!(
                error < theta.powi(order as i32 + 1) && error > 1e-3 * theta.powi(order as i32 + 1),
                "{order} {error}"
            );
        }
    }
}
