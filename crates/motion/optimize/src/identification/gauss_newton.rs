//! Damped Gauss–Newton method within bounds (Levenberg 1944, Marquardt 1963).

use std::ops::RangeInclusive;
use std::sync::Arc;

use hemiola_number::{Progress, Update};
use nalgebra::{DMatrix, DVector};

use super::fit::{FitStatus, ParameterFit};
use super::measurements::{IdentificationError, Measurements};
use crate::calculus::Differentiable;
use crate::sqp::Ranges;
use crate::steps::{ControlInterval, ProblemSizes, StepFailure, StepRule};

/// Initial state as a function of the parameters, with its derivatives; `None` where the model has no initial state.
type InitialState = Arc<dyn Fn(&[f64]) -> Option<(Vec<f64>, DMatrix<f64>)> + Send + Sync>;

/// Model with unknown parameters, and its integration.
///
/// ```
/// use std::sync::Arc;
/// use hemiola_optimize::identification::{FitStatus, Identification, Measurements};
/// use hemiola_optimize::sqp::Ranges;
/// # use hemiola_optimize::{Number, Smooth, StepRule};
/// # use hemiola_tableau::{Scheme, library};
/// # struct Decay;
/// # impl Smooth for Decay {
/// #     fn inputs(&self) -> usize { 3 }
/// #     fn outputs(&self) -> usize { 1 }
/// #     fn evaluate<N: Number>(&self, z: &[N], out: &mut [N]) { out[0] = -z[1] * z[0]; }
/// # }
/// # let rule = StepRule::new(&Scheme::Method(library::method("rk4")?), &[1])?;
/// // y' = −p y from y = 2, measured four times with a standard deviation of 0.01.
/// let identification = Identification {
///     dynamics: Arc::new(Decay),
///     initial: Arc::new(|_| Some((vec![2.0], nalgebra::DMatrix::zeros(1, 1)))),
///     rule,
///     steps: 10,
///     bounds: Ranges { lower: vec![0.0], upper: vec![10.0] },
/// };
/// let values = [1.222, 0.729, 0.439, 0.283].map(|value| vec![value]).to_vec();
/// let data = Measurements { times: vec![0.5, 1.0, 1.5, 2.0], states: vec![0], values, deviations: vec![0.01] };
/// let fit = identification.run(&data, &[3.0], 100, &())?;
/// assert_eq!(fit.ending, FitStatus::Converged);
/// assert!((fit.parameters[0] - 1.0).abs() < 0.03 && fit.probability().is_some_and(|p| p > 0.05));
/// let (times, course) = identification.trajectory_points(&data, &fit.parameters)?;
/// // Ten and sixteen steps of order four from one measurement to the next: errors of h⁴t y/120.
/// assert!(times.len() == 33 && course[0] == [2.0] && (course[32][0] - fit.fitted[3][0]).abs() < 4e-8);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Identification {
    /// Rates ẏ = f(y, p, t).
    pub dynamics: Arc<dyn Differentiable>,
    /// State at t = 0.
    pub initial: InitialState,
    /// Integration method.
    pub rule: StepRule,
    /// Number of steps from one measurement to the next.
    pub steps: usize,
    /// Bounds of the parameters.
    pub bounds: Ranges,
}

/// Residuals and their derivatives at one point, all times in sequence.
struct ResidualPoint {
    fitted: Vec<Vec<f64>>,
    residuals: DVector<f64>,
    jacobian: DMatrix<f64>,
}

const FIRST_DAMPING: f64 = 1e-6;
const MOST_DAMPING: f64 = 1e12;
/// Relative changes of the parameters and of the sum of squares that count as zero.
const SMALL_STEP: f64 = 1e-9;
const SMALL_DECREASE: f64 = 1e-13;
/// Points of the computed trajectory from one measurement to the next.
const PARTS: usize = 8;

/// Largest number of steps from one measurement to the next; more steps only add rounding errors.
const MOST_STEPS: usize = 100_000;
/// Largest accepted iteration limit. Gauss–Newton needs some ten iterations when it converges.
const MOST_ITERATIONS: usize = 10_000;

fn check_count(name: &'static str, found: usize, range: RangeInclusive<usize>) -> Result<(), IdentificationError> {
    let (least, most) = (*range.start(), *range.end());
    if range.contains(&found) { Ok(()) } else { Err(IdentificationError::Count { name, found, least, most }) }
}

