//! Embedded weights of any method: the best that the conditions allow, or a proof that none exist.

use hemiola_tableau::{Exact, Scalar, dot};
use nalgebra::{DMatrix, DVector};
use num_traits::{One, Zero};

use crate::completion::elimination::Elimination;
use crate::completion::proof::{AbsenceProof, EnclosedConditions};
use crate::completion::task::{PartitionTask, TaskOutcome, simple_steps};
use crate::error::DesignError;
use crate::weights::embedded::{clearest_difference, refined_weights};
use crate::weights::moments::{ErrorCoefficients, Moments, RangeNullSpace, WeightConditions, stack, to_f64};

impl PartitionTask<'_> {
    /// Finds weights of order `wanted` at the stages.
    pub(crate) fn weights(&self, wanted: usize) -> Result<TaskOutcome<Vec<Exact>>, DesignError> {
        if self.is_exact { self.exactly(wanted) } else { self.to_precision(wanted) }
    }

    /// Returns the method's own weights at the stages.
    fn own(&self) -> Vec<Exact> {
        let b = &self.tables.exact.partitions[self.partition].b;
        self.stages.iter().map(|&i| b[i].clone()).collect()
    }

    fn errors(&self, wanted: usize) -> Result<[ErrorCoefficients; 3], DesignError> {
        let doubles = to_f64(&self.tables.exact);
        let [leading, next, after] =
            [1, 2, 3].map(|beyond| ErrorCoefficients::new(&doubles, &self.stages, wanted + beyond));
        Ok([leading?, next?, after?])
    }

    fn exactly(&self, wanted: usize) -> Result<TaskOutcome<Vec<Exact>>, DesignError> {
        let WeightConditions { trees, rows } = WeightConditions::new(&self.tables.exact, &self.stages, wanted)?;
        let mut elimination = Elimination::new(self.stages.len());
        for row in rows {
            if let Err(found) = elimination.add(row, vec![Exact::one()]) {
                return Ok(TaskOutcome::Impossible(AbsenceProof::contradiction(&found, &trees, self.partition)));
            }
        }
        let (null, free) = (elimination.null(), elimination.free());
        let basis = doubles(&null, self.stages.len());
        let from = if wanted <= self.order { self.own() } else { elimination.solution(0) };
        let start = DVector::from_iterator(from.len(), from.iter().map(Exact::to_f64));
        let difference = if wanted <= self.order {
            if null.is_empty() {
                return Ok(TaskOutcome::Impossible(AbsenceProof::only_own(&elimination, &trees, self.partition)));
            }
            match clearest_difference(&self.errors(wanted)?, &orthonormal(&basis), &start, self.size) {
                Some(difference) => difference,
                None if self.all_have(wanted + 1, &null)? => return Ok(TaskOutcome::Higher),
                None => return Ok(TaskOutcome::Undecided),
            }
        } else {
            self.smallest_errors(wanted, &orthonormal(&basis), &start)?
        };
        let at: Vec<f64> = free.iter().map(|&k| difference[k]).collect();
        let at_free: Vec<Exact> = free.iter().map(|&k| from[k].clone()).collect();
        let steps = simple_steps(&at_free, &at, difference.amax());
        let mut value = from;
        for (step, vector) in steps.iter().zip(&null) {
            value.iter_mut().zip(vector).for_each(|(x, n)| *x += step.clone() * n.clone());
        }
        Ok(TaskOutcome::Found { value, free: free.len(), class: None })
    }

    /// Returns whether the conditions of an order hold for all weights that differ from the method's own by null
    /// vectors.
    fn all_have(&self, order: usize, null: &[Vec<Exact>]) -> Result<bool, DesignError> {
        let WeightConditions { rows, .. } = WeightConditions::new(&self.tables.exact, &self.stages, order)?;
        Ok(order <= self.order && rows.iter().all(|row| null.iter().all(|vector| dot(row, vector).is_zero())))
    }

    /// Computes the step from weights to those with the smallest errors of the orders q + 1 and q + 2.
    fn smallest_errors(
        &self,
        wanted: usize,
        null: &DMatrix<f64>,
        start: &DVector<f64>,
    ) -> Result<DVector<f64>, DesignError> {
        let [next, after, _] = self.errors(wanted)?;
        let missing = |errors: &ErrorCoefficients| &errors.expected - &errors.matrix * start;
        let slopes = stack(&(&next.matrix * null), &(&after.matrix * null));
        let (upper, lower) = (missing(&next), missing(&after));
        let all = DVector::from_iterator(upper.len() + lower.len(), upper.iter().chain(lower.iter()).copied());
        let step = RangeNullSpace::new(&slopes).filter(|_| null.ncols() > 0).map(|split| null * (split.inverse * all));
        Ok(step.unwrap_or_else(|| DVector::zeros(start.len())))
    }

    fn to_precision(&self, wanted: usize) -> Result<TaskOutcome<Vec<Exact>>, DesignError> {
        let cloud = EnclosedConditions::new(self.tables, &self.stages, wanted)?;
        let Some(RangeNullSpace { inverse, null }) = RangeNullSpace::with_noise(&cloud.middle(), cloud.noise()) else {
            return Ok(TaskOutcome::Undecided);
        };
        let moments = Moments::new(&self.tables.exact, &self.stages, wanted)?;
        let own = self.own();
        let own = DVector::from_iterator(own.len(), own.iter().map(Exact::to_f64));
        let start = if wanted <= self.order {
            if null.ncols() == 0 {
                return Ok(cloud.only_own().map_or(TaskOutcome::Undecided, TaskOutcome::Impossible));
            }
            match clearest_difference(&self.errors(wanted)?, &null, &own, self.size) {
                Some(difference) => own + difference,
                None => return Ok(TaskOutcome::Higher),
            }
        } else {
            if let Some(proof) = cloud.contradiction(|_| true) {
                return Ok(TaskOutcome::Impossible(proof));
            }
            let particular = &inverse * DVector::from_element(inverse.ncols(), 1.0);
            let step = self.smallest_errors(wanted, &null, &particular)?;
            particular + step
        };
        let (value, _) = refined_weights(&moments, &inverse, &start);
        Ok(TaskOutcome::Found { value: value.into_iter().map(Exact::from).collect(), free: null.ncols(), class: None })
    }
}

/// Returns vectors as the columns of a matrix of doubles.
fn doubles(vectors: &[Vec<Exact>], length: usize) -> DMatrix<f64> {
    DMatrix::from_fn(length, vectors.len(), |i, j| vectors[j][i].to_f64())
}

fn orthonormal(basis: &DMatrix<f64>) -> DMatrix<f64> {
    if basis.ncols() == 0 { basis.clone() } else { basis.clone().qr().q() }
}

/// Returns whether two vectors differ.
pub(crate) fn differ<T: Scalar>(x: &[T], y: &[T]) -> bool {
    x.iter().zip(y).any(|(x, y)| !(x.clone() - y.clone()).is_zero())
}
