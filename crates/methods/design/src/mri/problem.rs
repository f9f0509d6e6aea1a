//! Conditions and objective of a multirate design, with derivatives.

use hemiola_multirate::{ConsistentConditions, InfinitesimalStage, LANES, Lanes};
use nalgebra::{DMatrix, DVector};

use crate::error::DesignError;
use crate::mri::form::MriForm;
use crate::mri::sectors::SectorSamples;
use crate::mri::specification::MriSpecification;

/// Shortest length of a stage in a design; much shorter stages would need forcing with large coefficients.
const SHORTEST: f64 = 0.02;

/// The nonlinear program.
pub(crate) struct MriProblem {
    pub(crate) form: MriForm,
    /// The conditions up to the order.
    conditions: ConsistentConditions,
    /// Conditions up to the next order; those of the next order are the principal error.
    with_error: ConsistentConditions,
    sectors: SectorSamples,
    largest: f64,
}

/// Weights of the terms of the objective.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TermWeights {
    /// Weight of the principal error norm.
    pub(crate) error: f64,
    /// Weight of violations of inequalities.
    pub(crate) violation: f64,
}

/// The objective ½Σr² with the Gauss–Newton model of its terms.
pub(crate) struct ObjectiveModel {
    /// Jᵀr.
    pub(crate) gradient: DVector<f64>,
    /// JᵀJ.
    pub(crate) curvature: DMatrix<f64>,
}

impl MriProblem {
    pub(crate) fn new(specification: &MriSpecification) -> Result<Self, DesignError> {
        let partitions = specification.part.names().len();
        Ok(Self {
            form: MriForm::new(specification),
            conditions: ConsistentConditions::new(partitions, specification.order)?,
            with_error: ConsistentConditions::new(partitions, specification.order + 1)?,
            sectors: SectorSamples::new(&specification.sectors),
            largest: specification.largest,
        })
    }

    /// Returns the number of conditions.
    pub(crate) fn equations(&self) -> usize {
        self.conditions.conditions().len()
    }

    /// Returns the conditions.
    pub(crate) fn conditions(&self) -> &ConsistentConditions {
        &self.conditions
    }

    /// Computes the residuals of the conditions.
    pub(crate) fn residuals(&self, x: &[f64]) -> DVector<f64> {
        DVector::from_vec(self.conditions.residuals(&self.form.rows(x)))
    }

    /// Computes the residuals of the conditions and their Jacobian.
    pub(crate) fn linearized(&self, x: &[f64]) -> (DVector<f64>, DMatrix<f64>) {
        linearized(&self.conditions, &self.form, x)
    }

    /// Computes the terms of the principal error, whose Euclidean norm is the principal error norm.
    fn error(&self, x: &[f64]) -> Vec<f64> {
        let residuals = self.with_error.residuals(&self.form.rows(x));
        let conditions = self.with_error.conditions()[self.equations()..].iter();
        residuals[self.equations()..].iter().zip(conditions).map(|(r, condition)| r * condition.weight.sqrt()).collect()
    }

    /// Computes the principal error norm.
    pub(crate) fn error_norm(&self, x: &[f64]) -> f64 {
        self.error(x).iter().map(|term| term * term).sum::<f64>().sqrt()
    }

    /// Computes the sum of squares of all violations of inequalities.
    pub(crate) fn violation(&self, x: &[f64]) -> f64 {
        let rows = self.form.rows(x);
        let sectors = self.sectors.violations(&self.form, &rows, false).iter().map(|found| found.excess.powi(2)).sum();
        let mut sum: f64 = sectors;
        self.bounds(x, &rows, |excess, _| sum += excess * excess);
        sum
    }

    /// Computes the objective.
    pub(crate) fn objective(&self, x: &[f64], weights: TermWeights) -> f64 {
        let value =
            0.5 * ((self.error_norm(x) * weights.error).powi(2) + self.violation(x) * weights.violation.powi(2));
        if value.is_nan() { f64::INFINITY } else { value }
    }