impl Identification {
    /// Fits parameters to measurements, starting from first values. `progress` receives the number of the iteration and
    /// the sum of squares.
    ///
    /// # Errors
    /// [`IdentificationError`] if sizes or numbers are wrong, there are too few measurements, the equations have no
    /// solution for the first values, or the measurements do not distinguish the parameters.
    pub fn run(
        &self,
        data: &Measurements,
        start: &[f64],
        most_iterations: usize,
        progress: &dyn Progress,
    ) -> Result<ParameterFit, IdentificationError> {
        self.validate(data, start)?;
        check_count("steps", self.steps, 1..=MOST_STEPS)?;
        check_count("iterations", most_iterations, 0..=MOST_ITERATIONS)?;
        let mut p = start.to_vec();
        let mut here = self.point(data, &p).map_err(IdentificationError::Start)?;
        let (mut damping, mut iterations) = (FIRST_DAMPING, 0);
        let ending = loop {
            let sum = here.residuals.norm_squared();
            let values = [("sum of squares", sum)];
            let update = Update { phase: "iterations", done: iterations, total: None, values: &values };
            if progress.report(update).is_break() {
                break FitStatus::Interrupted;
            }
            if iterations >= most_iterations {
                break FitStatus::IterationLimit;
            }
            iterations += 1;
            let free = self.free(&p, &here);
            let trial = self.trial(&p, &here, &free, damping)?;
            let length = relative(&p, &trial);
            let there = self.point(data, &trial).ok().filter(|there| there.residuals.norm_squared() <= sum);
            let Some(there) = there else {
                if length <= SMALL_STEP {
                    // The step may be short only because of the damping: test a step with the first damping.
                    let plain = self.trial(&p, &here, &free, FIRST_DAMPING)?;
                    let is_small = relative(&p, &plain) <= SMALL_STEP.sqrt();
                    break if is_small { FitStatus::Converged } else { FitStatus::Stalled };
                }
                damping *= 10.0;
                if damping > MOST_DAMPING {
                    break FitStatus::Stalled;
                }
                continue;
            };
            let decrease = sum - there.residuals.norm_squared();
            (p, here, damping) = (trial, there, damping / 10.0);
            if length <= SMALL_STEP
                || decrease <= SMALL_DECREASE * sum.max(f64::MIN_POSITIVE) && length <= SMALL_STEP.sqrt()
            {
                break FitStatus::Converged;
            }
        };
        self.fit(data, ending, p, &here, iterations)
    }

    /// Computes the trajectory of the measured states from t = 0 on, for figures. Returns times, eight from one
    /// measurement to the next, and a row of values for each. The trajectory uses at least as many steps as the fit.
    ///
    /// # Errors
    /// [`StepFailure`] if the equations have no solution for these parameters.
    pub fn trajectory_points(&self, data: &Measurements, p: &[f64]) -> Result<(Vec<f64>, Vec<Vec<f64>>), StepFailure> {
        let mut times = vec![0.0];
        for &end in data.times.iter().filter(|time| **time > 0.0) {
            let start = times[times.len() - 1];
            times.extend((1..=PARTS).map(|k| start + (end - start) * (k as f64 / PARTS as f64)));
        }
        let values = vec![vec![0.0; data.states.len()]; times.len()];
        let finer = Measurements { times, values, ..data.clone() };
        let course = Self { steps: self.steps.div_ceil(PARTS), ..self.clone() }.point(&finer, p)?.fitted;
        Ok((finer.times, course))
    }

    fn validate(&self, data: &Measurements, start: &[f64]) -> Result<(), IdentificationError> {
        data.validate(self.dynamics.outputs())?;
        let count = data.times.len() * data.states.len();
        if count <= start.len() {
            return Err(IdentificationError::TooFew { measurements: count, parameters: start.len() });
        }
        for (k, &value) in start.iter().enumerate() {
            let bound = |side: &[f64], none: f64| side.get(k).copied().unwrap_or(none);
            let lower = bound(&self.bounds.lower, f64::NEG_INFINITY);
            let upper = bound(&self.bounds.upper, f64::INFINITY);
            let is_within = value.is_finite() && lower <= value && value <= upper;
            if !is_within {
                return Err(IdentificationError::OutOfBounds { index: k + 1, value, lower, upper });
            }
        }
        let (found, expected) = (self.bounds.lower.len().min(self.bounds.upper.len()), start.len());
        if found == expected { Ok(()) } else { Err(IdentificationError::Size { what: "bounds", found, expected }) }
    }

    /// Computes the residuals (measured − computed) / deviation and their derivatives.
    fn point(&self, data: &Measurements, p: &[f64]) -> Result<ResidualPoint, StepFailure> {
        let local = ProblemSizes { states: self.dynamics.outputs(), controls: 0, parameters: p.len() };
        let (mut state, mut state_p) = (self.initial)(p).ok_or(StepFailure::NotFinite)?;
        let (count, n) = (data.states.len(), local.states);
        let mut residuals = DVector::zeros(data.times.len() * count);
        let mut jacobian = DMatrix::zeros(residuals.len(), p.len());
        let (mut fitted, mut before) = (Vec::with_capacity(data.times.len()), 0.0);
        let duration = data.times.last().copied().unwrap_or(0.0);
        for (row, (&time, values)) in data.times.iter().zip(&data.values).enumerate() {
            if time > before {
                let mut w = state.clone();
                w.push(duration);
                w.extend(p);
                let interval = ControlInterval {
                    dynamics: &*self.dynamics,
                    rule: &self.rule,
                    local,
                    span: [before / duration, time / duration],
                    steps: self.steps.max(1),
                    is_linear: true,
                };
                let flow = interval.flow(&w)?;
                state_p = flow.jacobian().columns(0, n) * state_p + flow.jacobian().columns(n + 1, p.len());
                state = flow.end.clone();
            }
            before = time;
            for (k, &variable) in data.states.iter().enumerate() {
                let deviation = data.deviation(k);
                residuals[row * count + k] = (values[k] - state[variable]) / deviation;
                (0..p.len()).for_each(|i| jacobian[(row * count + k, i)] = -state_p[(variable, i)] / deviation);
            }
            fitted.push(data.states.iter().map(|&variable| state[variable]).collect());
        }
        Ok(ResidualPoint { fitted, residuals, jacobian })
    }

