//! Stability polynomial with exact coefficients, and its limit.

use dashu::base::SquareRoot;
use dashu::float::FBig;
use dashu::float::round::Round;
use dashu::float::round::mode::{HalfAway, Zero};
use dashu::integer::{IBig, UBig};
use dashu::rational::RBig;
use num_complex::Complex64;

use crate::basis::chebyshev;
use crate::problem::axis::Axis;
use crate::problem::sampling::samples;
use crate::problem::spectrum::Spectrum;
use crate::result::optimum::Optimum;
use crate::result::stable_form::StableForm;

/// Polynomial R(z) = Σ β_k zᵏ with rational coefficients that is stable, or damped, up to its limit.
#[derive(Clone, Debug)]
pub struct StabilityPolynomial {
    optimum: Optimum,
    digits: usize,
    coefficients: Vec<RBig>,
    limit_squared: RBig,
}

impl StabilityPolynomial {
    pub(crate) fn new(optimum: Optimum, digits: usize, coefficients: Vec<RBig>, limit_squared: RBig) -> Self {
        Self { optimum, digits, coefficients, limit_squared }
    }

    /// Replaces the coefficients and the limit; the polynomial need no longer be the optimum.
    #[cfg(test)]
    pub(crate) fn with(self, coefficients: Vec<RBig>, limit_squared: RBig) -> Self {
        Self { coefficients, limit_squared, ..self }
    }

    /// Returns the optimum that the polynomial approximates to its digits.
    #[must_use]
    pub fn optimum(&self) -> &Optimum {
        &self.optimum
    }

    /// Returns the requested number of significant digits.
    pub(crate) fn digits(&self) -> usize {
        self.digits
    }

    /// Returns β₀ … β_s, exact.
    ///
    /// The polynomial may have a higher order than requested: on the imaginary axis an even number of stages gives
    /// order four for free.
    #[must_use]
    pub fn coefficients(&self) -> &[RBig] {
        &self.coefficients
    }

    /// Returns β₀ … β_s as the nearest doubles.
    #[must_use]
    pub fn to_f64(&self) -> Vec<f64> {
        self.coefficients.iter().map(|coefficient| coefficient.to_f64().value()).collect()
    }

    /// Returns the limit L as the nearest double.
    #[must_use]
    pub fn limit(&self) -> f64 {
        self.limit_decimal::<HalfAway>(25).to_f64().value()
    }

    /// Returns L², exact.
    #[must_use]
    pub fn limit_squared(&self) -> &RBig {
        &self.limit_squared
    }

    /// Formats the limit L with `digits` significant digits, rounded down: the polynomial is stable up to it.
    ///
    /// ```
    /// use hemiola_polynomial::{Axis, optimal};
    /// let four_stages = optimal(Axis::Imaginary, 4, 4).unwrap();
    /// assert_eq!(four_stages.limit_text(25), "2.828427124746190097603377"); // 2√2
    /// ```
    #[must_use]
    pub fn limit_text(&self, digits: usize) -> String {
        self.limit_decimal::<Zero>(digits).to_string()
    }

    fn limit_decimal<R: Round>(&self, digits: usize) -> FBig<R, 10> {
        // ⌊√(L²)·10^(digits+10)⌋ has ten guard digits. The final rounding is therefore correct except for ties, which
        // arise only from exact limits, and those are exact here too. Rounding down twice is rounding down.
        let scale = UBig::from(10u8).pow(digits + 10);
        let square = &self.limit_squared * RBig::from(IBig::from(scale.sqr()));
        let root: UBig = square.trunc().try_into().map_or(UBig::ZERO, |square: UBig| square.sqrt());
        RBig::from_parts(root.into(), scale).to_float::<R, 10>(digits).value()
    }

    /// Converts the polynomial to a form that is stable in doubles.
    ///
    /// ```
    /// use hemiola_polynomial::{Axis, Problem, Spectrum};
    /// use num_complex::Complex64;
    /// let polynomial = Problem::new(Spectrum::Axis(Axis::Real), 100, 2).solve()?.polynomial(17)?;
    /// // Powers of z cancel 76 digits here; Chebyshev polynomials none.
    /// let end = polynomial.stable_form().at(Complex64::new(-polynomial.limit(), 0.0));
    /// assert!((end.norm() - 1.0).abs() < 1e-10);
    /// # Ok::<(), hemiola_polynomial::PolynomialError>(())
    /// ```
    #[must_use]
    pub fn stable_form(&self) -> StableForm {
        let limit = self.limit();
        let unit = RBig::try_from(limit).unwrap_or(RBig::ONE);
        let in_units = || -> Vec<RBig> {
            let powers = std::iter::successors(Some(RBig::ONE), |power| Some(power * &unit));
            self.coefficients.iter().zip(powers).map(|(beta, power)| beta * power).collect()
        };
        match self.optimum.problem().spectrum() {
            Spectrum::Axis(Axis::Real) => {
                StableForm::RealChebyshev { limit, coefficients: chebyshev::to_shifted(&in_units()) }
            }
            Spectrum::Axis(Axis::Imaginary) | Spectrum::ImaginaryWithReal { .. } => {
                StableForm::ImaginaryChebyshev { limit, coefficients: chebyshev::to_imaginary(&in_units()) }
            }
            Spectrum::Disk if self.optimum.closed_form().is_some() => {
                StableForm::DiskPowers { radius: limit, coefficients: chebyshev::to_powers(&in_units()) }
            }
            spectrum => StableForm::orthonormal(&self.coefficients, &sample(spectrum, self.coefficients.len(), limit)),
        }
    }

    /// Evaluates R(z) in doubles, by the [`stable_form`](Self::stable_form).
    #[must_use]
    pub fn value(&self, z: Complex64) -> Complex64 {
        self.stable_form().at(z)
    }
}

/// Samples a spectrum at a scale; for single eigenvalues it includes points on the segment from the origin.
fn sample(spectrum: &Spectrum, count: usize, limit: f64) -> Vec<(f64, f64)> {
    const STEPS: u32 = 8;
    let pieces = spectrum.pieces().unwrap_or_default();
    let places = samples(&pieces, count).into_iter().map(|(piece, t)| (pieces[piece].z(limit, t), &pieces[piece]));
    places
        .flat_map(|(z, piece)| {
            let steps = if piece.curve.is_point() { STEPS } else { 1 };
            (1..=steps).map(move |k| f64::from(k) / f64::from(steps)).map(move |t| (z.re * t, z.im * t))
        })
        .collect()
}
