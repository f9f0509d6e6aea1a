//! Single step with its first derivatives.
//!
//! With w = (y, u₀, u₁, T, p) and h = ηT, the slopes k of a step solve kᵢ = f(zᵢ) with zᵢ = (y + h Σ aᵢⱼkⱼ, u(cᵢ), p,
//! t+cᵢh). A linearized method computes its Newton iterations m in turn: kᵢᵐ = f(zᵢ) + f′(zᵢ)dᵢ with zᵢ built from
//! kᵐ⁻¹ and dᵢ = h Σ aᵢⱼ(kⱼᵐ − kⱼᵐ⁻¹) (Gerdts 2003, (10)). In both cases ∂k/∂w solves a linear system with the matrix
//! of Newton's method.

use nalgebra::DMatrix;
use thiserror::Error;

use super::frame::{ProblemSizes, StepFrame};
use super::rule::{RateEvaluation, StageTreatment, StepRule};
use super::solve::StageFactorization;
use crate::calculus::Differentiable;

/// More Newton iterations than a convergent solution needs.
const MOST_ITERATIONS: usize = 30;

/// Reason why a step has no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum StepFailure {
    /// A rate, a derivative or the result is not finite.
    #[error("a rate or a derivative is not finite")]
    NotFinite,
    /// The matrix of the stage equations is singular.
    #[error("the matrix of the stage equations is singular")]
    Singular,
    /// Newton's method does not solve the stage equations.
    #[error("Newton's method does not solve the stage equations")]
    NotConverged,
    /// The integrator of the caller has no result.
    #[error("the integrator does not reach the end of the interval")]
    NotReached,
    /// The integrator of the caller has no second derivatives.
    #[error("the integrator provides no second derivatives; expected BFGS")]
    NoCurvature,
}

/// Stage equations of one level: all equations of an explicit or implicit method, or one Newton iteration of a
/// linearized method.
#[derive(Debug)]
pub(crate) struct StageLevel {
    /// Data of each evaluation: zᵢ, dᵢ, f′(zᵢ), ∂(f′dᵢ)/∂z, ∂zᵢ/∂w and ∂dᵢ/∂w.
    pub(crate) points: Vec<EvaluationPoint>,
    pub(crate) factored: StageFactorization,
    /// Slopes k, stage by stage, and ∂k/∂w.
    pub(crate) slopes: Vec<f64>,
    pub(crate) slopes_w: DMatrix<f64>,
}

#[derive(Debug)]
pub(crate) struct EvaluationPoint {
    pub(crate) z: Vec<f64>,
    pub(crate) d: Vec<f64>,
    pub(crate) jacobian: DMatrix<f64>,
    pub(crate) bend: DMatrix<f64>,
    pub(crate) z_w: DMatrix<f64>,
    pub(crate) d_w: DMatrix<f64>,
}

/// Step with the data that its derivatives need.
#[derive(Debug)]
pub(crate) struct DifferentiatedStep<'a> {
    pub(crate) rule: &'a StepRule,
    pub(crate) local: ProblemSizes,
    pub(crate) frame: StepFrame,
    pub(crate) h: f64,
    /// First level of a linearized method: z, f′(z) and ∂z/∂w at the beginning, where k⁰ = f(z), with k⁰ stage by stage
    /// and its derivative.
    pub(crate) start: Option<StageLevel>,
    pub(crate) levels: Vec<StageLevel>,
    pub(crate) end: Vec<f64>,
    /// Derivatives ∂y⁺/∂w.
    pub(crate) end_w: DMatrix<f64>,
}

pub(crate) struct Stepper<'a> {
    pub(crate) rule: &'a StepRule,
    pub(crate) local: ProblemSizes,
    pub(crate) dynamics: &'a dyn Differentiable,
    pub(crate) frame: StepFrame,
    /// Arguments w.
    pub(crate) w: &'a [f64],
    /// Whether derivatives are computed. Without them, the matrices ∂/∂w have no columns.
    pub(crate) has_derivatives: bool,
}

