//! What every term of the objective can say of itself.

use crate::pair::coefficients::Coefficients;

/// One share of what is made small.
pub(crate) trait Term: Sync {
    fn value(&self, at: &Coefficients) -> f64;

    /// Adds the derivatives of [`value`](Self::value).
    fn add_gradient(&self, at: &Coefficients, gradient: &mut Coefficients);

    /// A term with the same values near a point, cheaper if possible.
    fn near(&self, at: &Coefficients) -> Box<dyn Term>;
}
