//! A stability polynomial with its limit.

use std::fmt;

use dashu::base::SquareRoot;
use dashu::float::DBig;
use dashu::float::round::mode::HalfAway;
use dashu::integer::{IBig, UBig};
use dashu::rational::RBig;

/// The half-line on which stability is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axis {
    /// z = iy with y ≥ 0: oscillations without damping.
    Imaginary,
    /// z = −x with x ≥ 0: pure decay.
    Real,
}

impl fmt::Display for Axis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Imaginary => "imaginary axis",
            Self::Real => "negative real axis",
        })
    }
}

/// A polynomial R(z) = Σ β_k zᵏ with |R| ≤ 1 on an axis up to a limit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StabilityPolynomial {
    pub(crate) axis: Axis,
    pub(crate) order: usize,
    pub(crate) coefficients: Vec<RBig>,
    pub(crate) limit_squared: RBig,
}

impl StabilityPolynomial {
    /// The axis that the polynomial is optimal on.
    #[must_use]
    pub fn axis(&self) -> Axis {
        self.axis
    }

    /// The order p that was asked for; the polynomial may have a higher one for free.
    #[must_use]
    pub fn order(&self) -> usize {
        self.order
    }

    /// β₀ … β_s, exact.
    #[must_use]
    pub fn coefficients(&self) -> &[RBig] {
        &self.coefficients
    }

    /// β₀ … β_s as the nearest doubles.
    #[must_use]
    pub fn to_f64(&self) -> Vec<f64> {
        self.coefficients.iter().map(|coefficient| coefficient.to_f64().value()).collect()
    }

    /// The limit L as the nearest double.
    #[must_use]
    pub fn limit(&self) -> f64 {
        self.limit_decimal(25).to_f64().value()
    }

    /// The limit L with `digits` significant digits.
    ///
    /// ```
    /// use hemiola_polynomial::{Axis, optimal};
    /// let four_stages = optimal(Axis::Imaginary, 4, 4).unwrap();
    /// assert_eq!(four_stages.limit_text(25), "2.828427124746190097603377"); // 2√2
    /// ```
    #[must_use]
    pub fn limit_text(&self, digits: usize) -> String {
        self.limit_decimal(digits).to_string()
    }

    fn limit_decimal(&self, digits: usize) -> DBig {
        // ⌊√(L²)·10^(digits+10)⌋: ten digits beyond those shown make the final rounding right but for ties, which
        // only exact limits produce, and those are exact here too.
        let scale = UBig::from(10u8).pow(digits + 10);
        let square = &self.limit_squared * RBig::from(IBig::from(scale.sqr()));
        let root: UBig = square.trunc().try_into().map_or(UBig::ZERO, |square: UBig| square.sqrt());
        RBig::from_parts(root.into(), scale).to_float::<HalfAway, 10>(digits).value()
    }
}
