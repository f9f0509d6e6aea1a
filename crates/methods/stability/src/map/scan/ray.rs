//! Polynomial S(ξ) = Σ ξᵏ C_k of an explicit pair on a ray, evaluated by Horner's scheme.
//!
//! The code evaluates the entries of S rather than its trace and determinant, although these have 3s coefficients in
//! all instead of 4s. In measurements, the determinant as a polynomial in ξ lost twice as much of |S|² with five stages
//! and 25 times as much with twelve (3e-12). Moreover, eigenvalues from a trace and a determinant lose half the digits
//! if they are close.

use hemiola_number::vector::Registers;
use hemiola_tableau::Tableau;
use num_complex::Complex64;

use super::slice::Slice;
use super::spectrum::Entries;
use crate::coupled::matrix::ray_coefficients;
use crate::lanes::{ComplexLanes, RealLanes};

/// Coefficients of the four entries ss, sf, fs, ff of S, from the highest power to the constant.
#[derive(Clone, Debug)]
pub(crate) struct RayCoefficients {
    coefficients: Vec<[Complex64; 4]>,
    /// Largest modulus in each coefficient matrix.
    sizes: Vec<f64>,
}

impl RayCoefficients {
    pub(crate) fn new(tableau: &Tableau<f64>, slice: &Slice) -> Self {
        // A diagonal similarity gives z_sf = ξ. It commutes with the method and hardly changes the rounding.
        let z = [[slice.slow[1], Complex64::ONE], [slice.product[2], slice.fast[1]]];
        let entries = ray_coefficients(tableau, z).into_iter().rev().map(|c| [c[0][0], c[0][1], c[1][0], c[1][1]]);
        let coefficients: Vec<[Complex64; 4]> =
            entries.skip_while(|entries| *entries == [Complex64::ZERO; 4]).collect();
        let largest = |entries: &[Complex64; 4]| entries.iter().map(|entry| entry.norm()).fold(0.0, f64::max);
        let sizes = coefficients.iter().map(largest).collect();
        Self { coefficients, sizes }
    }

    /// Computes Σ |C_k| tᵏ with the largest entry of each C_k: the rounding error of S at |ξ| = t is at most 2s ε times
    /// this.
    pub(crate) fn size(&self, t: f64) -> f64 {
        self.sizes.iter().fold(0.0, |sum, size| sum * t + size)
    }

    /// Returns an upper bound of the degree of S.
    pub(crate) fn degree(&self) -> usize {
        self.coefficients.len().saturating_sub(1)
    }

    /// Computes S at eight points, with z_sf = ξ.
    #[inline(always)]
    pub(crate) fn entries<R: Registers>(&self, xi: ComplexLanes) -> Entries {
        if R::ARE_WIDE {
            return self.some::<4>([0, 1, 2, 3], |value, c| value.times_plus(xi, c));
        }
        // The sixteen registers of AVX2 hold only two entries at a time.
        let [ss, ff] = self.some::<2>([0, 3], |value, c| value.times_plus(xi, c));
        let [sf, fs] = self.some::<2>([1, 2], |value, c| value.times_plus(xi, c));
        [ss, sf, fs, ff]
    }

    /// Computes S at eight real points ξ = t, in half as many operations.
    #[inline(always)]
    pub(crate) fn entries_at_real<R: Registers>(&self, t: RealLanes) -> Entries {
        if R::ARE_WIDE {
            return self.some::<4>([0, 1, 2, 3], |value, c| value.real_times_plus(t, c));
        }
        let [ss, ff] = self.some::<2>([0, 3], |value, c| value.real_times_plus(t, c));
        let [sf, fs] = self.some::<2>([1, 2], |value, c| value.real_times_plus(t, c));
        [ss, sf, fs, ff]
    }

    #[inline(always)]
    fn some<const N: usize>(
        &self,
        which: [usize; N],
        horner: impl Fn(ComplexLanes, ComplexLanes) -> ComplexLanes,
    ) -> [ComplexLanes; N] {
        let mut values = [ComplexLanes::ZERO; N];
        for c in &self.coefficients {
            for k in 0..N {
                values[k] = horner(values[k], ComplexLanes::all(c[which[k]]));
            }
        }
        values
    }
}
