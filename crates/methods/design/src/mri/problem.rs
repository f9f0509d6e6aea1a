//! Conditions and objective of a multirate design, with derivatives.

use hemiola_multirate::{ConsistentConditions, InfinitesimalStage, LANES, Lanes};
use hemiola_tableau::Scalar;
use nalgebra::{DMatrix, DVector};

use crate::error::DesignError;
use crate::mri::form::MriForm;
use crate::mri::sectors::{SectorSamples, Violation};
use crate::mri::specification::{MriSpecification, SlowStability};
use crate::mri::stiff::{AxisSamples, scaled_limit_at_infinity};

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
    axis: AxisSamples,
    stability: SlowStability,
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
            axis: AxisSamples::new(specification.order, specification.stability),
            stability: specification.stability,
            largest: specification.largest,
        })
    }

    /// Returns the number of conditions.
    fn conditions(&self) -> usize {
        self.conditions.conditions().len()
    }

    /// Computes the residuals of the equations: the conditions, and R(∞) = 0 of an L-stable partition.
    pub(crate) fn equations<T: Scalar>(&self, x: &[T]) -> Vec<T> {
        let rows = self.form.rows(x);
        let mut residuals = self.conditions.residuals(&rows);
        let damped = self.form.implicit_part().filter(|_| self.stability == SlowStability::LStable);
        residuals.extend(damped.map(|part| scaled_limit_at_infinity(&rows, part)));
        residuals
    }

    /// Computes the residuals of the equations in doubles.
    pub(crate) fn residuals(&self, x: &[f64]) -> DVector<f64> {
        DVector::from_vec(self.equations(x))
    }

    /// Computes the residuals of the equations and their Jacobian.
    pub(crate) fn linearized(&self, x: &[f64]) -> (DVector<f64>, DMatrix<f64>) {
        linearized(x, |x| self.equations(x))
    }

    /// Computes the terms of the principal error, whose Euclidean norm is the principal error norm.
    fn error(&self, x: &[f64]) -> Vec<f64> {
        let residuals = self.with_error.residuals(&self.form.rows(x));
        let conditions = self.with_error.conditions()[self.conditions()..].iter();
        residuals[self.conditions()..]
            .iter()
            .zip(conditions)
            .map(|(r, condition)| r * condition.weight.sqrt())
            .collect()
    }

    /// Computes the principal error norm.
    pub(crate) fn error_norm(&self, x: &[f64]) -> f64 {
        self.error(x).iter().map(|term| term * term).sum::<f64>().sqrt()
    }

    /// Computes the sum of squares of all violations of inequalities.
    pub(crate) fn violation(&self, x: &[f64]) -> f64 {
        let rows = self.form.rows(x);
        let mut sum: f64 = self.unstable(&rows, false).map(|found| found.excess.powi(2)).sum();
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
        let (residuals, jacobian) = linearized(x, |x| self.with_error.residuals(&self.form.rows(x)));
        let first = self.conditions();
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
        for found in self.unstable(&rows, true) {
            add(found.excess, &found.gradient);
        }
        self.bounds(x, &rows, |excess, slopes| add(excess, &slopes()));
        model
    }

    /// Iterates over all samples with |R| > 1.
    fn unstable(&self, rows: &[InfinitesimalStage<f64>], with_gradient: bool) -> impl Iterator<Item = Violation> {
        let sectors = self.sectors.violations(&self.form, rows, with_gradient);
        sectors.into_iter().chain(self.axis.violations(&self.form, rows, with_gradient))
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

/// Computes residuals and their Jacobian.
fn linearized(x: &[f64], residuals: impl Fn(&[Lanes]) -> Vec<Lanes>) -> (DVector<f64>, DMatrix<f64>) {
    let along = |first: usize| {
        let number = |(k, x): (usize, &f64)| match k.checked_sub(first) {
            Some(lane) if lane < LANES => Lanes::variable(*x, lane),
            _ => Lanes::constant(*x),
        };
        residuals(&x.iter().enumerate().map(number).collect::<Vec<Lanes>>())
    };
    let blocks: Vec<Vec<Lanes>> = (0..x.len().max(1)).step_by(LANES).map(along).collect();
    let count = blocks.first().map_or(0, Vec::len);
    let values = DVector::from_fn(count, |k, _| blocks[0][k].value);
    let jacobian = DMatrix::from_fn(count, x.len(), |k, j| blocks[j / LANES][k].slopes[j % LANES]);
    (values, jacobian)
}
