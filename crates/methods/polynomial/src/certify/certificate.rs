//! Certificates: proofs that a polynomial is stable up to its limit and that no polynomial is stable beyond.

use dashu::rational::RBig;

use crate::certify::about::StatementDomain;
use crate::certify::exact_polynomial::CommonDenominatorPolynomial;
use crate::certify::upper_bound::UpperBound;
use hemiola_number::signs::ProofCell;

/// Proof about a polynomial, in exact arithmetic on its rational coefficients.
#[derive(Clone, Debug, PartialEq)]
pub struct Certificate {
    /// Statements that together prove stability on the boundary of the spectrum at the limit, and hence inside.
    ///
    /// They prove |R| ≤ 1, or |R| ≤ b if damping on an axis was requested. Damping on other spectra is not part of the
    /// proof. Where an arc meets a ray, the directions are doubles, and the two ends agree to within about 10⁻¹⁵ of the
    /// size of the set.
    pub stability: Vec<Statement>,
    /// Proof that no polynomial of this degree and order is stable beyond the limit.
    pub optimality: Optimality,
}

/// Statement that a polynomial with rational coefficients is nowhere positive on [0, 1].
#[derive(Clone, Debug, PartialEq)]
pub struct Statement {
    /// Description of the polynomial.
    pub text: String,
    /// Data that determine the polynomial: it can be recomputed from them, the coefficients and the limit.
    pub about: StatementDomain,
    /// Coefficients of the polynomial, constant term first.
    pub(crate) polynomial: CommonDenominatorPolynomial,
    /// Proof that the polynomial is not positive.
    pub proof: Proof,
}

impl Statement {
    /// Returns the coefficients of the polynomial, constant term first.
    #[must_use]
    pub fn polynomial(&self) -> Vec<RBig> {
        self.polynomial.fractions()
    }
}

/// Proof that a polynomial is not positive on [0, 1].
#[derive(Clone, Debug, PartialEq)]
pub enum Proof {
    /// The polynomial is negative on each of these cells, which cover [0, 1]
    /// ([`hemiola_number::signs::is_cell_negative`]).
    Cells(Vec<ProofCell>),
    /// The polynomial is not positive at 0 and has no root of odd multiplicity in (0, 1): it touches zero exactly.
    NoChangeOfSign,
}

/// Proof that no polynomial is stable beyond the limit.
#[derive(Clone, Debug, PartialEq)]
pub enum Optimality {
    /// Theorem, with its source.
    Theorem(&'static str),
    /// Linear functional that proves the limit to lie below this bound.
    Bounded(UpperBound),
    /// Optimality conditions, satisfied to rounding at the contact points.
    ///
    /// If the scaled sets are nested, no larger limit is stable; for eigenvalues and intervals with gaps, no slightly
    /// larger one is.
    Multipliers,
    /// No proof: the optimum comes from a conic program.
    Unproved,
}
