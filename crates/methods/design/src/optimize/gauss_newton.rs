//! Descents of sums of squares in the coordinates of a recurrence, by damped Gauss–Newton steps (Levenberg 1944,
//! Marquardt 1963) in the null space of the conditions, each followed by their restoration.
//!
//! Errors, bounds and coupled steps are sums of squares, so that first derivatives suffice. Only positive excesses
//! count, which changes from step to step.

use nalgebra::DVector;

use crate::conditions::elementary_weights::{Linearization, WeightSystem};
use crate::conditions::equations::Equations;
use crate::optimize::null_space::NullSpace;
use crate::optimize::restore::{restore, restore_nearby};
use crate::pair::coefficients::PairCoefficients;
use crate::simd::columns::PaddedColumns;
use crate::terms::coupled_hinges::CoupledHinges;
use crate::terms::soft_bounds::SoftBounds;
use crate::unknowns::recurrence_coordinates::RecurrenceCoordinates;
use crate::unknowns::slopes::Slopes;

/// Largest number of coupled steps whose derivatives are computed, the worst ones.
const ACTIVE: usize = 500;
/// Damping of the coordinates that no term determines.
const LEAST_DAMPING: f64 = 1e-8;
/// Relative gain of a step below which a descent ends.
const GAIN: f64 = 1e-4;
/// Number of coupled steps at which a weight has its nominal size.
const NOMINAL: f64 = 400.0;

/// Errors and bounds of pairs with one fast polynomial, subject to their order conditions.
pub(crate) struct RecurrenceProgram<'a> {
    pub(crate) coordinates: RecurrenceCoordinates<'a>,
    pub(crate) conditions: &'a WeightSystem,
    pub(crate) errors: &'a WeightSystem,
    pub(crate) bounds: &'a SoftBounds,
}

/// Weighted inequalities at coupled steps.
#[derive(Clone, Copy)]
pub(crate) struct WeightedHinges<'a> {
    pub(crate) hinges: &'a CoupledHinges,
    pub(crate) weight: f64,
}

impl WeightedHinges<'_> {
    /// Returns the factor of every excess.
    fn factor(self) -> f64 {
        self.weight * (NOMINAL / self.hinges.count().max(1) as f64).sqrt()
    }
}

/// A point of a descent with the sum of squares there.
#[derive(Clone, Debug)]
pub(crate) struct DescentPoint {
    pub(crate) x: DVector<f64>,
    pub(crate) square: f64,
}

/// Residuals and their gradients, a column each.
#[derive(Default)]
struct Rows {
    residuals: Vec<f64>,
    gradients: Vec<f64>,
}

impl Rows {
    fn push(&mut self, residual: f64, factor: f64, gradient: &PairCoefficients, point: &impl Slopes) {
        let begin = self.gradients.len();
        self.gradients.resize(begin + point.count(), 0.0);
        point.pull(gradient, &mut self.gradients[begin..]);
        self.gradients[begin..].iter_mut().for_each(|slope| *slope *= factor);
        self.residuals.push(factor * residual);
    }

    fn columns(&self, height: usize) -> PaddedColumns {
        let mut columns = PaddedColumns::zero(height, self.residuals.len());
        for (j, gradient) in self.gradients.chunks(height.max(1)).enumerate() {
            columns.column_mut(j).as_flattened_mut()[..height].copy_from_slice(gradient);
        }
        columns
    }
}

impl Equations for RecurrenceProgram<'_> {
    fn linearization(&self, x: &[f64]) -> Linearization {
        let point = self.coordinates.point(x);
        self.conditions.linearization(&point.at, &point, 0)
    }

    fn residuals(&self, x: &[f64]) -> DVector<f64> {
        self.conditions.residual(&self.coordinates.point(x).at)
    }

    fn rounding(&self) -> f64 {
        // W⁻¹ has entries up to a hundred.
        5e-14
    }
}