impl<'a> Stepper<'a> {
    pub(crate) fn step(&self) -> Result<DifferentiatedStep<'a>, StepFailure> {
        let (start, levels) = match self.rule.treatment {
            StageTreatment::Explicit => (None, vec![self.explicit()?]),
            StageTreatment::Implicit => (None, vec![self.implicit()?]),
            StageTreatment::Linearized(iterations) => {
                let start = self.start()?;
                let mut levels: Vec<StageLevel> = Vec::with_capacity(iterations);
                for _ in 0..iterations {
                    let level = self.linearized(levels.last().unwrap_or(&start))?;
                    levels.push(level);
                }
                (Some(start), levels)
            }
        };
        let last = levels.last().ok_or(StepFailure::NotConverged)?;
        let (end, end_w) = self.result(last)?;
        Ok(DifferentiatedStep {
            rule: self.rule,
            local: self.local,
            frame: self.frame,
            h: self.h(),
            start,
            levels,
            end,
            end_w,
        })
    }

    fn h(&self) -> f64 {
        self.frame.length * self.w[self.local.duration()]
    }

    fn n(&self) -> usize {
        self.rule.variables()
    }

    /// Returns the number of derivatives to compute.
    fn columns(&self) -> usize {
        if self.has_derivatives { self.local.len() } else { 0 }
    }

    /// Returns z at a fraction c of the step, with zeros for the state.
    fn argument(&self, c: f64) -> Vec<f64> {
        let ProblemSizes { states, controls, parameters } = self.local;
        let blend = self.frame.blend(c);
        let mut z = vec![0.0; self.local.arguments()];
        for k in 0..controls {
            let (u0, u1) = (self.w[states + k], self.w[states + controls + k]);
            z[states + k] = (1.0 - blend) * u0 + blend * u1;
        }
        let p = self.local.duration() + 1;
        z[states + controls..states + controls + parameters].copy_from_slice(&self.w[p..p + parameters]);
        z[states + controls + parameters] = self.frame.time(c) * self.w[self.local.duration()];
        z
    }

    /// Returns ∂z/∂w at a fraction c of the step, with the derivatives of the state at the beginning of the step.
    fn argument_w(&self, c: f64) -> DMatrix<f64> {
        let ProblemSizes { states, controls, parameters } = self.local;
        let mut z_w = DMatrix::zeros(self.local.arguments(), self.columns());
        if !self.has_derivatives {
            return z_w;
        }
        let blend = self.frame.blend(c);
        (0..states).for_each(|k| z_w[(k, k)] = 1.0);
        for k in 0..controls {
            z_w[(states + k, states + k)] = 1.0 - blend;
            z_w[(states + k, states + controls + k)] = blend;
        }
        let duration = self.local.duration();
        (0..parameters).for_each(|k| z_w[(states + controls + k, duration + 1 + k)] = 1.0);
        z_w[(states + controls + parameters, duration)] = self.frame.time(c);
        z_w
    }

    /// Computes Σⱼ aᵢⱼ kⱼ.
    fn sum(&self, i: usize, slopes: &[f64]) -> Vec<f64> {
        let (n, s) = (self.n(), self.rule.stages());
        (0..n).map(|v| (0..s).map(|j| self.rule.a(v, i, j) * slopes[j * n + v]).sum()).collect()
    }

    /// Adds factor · Σⱼ aᵢⱼ ∂kⱼ/∂w to the rows of the state.
    fn add_sum_w(&self, i: usize, factor: f64, slopes_w: &DMatrix<f64>, out: &mut DMatrix<f64>) {
        let (n, s) = (self.n(), self.rule.stages());
        for j in 0..s {
            for v in 0..n {
                let a = factor * self.rule.a(v, i, j);
                if a != 0.0 {
                    (0..out.ncols()).for_each(|column| out[(v, column)] += a * slopes_w[(j * n + v, column)]);
                }
            }
        }
    }

    /// Adds a vector to the derivatives of the state with respect to T.
    fn add_duration(&self, factor: f64, vector: &[f64], out: &mut DMatrix<f64>) {
        if self.has_derivatives {
            let column = self.local.duration();
            vector.iter().enumerate().for_each(|(v, value)| out[(v, column)] += factor * value);
        }
    }

    /// Returns zᵢ for given slopes.
    fn stage_argument(&self, evaluation: &RateEvaluation, slopes: &[f64]) -> Vec<f64> {
        let mut z = self.argument(evaluation.c);
        let (h, sum) = (self.h(), self.sum(evaluation.stage, slopes));
        sum.iter().enumerate().for_each(|(v, sum)| z[v] = self.w[v] + h * sum);
        z
    }

    fn jacobian(&self, z: &[f64]) -> Result<DMatrix<f64>, StepFailure> {
        let mut rows = vec![0.0; self.n() * z.len()];
        self.dynamics.jacobian(z, &mut rows);
        finite(&rows)?;
        Ok(DMatrix::from_row_slice(self.n(), z.len(), &rows))
    }

    fn rates(&self, z: &[f64]) -> Result<Vec<f64>, StepFailure> {
        let mut rates = vec![0.0; self.n()];
        self.dynamics.value(z, &mut rates);
        finite(&rates)?;
        Ok(rates)
    }

    /// Builds the matrix δ − h aᵢⱼ ∂f/∂y.
    fn matrix(&self, jacobians: &[DMatrix<f64>]) -> DMatrix<f64> {
        let (n, s, h) = (self.n(), self.rule.stages(), self.h());
        let mut matrix = DMatrix::identity(s * n, s * n);
        for (evaluation, jacobian) in self.rule.evaluations.iter().zip(jacobians) {
            let i = evaluation.stage;
            for &row in &evaluation.rows {
                for j in 0..s {
                    for v in 0..n {
                        matrix[(i * n + row, j * n + v)] -= h * self.rule.a(v, i, j) * jacobian[(row, v)];
                    }
                }
            }
        }
        matrix
    }

    fn explicit(&self) -> Result<StageLevel, StepFailure> {
        let n = self.n();
        let mut slopes = vec![0.0; self.rule.stages() * n];
        let mut arguments = Vec::new();
        for evaluation in &self.rule.evaluations {
            let z = self.stage_argument(evaluation, &slopes);
            let rates = self.rates(&z)?;
            evaluation.rows.iter().for_each(|&row| slopes[evaluation.stage * n + row] = rates[row]);
            arguments.push(z);
        }
        self.solved(slopes, arguments, true)
    }

    fn implicit(&self) -> Result<StageLevel, StepFailure> {
        let (n, s) = (self.n(), self.rule.stages());
        let mut z = self.argument(0.0);
        z[..n].copy_from_slice(&self.w[..n]);
        let start = self.rates(&z)?;
        let mut slopes: Vec<f64> = (0..s).flat_map(|_| start.iter().copied()).collect();
        let mut last = f64::INFINITY;
        for _ in 0..MOST_ITERATIONS {
            let arguments: Vec<Vec<f64>> =
                self.rule.evaluations.iter().map(|evaluation| self.stage_argument(evaluation, &slopes)).collect();
            let mut residual = DMatrix::from_fn(s * n, 1, |row, _| -slopes[row]);
            for (evaluation, z) in self.rule.evaluations.iter().zip(&arguments) {
                let rates = self.rates(z)?;
                evaluation.rows.iter().for_each(|&row| residual[evaluation.stage * n + row] += rates[row]);
            }
            let jacobians: Vec<DMatrix<f64>> = arguments.iter().map(|z| self.jacobian(z)).collect::<Result<_, _>>()?;
            let factored = StageFactorization::new(self.matrix(&jacobians), false);
            let change = factored.solve(residual).ok_or(StepFailure::Singular)?;
            let size = slopes.iter().fold(f64::MIN_POSITIVE, |size, k| size.max(k.abs()));
            slopes.iter_mut().zip(change.iter()).for_each(|(k, change)| *k += change);
            // Convergence is quadratic: once below √ε relative to the slopes, the next error is at rounding level and
            // no longer decreases.
            let relative = change.amax() / size;
            if relative <= 4.0 * f64::EPSILON || (last <= 1e-8 && relative <= 1e-10) {
                let point = |evaluation| self.stage_argument(evaluation, &slopes);
                let arguments = self.rule.evaluations.iter().map(point).collect();
                return self.solved(slopes, arguments, false);
            }
            last = relative;
        }
        Err(StepFailure::NotConverged)
    }

    /// Builds the level of an explicit or implicit method with known slopes.
    fn solved(&self, slopes: Vec<f64>, arguments: Vec<Vec<f64>>, is_lower: bool) -> Result<StageLevel, StepFailure> {
        let (n, s, h) = (self.n(), self.rule.stages(), self.h());
        if !self.has_derivatives {
            return Ok(StageLevel {
                points: Vec::new(),
                factored: StageFactorization::Lower(DMatrix::zeros(0, 0)),
                slopes,
                slopes_w: DMatrix::zeros(s * n, 0),
            });
        }
        let jacobians: Vec<DMatrix<f64>> = arguments.iter().map(|z| self.jacobian(z)).collect::<Result<_, _>>()?;
        let factored = StageFactorization::new(self.matrix(&jacobians), is_lower);
        let mut right = DMatrix::zeros(s * n, self.columns());
        let mut points = Vec::with_capacity(arguments.len());
        for ((evaluation, z), jacobian) in self.rule.evaluations.iter().zip(arguments).zip(jacobians) {
            let mut z_w = self.argument_w(evaluation.c);
            self.add_duration(self.frame.length, &self.sum(evaluation.stage, &slopes), &mut z_w);
            put_rows(evaluation, n, &(&jacobian * &z_w), &mut right);
            let nothing = || DMatrix::zeros(0, 0);
            points.push(EvaluationPoint { z, d: Vec::new(), jacobian, bend: nothing(), z_w, d_w: nothing() });
        }
        let slopes_w = factored.solve(right).ok_or(StepFailure::Singular)?;
        for (evaluation, point) in self.rule.evaluations.iter().zip(&mut points) {
            self.add_sum_w(evaluation.stage, h, &slopes_w, &mut point.z_w);
        }
        Ok(StageLevel { points, factored, slopes, slopes_w })
    }

    /// Computes k⁰ = f at the beginning for every stage.
    fn start(&self) -> Result<StageLevel, StepFailure> {
        let (n, s) = (self.n(), self.rule.stages());
        let mut z = self.argument(0.0);
        z[..n].copy_from_slice(&self.w[..n]);
        let rates = self.rates(&z)?;
        let slopes = (0..s).flat_map(|_| rates.iter().copied()).collect();
        let (mut points, mut slopes_w) = (Vec::new(), DMatrix::zeros(s * n, self.columns()));
        if self.has_derivatives {
            let (jacobian, z_w) = (self.jacobian(&z)?, self.argument_w(0.0));
            let once = &jacobian * &z_w;
            (0..s).for_each(|i| slopes_w.rows_mut(i * n, n).copy_from(&once));
            let nothing = || DMatrix::zeros(0, 0);
            points.push(EvaluationPoint { z, d: Vec::new(), jacobian, bend: nothing(), z_w, d_w: nothing() });
        }
        Ok(StageLevel { points, factored: StageFactorization::Lower(DMatrix::zeros(0, 0)), slopes, slopes_w })
    }

    /// Computes one Newton iteration from the slopes of the preceding level.
    fn linearized(&self, before: &StageLevel) -> Result<StageLevel, StepFailure> {
        let (n, s, h) = (self.n(), self.rule.stages(), self.h());
        let evaluations = &self.rule.evaluations;
        let arguments: Vec<Vec<f64>> =
            evaluations.iter().map(|evaluation| self.stage_argument(evaluation, &before.slopes)).collect();
        let jacobians: Vec<DMatrix<f64>> = arguments.iter().map(|z| self.jacobian(z)).collect::<Result<_, _>>()?;
        let factored = StageFactorization::new(self.matrix(&jacobians), false);
        let mut right = DMatrix::zeros(s * n, 1);
        for ((evaluation, z), jacobian) in evaluations.iter().zip(&arguments).zip(&jacobians) {
            let (rates, sum) = (self.rates(z)?, self.sum(evaluation.stage, &before.slopes));
            for &row in &evaluation.rows {
                let known: f64 = (0..n).map(|v| jacobian[(row, v)] * h * sum[v]).sum();
                right[evaluation.stage * n + row] = rates[row] - known;
            }
        }
        let slopes: Vec<f64> = factored.solve(right).ok_or(StepFailure::Singular)?.iter().copied().collect();
        if !self.has_derivatives {
            return Ok(StageLevel { points: Vec::new(), factored, slopes, slopes_w: DMatrix::zeros(s * n, 0) });
        }
        let change: Vec<f64> = slopes.iter().zip(&before.slopes).map(|(k, before)| k - before).collect();
        let mut right = DMatrix::zeros(s * n, self.columns());
        let mut points = Vec::with_capacity(arguments.len());
        for ((evaluation, z), jacobian) in evaluations.iter().zip(arguments).zip(jacobians) {
            let i = evaluation.stage;
            let correction = self.sum(i, &change);
            let mut d = vec![0.0; z.len()];
            correction.iter().enumerate().for_each(|(v, value)| d[v] = h * value);
            let bend = self.linearization_derivative(&z, &d)?;
            let mut z_w = self.argument_w(evaluation.c);
            self.add_duration(self.frame.length, &self.sum(i, &before.slopes), &mut z_w);
            self.add_sum_w(i, h, &before.slopes_w, &mut z_w);
            let mut d_w = DMatrix::zeros(n, self.columns());
            self.add_duration(self.frame.length, &correction, &mut d_w);
            self.add_sum_w(i, -h, &before.slopes_w, &mut d_w);
            let known = (&jacobian + &bend) * &z_w + jacobian.columns(0, n) * &d_w;
            put_rows(evaluation, n, &known, &mut right);
            points.push(EvaluationPoint { z, d, jacobian, bend, z_w, d_w });
        }
        let slopes_w = factored.solve(right).ok_or(StepFailure::Singular)?;
        for (evaluation, point) in evaluations.iter().zip(&mut points) {
            self.add_sum_w(evaluation.stage, h, &slopes_w, &mut point.d_w);
        }
        Ok(StageLevel { points, factored, slopes, slopes_w })
    }

    fn linearization_derivative(&self, z: &[f64], d: &[f64]) -> Result<DMatrix<f64>, StepFailure> {
        let size = self.n() * z.len();
        let (mut jacobian, mut bend) = (vec![0.0; size], vec![0.0; size]);
        self.dynamics.linearization(z, d, &mut jacobian, &mut bend);
        finite(&bend)?;
        Ok(DMatrix::from_row_slice(self.n(), z.len(), &bend))
    }

    /// Computes y + h Σ bⱼ kⱼ and its derivatives.
    fn result(&self, last: &StageLevel) -> Result<(Vec<f64>, DMatrix<f64>), StepFailure> {
        let (n, s, h) = (self.n(), self.rule.stages(), self.h());
        let sum = |v: usize| (0..s).map(|j| self.rule.b(v, j) * last.slopes[j * n + v]).sum::<f64>();
        let sums: Vec<f64> = (0..n).map(sum).collect();
        let end: Vec<f64> = sums.iter().zip(self.w).map(|(sum, y)| y + h * sum).collect();
        finite(&end)?;
        let mut end_w = DMatrix::zeros(n, self.columns());
        if self.has_derivatives {
            (0..n).for_each(|v| end_w[(v, v)] = 1.0);
            self.add_duration(self.frame.length, &sums, &mut end_w);
            for (v, j) in (0..n).flat_map(|v| (0..s).map(move |j| (v, j))) {
                let b = h * self.rule.b(v, j);
                (0..end_w.ncols()).for_each(|column| end_w[(v, column)] += b * last.slopes_w[(j * n + v, column)]);
            }
        }
        Ok((end, end_w))
    }
}

/// Copies the rows that an evaluation provides.
fn put_rows(evaluation: &RateEvaluation, n: usize, rows: &DMatrix<f64>, out: &mut DMatrix<f64>) {
    evaluation.rows.iter().for_each(|&row| out.row_mut(evaluation.stage * n + row).copy_from(&rows.row(row)));
}

fn finite(values: &[f64]) -> Result<(), StepFailure> {
    if values.iter().all(|value| value.is_finite()) { Ok(()) } else { Err(StepFailure::NotFinite) }
}