    /// Lists the parameters that are not held at a bound.
    fn free(&self, p: &[f64], here: &ResidualPoint) -> Vec<usize> {
        let gradient = here.jacobian.tr_mul(&here.residuals);
        let is_free = |k: &usize| {
            let outward = |bound: f64, sign: f64| p[*k] == bound && sign * gradient[*k] < 0.0;
            !outward(self.bounds.upper[*k], 1.0) && !outward(self.bounds.lower[*k], -1.0)
        };
        (0..p.len()).filter(is_free).collect()
    }

    /// Computes the damped step, cut at the bounds. Parameters are scaled so that the columns of the Jacobian have unit
    /// length.
    fn trial(
        &self,
        p: &[f64],
        here: &ResidualPoint,
        free: &[usize],
        damping: f64,
    ) -> Result<Vec<f64>, IdentificationError> {
        let columns = here.jacobian.select_columns(free);
        let lengths: Vec<f64> = columns.column_iter().map(|column| column.norm()).collect();
        if lengths.contains(&0.0) {
            return Err(IdentificationError::NotIdentifiable);
        }
        let scaled = DMatrix::from_fn(columns.nrows(), free.len(), |i, j| columns[(i, j)] / lengths[j]);
        let mut normal = scaled.tr_mul(&scaled);
        (0..free.len()).for_each(|k| normal[(k, k)] += damping);
        let right = -scaled.tr_mul(&here.residuals);
        let step = normal.cholesky().ok_or(IdentificationError::NotIdentifiable)?.solve(&right);
        let mut trial = p.to_vec();
        free.iter().enumerate().for_each(|(i, &k)| trial[k] += step[i] / lengths[i]);
        self.bounds.clip(&mut trial);
        Ok(trial)
    }

    fn fit(
        &self,
        data: &Measurements,
        ending: FitStatus,
        p: Vec<f64>,
        here: &ResidualPoint,
        iterations: usize,
    ) -> Result<ParameterFit, IdentificationError> {
        let free = self.free(&p, here);
        let degrees = here.residuals.len() - free.len();
        let sum = here.residuals.norm_squared();
        let is_weighted = !data.deviations.is_empty();
        // Unknown deviations are estimated from the residuals.
        let variance = if is_weighted { 1.0 } else { (sum / degrees as f64).max(f64::MIN_POSITIVE) };
        let mut covariance = DMatrix::zeros(p.len(), p.len());
        let inner = inverse(&here.jacobian.select_columns(&free)).ok_or(IdentificationError::NotIdentifiable)?;
        for (i, &row) in free.iter().enumerate() {
            free.iter().enumerate().for_each(|(j, &column)| covariance[(row, column)] = variance * inner[(i, j)]);
        }
        let rows = |scale: f64| {
            here.residuals
                .as_slice()
                .chunks(data.states.len().max(1))
                .map(|row| row.iter().map(|r| r / scale).collect())
                .collect()
        };
        Ok(ParameterFit {
            ending,
            at_bound: (0..p.len()).map(|k| !free.contains(&k)).collect(),
            parameters: p,
            covariance,
            fitted: here.fitted.clone(),
            residuals: rows(variance.sqrt()),
            chi_squared: sum / variance,
            degrees,
            is_weighted,
            iterations,
        })
    }
}

/// Computes (JᵀJ)⁻¹; `None` if a combination of columns vanishes to rounding.
fn inverse(jacobian: &DMatrix<f64>) -> Option<DMatrix<f64>> {
    let lengths: Vec<f64> = jacobian.column_iter().map(|column| column.norm()).collect();
    let scaled = DMatrix::from_fn(jacobian.nrows(), jacobian.ncols(), |i, j| jacobian[(i, j)] / lengths[j]);
    let normal = scaled.tr_mul(&scaled);
    let factor = normal.cholesky()?;
    // Squared sines of the angles between columns; smaller values come from rounding errors of the derivatives.
    const LEAST: f64 = 1e-13;
    if factor.l_dirty().diagonal().iter().any(|entry| entry * entry < LEAST) {
        return None;
    }
    let inverse = factor.inverse();
    Some(DMatrix::from_fn(inverse.nrows(), inverse.ncols(), |i, j| inverse[(i, j)] / (lengths[i] * lengths[j])))
}

/// Returns the largest relative change.
fn relative(p: &[f64], q: &[f64]) -> f64 {
    p.iter().zip(q).map(|(p, q)| (p - q).abs() / p.abs().max(1e-12)).fold(0.0, f64::max)
}