impl RecurrenceProgram<'_> {
    /// Returns a point on the conditions from a start; `None` if there is none nearby.
    pub(crate) fn restored(&self, start: &[f64]) -> Option<DescentPoint> {
        const ITERATIONS: usize = 80;
        let x = DVector::from_vec(restore(self, start, ITERATIONS)?);
        let square = self.square(x.as_slice(), None);
        square.is_finite().then_some(DescentPoint { x, square })
    }

    /// Computes the norm of the error coefficients.
    pub(crate) fn error_norm(&self, x: &[f64]) -> f64 {
        self.errors.residual(&self.coordinates.point(x).at).norm()
    }

    /// Computes the sum of squares of errors, bounds and coupled steps.
    pub(crate) fn square(&self, x: &[f64], hinges: Option<WeightedHinges<'_>>) -> f64 {
        let at = self.coordinates.point(x).at;
        let coupled = hinges.map_or(0.0, |wanted| {
            let sum: f64 = wanted.hinges.values(&at).iter().map(|excess| excess * excess).sum();
            wanted.factor().powi(2) * sum
        });
        self.errors.residual(&at).norm_squared() + self.bounds.square(&at) + coupled
    }

    /// Descends for at most a number of steps.
    pub(crate) fn descend(
        &self,
        start: &DVector<f64>,
        hinges: Option<WeightedHinges<'_>>,
        steps: usize,
    ) -> DescentPoint {
        const TRIALS: usize = 9;
        let mut at = DescentPoint { x: start.clone(), square: self.square(start.as_slice(), hinges) };
        let mut damping = 1e-2;
        for _ in 0..steps {
            let null_space = NullSpace::new(self.linearization(at.x.as_slice()).gradients);
            if null_space.dimension() == 0 {
                break;
            }
            let rows = self.rows(at.x.as_slice(), hinges);
            let model = GaussNewtonModel::new(&null_space, &rows, at.x.len());
            let trial = |damping: f64| {
                let aim = &at.x + null_space.combination(&model.step(damping + LEAST_DAMPING)?);
                let x = restore_nearby(self, &null_space, aim)?;
                let square = self.square(x.as_slice(), hinges);
                (square < at.square).then_some(DescentPoint { x, square })
            };
            let mut better = None;
            for _ in 0..TRIALS {
                better = trial(damping);
                if better.is_some() {
                    break;
                }
                damping *= 4.0;
            }
            let Some(better) = better else { break };
            let is_small = at.square - better.square < GAIN * at.square && damping < 1.0;
            at = better;
            damping = (damping / 4.0).max(1e-9);
            if is_small {
                break;
            }
        }
        at
    }

    /// Collects the residuals that count at a point.
    fn rows(&self, x: &[f64], hinges: Option<WeightedHinges<'_>>) -> Rows {
        let point = self.coordinates.point(x);
        let errors = self.errors.linearization(&point.at, &point, 0);
        let mut rows = Rows { residuals: errors.residual.as_slice().to_vec(), gradients: Vec::new() };
        for j in 0..errors.gradients.count() {
            rows.gradients.extend_from_slice(&errors.gradients.column(j).as_flattened()[..x.len()]);
        }
        self.bounds.gradients(&point.at, |excess, gradient| rows.push(excess, 1.0, gradient, &point));
        if let Some(wanted) = hinges {
            let values = wanted.hinges.values(&point.at);
            let mut active: Vec<usize> = (0..values.len()).filter(|&k| values[k] > 0.0).collect();
            active.sort_by(|&i, &j| values[j].total_cmp(&values[i]).then(i.cmp(&j)));
            active.truncate(ACTIVE);
            let factor = wanted.factor();
            wanted.hinges.gradients(&point.at, &active, |value, gradient| rows.push(value, factor, gradient, &point));
        }
        rows
    }
}

/// The normal equations along the null space, in the smaller of both forms.
struct GaussNewtonModel {
    /// The gradients along the basis of the null space, a column for each residual.
    gradients: PaddedColumns,
    /// The matrix JJᵀ if there are fewer residuals than directions, else JᵀJ.
    gram: PaddedColumns,
    /// The residuals, or the gradient of half the sum of squares.
    right: Vec<f64>,
    has_few_residuals: bool,
}

impl GaussNewtonModel {
    fn new(null_space: &NullSpace, rows: &Rows, unknowns: usize) -> Self {
        let gradients = null_space.components(rows.columns(unknowns));
        let has_few_residuals = gradients.count() < gradients.height();
        if has_few_residuals {
            let gram = gradients.transposed().gram();
            return Self { gradients, gram, right: rows.residuals.clone(), has_few_residuals };
        }
        let (gram, right) = (gradients.gram(), gradients.times(&rows.residuals));
        Self { gradients, gram, right, has_few_residuals }
    }

    /// Returns the components of the step with a damping.
    fn step(&self, damping: f64) -> Option<Vec<f64>> {
        let solution = self.gram.shifted_solution(|_| -> f64 { damping }, &self.right)?;
        let step = if self.has_few_residuals { self.gradients.times(&solution) } else { solution };
        Some(step.into_iter().map(|x| -x).collect())
    }
}
