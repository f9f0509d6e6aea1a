//! Linear forms of the unknowns.

use dashu::rational::RBig;

/// A linear form of the unknowns, by their indices, with a right-hand side that it must equal or not exceed.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct LinearForm {
    pub(crate) terms: Vec<(usize, f64)>,
    pub(crate) right: f64,
}

impl LinearForm {
    /// Returns the left-hand side minus the right-hand side.
    pub(crate) fn excess(&self, x: &[f64]) -> f64 {
        self.terms.iter().map(|&(j, factor)| factor * x[j]).sum::<f64>() - self.right
    }

    pub(crate) fn exact_excess(&self, x: &[RBig]) -> RBig {
        let exact = |x: f64| RBig::try_from(x).unwrap_or_default();
        self.terms.iter().fold(-exact(self.right), |sum, &(j, factor)| sum + &x[j] * exact(factor))
    }
}