    /// Computes the Gauss–Newton model of the objective.
    pub(crate) fn model(&self, x: &[f64], weights: TermWeights) -> ObjectiveModel {
        let n = self.form.unknowns();
        let (residuals, jacobian) = linearized(&self.with_error, &self.form, x);
        let first = self.equations();
        let conditions = &self.with_error.conditions()[first..];
        let scale = |k: usize| conditions[k].weight.sqrt() * weights.error;
        let error = DMatrix::from_fn(conditions.len(), n, |k, j| jacobian[(first + k, j)] * scale(k));
        let values = DVector::from_fn(conditions.len(), |k, _| residuals[first + k] * scale(k));
        let mut model = ObjectiveModel { gradient: error.tr_mul(&values), curvature: error.tr_mul(&error) };
        let rows = self.form.rows(x);
        let square = weights.violation * weights.violation;
        let mut add = |excess: f64, gradient: &[f64]| {
            let used: Vec<usize> = (0..n).filter(|&j| gradient[j] != 0.0).collect();
            for &i in &used {
                model.gradient[i] += square * excess * gradient[i];
                for &j in &used {
                    model.curvature[(i, j)] += square * gradient[i] * gradient[j];
                }
            }
        };
        for found in self.sectors.violations(&self.form, &rows, true) {
            add(found.excess, &found.gradient);
        }
        self.bounds(x, &rows, |excess, slopes| add(excess, &slopes()));
        model
    }

    /// Calls `each` with all violated bounds of coefficients and abscissae and their gradients.
    fn bounds(&self, x: &[f64], rows: &[InfinitesimalStage<f64>], mut each: impl FnMut(f64, &dyn Fn() -> Vec<f64>)) {
        for (e, row) in rows.iter().enumerate() {
            let forcing =
                row.forcing.iter().enumerate().flat_map(|(part, powers)| {
                    powers.iter().enumerate().map(move |(k, columns)| (part, Some(k), columns))
                });
            let corrections = row.correction.iter().enumerate().map(|(part, columns)| (part, None, columns));
            for (part, power, columns) in forcing.chain(corrections) {
                for (j, entry) in columns.iter().enumerate().filter(|(_, entry)| entry.abs() > self.largest) {
                    each(entry.abs() - self.largest, &|| {
                        let mut slopes = self.form.no_slopes();
                        let row = &mut slopes[e];
                        let own = power.map_or(&mut row.correction[part], |k| &mut row.forcing[part][k]);
                        own[j] = entry.signum();
                        self.form.gradient(&slopes)
                    });
                }
            }
            if row.interval < SHORTEST {
                each(SHORTEST - row.interval, &|| {
                    let mut slopes = self.form.no_slopes();
                    slopes[e].interval = -1.0;
                    self.form.gradient(&slopes)
                });
            }
        }
        for (k, c) in x[..self.form.abscissae()].iter().enumerate().filter(|(_, c)| **c > 1.0) {
            each(c - 1.0, &|| (0..x.len()).map(|j| f64::from(u8::from(j == k))).collect());
        }
    }
}

/// Computes the residuals of conditions and their Jacobian with respect to the unknowns of a form.
fn linearized(conditions: &ConsistentConditions, form: &MriForm, x: &[f64]) -> (DVector<f64>, DMatrix<f64>) {
    let count = conditions.conditions().len();
    let mut values = DVector::zeros(count);
    let mut jacobian = DMatrix::zeros(count, x.len());
    for first in (0..x.len()).step_by(LANES) {
        let number = |(k, x): (usize, &f64)| match k.checked_sub(first) {
            Some(lane) if lane < LANES => Lanes::variable(*x, lane),
            _ => Lanes::constant(*x),
        };
        let lanes: Vec<Lanes> = x.iter().enumerate().map(number).collect();
        for (k, residual) in conditions.residuals(&form.rows(&lanes)).into_iter().enumerate() {
            values[k] = residual.value;
            for (lane, j) in (first..x.len().min(first + LANES)).enumerate() {
                jacobian[(k, j)] = residual.slopes[lane];
            }
        }
    }
    (values, jacobian)
}
