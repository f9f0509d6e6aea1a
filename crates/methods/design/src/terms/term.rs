//! The interface of the terms of the objective.

use crate::pair::coefficients::Coefficients;

/// A term of the objective.
pub(crate) trait Term: Sync {
    fn value(&self, at: &Coefficients) -> f64;

    /// Adds the derivatives of [`value`](Self::value).
    fn add_gradient(&self, at: &Coefficients, gradient: &mut Coefficients);

    /// Returns a term with the same values near a point, cheaper if possible.
    fn near(&self, at: &Coefficients) -> Box<dyn Term>;
}
