//! Complex planes in the three-dimensional space (z_ss, z_ff, w) of the stability regions of pairs.

use num_complex::Complex64;

use crate::error::StabilityError;
use crate::lanes::ComplexLanes;

/// Complex plane in the space of z_ss, z_ff and w = z_sf z_fs, which determine the eigenvalues of S.
///
/// All three are polynomials in the variable ξ of the plane: z_ss = a + bξ, z_ff = a + bξ and w = a + bξ + cξ².
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slice {
    /// Coefficients of z_ss, from the constant upwards.
    pub slow: [Complex64; 2],
    /// Coefficients of z_ff, from the constant upwards.
    pub fast: [Complex64; 2],
    /// Coefficients of w, from the constant upwards.
    pub product: [Complex64; 3],
}

impl Slice {
    /// Creates the ray z_ss = ξ, z_ff = κξ, w = gκξ² with frequency ratio κ and coupling number g.
    ///
    /// ```
    /// use hemiola_stability::Slice;
    /// use num_complex::Complex64;
    /// let ray = Slice::ray(5.0, 0.04);
    /// assert!(ray.is_ray() && ray.is_real());
    /// let [slow, fast, product] = ray.at(Complex64::new(0.0, 2.0));
    /// assert_eq!((slow.im, fast.im, product.re), (2.0, 10.0, -0.8));
    /// ```
    #[must_use]
    pub fn ray(kappa: f64, coupling: f64) -> Self {
        let (zero, one) = (Complex64::ZERO, Complex64::ONE);
        let product = Complex64::from(coupling * kappa);
        Self { slow: [zero, one], fast: [zero, kappa.into()], product: [zero, zero, product] }
    }

    /// Creates the plane of ξ = z_ff with z_ss and w fixed.
    ///
    /// ```
    /// use hemiola_stability::Slice;
    /// use num_complex::Complex64;
    /// let slice = Slice::fast_plane(Complex64::new(-0.1, 0.5), Complex64::new(0.2, 0.0));
    /// assert!(!slice.is_ray() && !slice.is_real());
    /// ```
    #[must_use]
    pub fn fast_plane(slow: Complex64, product: Complex64) -> Self {
        let (zero, one) = (Complex64::ZERO, Complex64::ONE);
        Self { slow: [slow, zero], fast: [zero, one], product: [product, zero, zero] }
    }

    /// Computes z_ss, z_ff and w at ξ.
    #[must_use]
    pub fn at(&self, xi: Complex64) -> [Complex64; 3] {
        let [a, b, c] = self.product;
        [self.slow[0] + self.slow[1] * xi, self.fast[0] + self.fast[1] * xi, a + (b + c * xi) * xi]
    }

    /// Returns whether Z = ξZ₀, so that S of an explicit pair is a polynomial in ξ with constant matrices.
    #[must_use]
    pub fn is_ray(&self) -> bool {
        [self.slow[0], self.fast[0], self.product[0], self.product[1]].iter().all(|value| *value == Complex64::ZERO)
    }

    /// Returns whether all coefficients are real, so that S(ξ̄) is the conjugate of S(ξ).
    #[must_use]
    pub fn is_real(&self) -> bool {
        self.coefficients().all(|value| value.im == 0.0)
    }

    /// Computes z_ss, z_ff and w at eight points.
    #[inline(always)]
    pub(super) fn arguments(&self, xi: ComplexLanes) -> [ComplexLanes; 3] {
        let affine = |[a, b]: [Complex64; 2]| xi.times_plus(ComplexLanes::all(b), ComplexLanes::all(a));
        let [a, b, c] = self.product;
        let inner = xi.times_plus(ComplexLanes::all(c), ComplexLanes::all(b));
        [affine(self.slow), affine(self.fast), inner.times_plus(xi, ComplexLanes::all(a))]
    }

    /// Returns the slice if all its numbers are finite.
    pub(super) fn checked(self) -> Result<Self, StabilityError> {
        match self.coefficients().flat_map(|value| [value.re, value.im]).find(|part| !part.is_finite()) {
            Some(value) => Err(StabilityError::OutOfRange {
                name: "a coefficient of the slice",
                value,
                expected: "a finite number",
            }),
            None => Ok(self),
        }
    }

    fn coefficients(&self) -> impl Iterator<Item = Complex64> {
        self.slow.into_iter().chain(self.fast).chain(self.product)
    }
}
