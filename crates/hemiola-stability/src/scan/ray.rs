//! S(ξ) = Σ ξᵏ C_k of an explicit pair on a ray, by Horner's scheme.
//!
//! The entries of S are evaluated, not its trace and determinant, though these have 3s coefficients in all and not 4s: the
//! determinant as a polynomial in ξ was measured to lose twice as much of |S|² with five stages and 25 times as much with twelve
//! (3e-12), and eigenvalues from a trace and a determinant lose half the digits wherever they are close.

use hemiola_tableau::Tableau;
use num_complex::Complex64;

use super::lanes::{Arithmetic, Complex};
use super::slice::Slice;
use super::spectrum::Entries;
use crate::matrix::ray_coefficients;

/// The coefficients of the four entries ss, sf, fs, ff of S, from the highest power to the constant.
#[derive(Clone, Debug)]
pub(super) struct Ray {
    coefficients: Vec<[Complex64; 4]>,
}

impl Ray {
    pub(super) fn new(tableau: &Tableau<f64>, slice: &Slice) -> Self {
        // A diagonal similarity makes z_sf = ξ. It commutes with the method, so that it changes no rounding to speak of.
        let z = vec![vec![slice.slow[1], Complex64::ONE], vec![slice.product[2], slice.fast[1]]];
        let entries = ray_coefficients(tableau, &z).into_iter().rev().map(|c| [c[0][0], c[0][1], c[1][0], c[1][1]]);
        Self { coefficients: entries.skip_while(|entries| *entries == [Complex64::ZERO; 4]).collect() }
    }

    /// S at eight points, with z_sf = ξ.
    #[inline(always)]
    pub(super) fn entries<A: Arithmetic>(&self, xi: Complex) -> Entries {
        let [ss, ff] = self.pair::<A>(xi, 0, 3);
        let [sf, fs] = self.pair::<A>(xi, 1, 2);
        [ss, sf, fs, ff]
    }

    /// Two entries at a time: all that the sixteen registers of AVX2 hold.
    #[inline(always)]
    fn pair<A: Arithmetic>(&self, xi: Complex, first: usize, second: usize) -> [Complex; 2] {
        let (mut p, mut q) = (Complex::ZERO, Complex::ZERO);
        for c in &self.coefficients {
            p = p.times_plus::<A>(xi, Complex::all(c[first]));
            q = q.times_plus::<A>(xi, Complex::all(c[second]));
        }
        [p, q]
    }
}
