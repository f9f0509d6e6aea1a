//! The interface of the terms of the objective.

use crate::pair::coefficients::PairCoefficients;

/// A term of the objective.
pub(crate) trait Term: Sync {
    fn value(&self, at: &PairCoefficients) -> f64;

    /// Adds the derivatives of [`value`](Self::value).
    fn add_gradient(&self, at: &PairCoefficients, gradient: &mut PairCoefficients);

    /// Returns a term with the same values near a point that is cheaper if possible.
    fn localized(&self, at: &PairCoefficients) -> Box<dyn Term>;
}
