//! The size of the coefficients as a term of the objective.

use crate::pair::coefficients::Coefficients;
use crate::terms::term::Term;

/// Half the weighted sum of the squares of all coefficients.
#[derive(Clone)]
pub(crate) struct Size {
    pub(crate) weight: f64,
}

impl Term for Size {
    fn value(&self, at: &Coefficients) -> f64 {
        at.entries.iter().map(|x| (self.weight * x).powi(2)).sum::<f64>() / 2.0
    }

    fn add_gradient(&self, at: &Coefficients, gradient: &mut Coefficients) {
        gradient.entries.iter_mut().zip(&at.entries).for_each(|(sum, x)| *sum += self.weight * self.weight * x);
    }

    fn near(&self, _: &Coefficients) -> Box<dyn Term> {
        Box::new(self.clone())
    }
}
