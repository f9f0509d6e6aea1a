//! Polynomials with integer coefficients.

use dashu::integer::IBig;
use dashu::rational::RBig;

use crate::signs::ProofCell;
use crate::signs::cells::integer_negative_cells;
use crate::signs::integer::{integers, primitive};
use crate::signs::rise::integer_first_positive;

/// A polynomial with integer coefficients, up to a positive factor. It represents fractions over a common
/// denominator without reducing each of them.
///
/// ```
/// use dashu::rational::RBig;
/// use hemiola_number::signs::IntegerPolynomial;
/// // 2(x − 1)²(x − 3) touches zero at 1.
/// let p = IntegerPolynomial::new([-6, 14, -10, 2].map(Into::into).to_vec());
/// assert_eq!(p.first_positive(), Some(RBig::from(3)));
/// assert_eq!(p.negative_cells(&RBig::ZERO, &RBig::ONE), None);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IntegerPolynomial(Vec<IBig>);

impl IntegerPolynomial {
    /// Creates the polynomial with these coefficients, constant term first.
    #[must_use]
    pub fn new(coefficients: Vec<IBig>) -> Self {
        Self(primitive(coefficients))
    }

    /// Creates a positive multiple of a polynomial with rational coefficients.
    #[must_use]
    pub fn from_rationals(coefficients: &[RBig]) -> Self {
        Self(integers(coefficients))
    }

    /// Calls [`first_positive`](super::first_positive) for this polynomial.
    #[must_use]
    pub fn first_positive(&self) -> Option<RBig> {
        integer_first_positive(&self.0)
    }

    /// Calls [`negative_cells`](super::negative_cells) for this polynomial.
    #[must_use]
    pub fn negative_cells(&self, low: &RBig, high: &RBig) -> Option<Vec<ProofCell>> {
        integer_negative_cells(&self.0, low, high)
    }
}
