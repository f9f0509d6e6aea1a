//! What is proved of a polynomial: that it is stable up to its limit, and that none is beyond.

use dashu::rational::RBig;

use crate::certify::about::About;
use crate::certify::exact_polynomial::Quotient;
use crate::certify::upper_bound::UpperBound;
use hemiola_number::signs::Cell;

/// A proof about a polynomial, in exact arithmetic on its rational coefficients.
#[derive(Clone, Debug, PartialEq)]
pub struct Certificate {
    /// Together the statements prove that the polynomial is stable on the boundary of the spectrum at its limit, and
    /// hence inside: |R| ≤ 1, and |R| ≤ b if damping on an axis was requested. Damping on other spectra is not part of
    /// the proof. Where an arc meets a ray, the directions are doubles, and the two ends agree to within about 10⁻¹⁵ of
    /// the set's size.
    pub stability: Vec<Statement>,
    /// Proves that no polynomial of the degree and order is stable beyond the limit.
    pub optimality: Optimality,
}

/// A polynomial with rational coefficients is nowhere positive on [0, 1].
#[derive(Clone, Debug, PartialEq)]
pub struct Statement {
    /// A description of the polynomial.
    pub text: String,
    /// The data from which it is formed, so that it can be recomputed from the coefficients and the limit.
    pub about: About,
    /// Its coefficients, constant term first.
    pub(crate) polynomial: Quotient,
    /// Why it is not positive.
    pub proof: Proof,
}

impl Statement {
    /// The polynomial's coefficients, constant term first.
    #[must_use]
    pub fn polynomial(&self) -> Vec<RBig> {
        self.polynomial.fractions()
    }
}

/// Why a polynomial is not positive on [0, 1].
#[derive(Clone, Debug, PartialEq)]
pub enum Proof {
    /// It is negative on each of these cells, which cover the interval ([`hemiola_number::signs::is_cell_negative`]).
    Cells(Vec<Cell>),
    /// It is not positive at 0, and has no root of odd multiplicity in (0, 1): it touches zero, exactly.
    NoChangeOfSign,
}

/// Why no polynomial is stable beyond the limit.
#[derive(Clone, Debug, PartialEq)]
pub enum Optimality {
    /// A theorem: its source.
    Theorem(&'static str),
    /// A linear functional proves that the limit lies below this bound.
    Bounded(UpperBound),
    /// The conditions of optimality hold to rounding at the contact points: if the scaled sets are nested, no larger
    /// limit is stable; for eigenvalues and intervals with gaps, no slightly larger one is.
    Multipliers,
    /// Nothing is proved: the result of a conic program.
    Unproved,
}
