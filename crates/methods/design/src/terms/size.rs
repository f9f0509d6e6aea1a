//! The size of the coefficients as a term of the objective.

use crate::pair::coefficients::PairCoefficients;
use crate::terms::term::Term;

/// Half the weighted sum of the squares of all coefficients.
#[derive(Clone)]
pub(crate) struct CoefficientSize {
    pub(crate) weight: f64,
}

impl Term for CoefficientSize {
    fn value(&self, at: &PairCoefficients) -> f64 {
        at.entries.iter().map(|x| (self.weight * x).powi(2)).sum::<f64>() / 2.0
    }

    fn add_gradient(&self, at: &PairCoefficients, gradient: &mut PairCoefficients) {
        gradient.entries.iter_mut().zip(&at.entries).for_each(|(sum, x)| *sum += self.weight * self.weight * x);
    }

    fn localized(&self, _: &PairCoefficients) -> Box<dyn Term> {
        Box::new(self.clone())
    }
}
