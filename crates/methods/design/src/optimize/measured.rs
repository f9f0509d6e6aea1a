//! Descents of measured errors among the pairs that satisfy all conditions.
//!
//! Levenberg–Marquardt steps in the null space of the conditions, each followed by their restoration.
//!
//! The deviations of a run are smooth in the coefficients, but their derivatives are available only by differences:
//! a run is made for each direction of the null space. The displaced point is first restored to the conditions,
//! because the residual of the conditions, quadratic in the difference, would swamp deviations of 1e-6.
//! Inequalities and stability are one-sided penalties; a step solves for those that are active at its end.

use hemiola_number::parallel;
use nalgebra::{DMatrix, DVector};

use crate::conditions::equations::{DesignEquations, Equations};
use crate::optimize::null_space::NullSpace;
use crate::optimize::restore::restore_nearby;
use crate::pair::partitions::FAST;
use crate::simd::columns::PaddedColumns;
use crate::terms::measure::Measure;

/// Step of the differences: large compared with the rounding of runs, 1e-13 over the requested error, and small
/// compared with the effect of curvature.
const DIFFERENCE: f64 = 1e-5;
/// Weight of the excess of an inequality, and the distance from its bound at which it begins to act.
const BOUND_WEIGHT: f64 = 1e3;
const BOUND_MARGIN: f64 = 1e-3;
/// Weight of |R|² − 1 on the interval where the fast polynomial must be stable, and the number of points on it.
const LIMIT_WEIGHT: f64 = 1e3;
const LIMIT_POINTS: usize = 60;

/// A measured descent: the conditions, the measure, and the limit up to which the fast polynomial must be stable on the
/// imaginary axis.
pub(crate) struct MeasuredProblem<'a> {
    pub(crate) equations: DesignEquations<'a>,
    pub(crate) measure: &'a dyn Measure,
    pub(crate) fast_limit: Option<f64>,
}

/// A pair and its measured values at a step size.
#[derive(Clone, Debug)]
pub(crate) struct MeasuredPoint {
    pub(crate) x: DVector<f64>,
    /// The deviations; empty if runs are omitted.
    deviations: DVector<f64>,
    /// The values that must not be positive.
    excesses: DVector<f64>,
}

impl MeasuredPoint {
    /// Returns the root of the sum of squares of deviations and positive excesses.
    pub(crate) fn norm(&self) -> f64 {
        (self.deviations.norm_squared() + positive(&self.excesses).norm_squared()).sqrt()
    }
}

fn positive(excesses: &DVector<f64>) -> DVector<f64> {
    excesses.map(|excess| excess.max(0.0))
}

/// Derivatives along the directions of the null space.
struct MeasuredJacobian {
    deviations: DMatrix<f64>,
    excesses: DMatrix<f64>,
}

impl MeasuredProblem<'_> {
    /// Measures a pair at a step size; without runs there are no deviations.
    pub(crate) fn point(&self, x: DVector<f64>, step: f64, with_runs: bool) -> Option<MeasuredPoint> {
        let tableau = self.equations.unknowns.tableau(x.as_slice());
        let deviations = if with_runs { self.deviations(&x, step)? } else { Vec::new() };
        let mut excesses = self.measure.growth(&tableau, step)?;
        let bounds = self.equations.unknowns.inequalities().iter();
        excesses.extend(bounds.map(|form| BOUND_WEIGHT * (form.excess(x.as_slice()) + BOUND_MARGIN)));
        excesses.extend(self.limit_excesses(&tableau.partitions[FAST]));
        let is_finite = excesses.iter().all(|excess| excess.is_finite());
        let (deviations, excesses) = (DVector::from_vec(deviations), DVector::from_vec(excesses));
        is_finite.then_some(MeasuredPoint { x, deviations, excesses })
    }

    fn deviations(&self, x: &DVector<f64>, step: f64) -> Option<Vec<f64>> {
        let found = self.measure.deviations(&self.equations.unknowns.tableau(x.as_slice()), step)?;
        found.iter().all(|deviation| deviation.is_finite()).then_some(found)
    }

    /// Computes |R(iy)|² − 1 of the fast polynomial at points of the interval.
    fn limit_excesses(&self, fast: &hemiola_tableau::Butcher<f64>) -> Vec<f64> {
        let Some(limit) = self.fast_limit else { return Vec::new() };
        let mut power = vec![1.0; fast.b.len()];
        let mut coefficients = vec![1.0];
        for _ in 0..fast.b.len() {
            coefficients.push(fast.b.iter().zip(&power).map(|(b, v)| b * v).sum());
            power = fast.times(&power);
        }
        let square = |y: f64| {
            // Re R and Im R at iy, by Horner's scheme in iy.
            let (re, im) = coefficients.iter().rev().fold((0.0, 0.0), |(re, im), beta| (beta - y * im, y * re));
            re * re + im * im
        };
        let point = |k: usize| limit * (k + 1) as f64 / LIMIT_POINTS as f64;
        (0..LIMIT_POINTS).map(|k| LIMIT_WEIGHT * (square(point(k)) - 1.0)).collect()
    }

    /// Makes one step that decreases the norm; `None` if there is none.
    pub(crate) fn improved(&self, at: &MeasuredPoint, step: f64, damping: &mut f64) -> Option<MeasuredPoint> {
        /// Number of dampings tried concurrently: if one step is too long, a shorter one may succeed.
        const TRIALS: usize = 6;
        let null_space = NullSpace::new(self.equations.linearization(at.x.as_slice()).gradients);
        let basis = null_space.basis();
        let slopes = self.slopes(at, step, &null_space, &basis)?;
        let size = (slopes.deviations.column_iter().chain(slopes.excesses.column_iter()))
            .map(|column| column.norm_squared())
            .fold(0.0, f64::max);
        for _ in 0..3 {
            let trial = |k: usize| {
                let mu = *damping * 5f64.powi(k as i32);
                let reached = self.corrected_step(at, step, &null_space, &basis, &slopes, mu * size)?;
                Some((mu, self.point(reached, step, !at.deviations.is_empty())?))
            };
            let trials = parallel::map(TRIALS, trial).into_iter().flatten();
            let best = trials.min_by(|x, y| x.1.norm().total_cmp(&y.1.norm()));
            if let Some((mu, point)) = best.filter(|(_, point)| point.norm() < at.norm()) {
                *damping = (mu / 5.0).max(1e-14);
                return Some(point);
            }
            *damping *= 5f64.powi(TRIALS as i32);
        }
        None
    }

    /// Returns the end of a damped step.
    ///
    /// Excesses are stiff and deviate from their linearization. The step is therefore repeated with the observed
    /// deviation (the second-order correction of Fletcher 1982).
    fn corrected_step(
        &self,
        at: &MeasuredPoint,
        step: f64,
        null_space: &NullSpace,
        basis: &PaddedColumns,
        slopes: &MeasuredJacobian,
        mu: f64,
    ) -> Option<DVector<f64>> {
        const CORRECTIONS: usize = 3;
        let mut model = at.clone();
        let mut reached = None;
        for _ in 0..=CORRECTIONS {
            let along = slopes.step(&model, mu)?;
            let aim = &at.x + DVector::from_vec(basis.times(along.as_slice()));
            let end = restore_nearby(&self.equations, null_space, aim)?;
            let there = self.point(end.clone(), step, false)?;
            reached = Some(end);
            model.excesses = &there.excesses - &slopes.excesses * along;
            if positive(&there.excesses).norm() < 0.1 {
                break;
            }
        }
        reached
    }

    fn slopes(
        &self,
        at: &MeasuredPoint,
        step: f64,
        null_space: &NullSpace,
        basis: &PaddedColumns,
    ) -> Option<MeasuredJacobian> {
        let column = |k: usize| {
            let direction = DVector::from_fn(at.x.len(), |j, _| basis.get(j, k));
            let moved = restore_nearby(&self.equations, null_space, &at.x + DIFFERENCE * direction)?;
            let there = self.point(moved, step, !at.deviations.is_empty())?;
            let slope = |there: DVector<f64>, here: &DVector<f64>| (there - here) / DIFFERENCE;
            Some((slope(there.deviations, &at.deviations), slope(there.excesses, &at.excesses)))
        };
        let columns = parallel::map(basis.count(), column).into_iter().collect::<Option<Vec<_>>>()?;
        let (deviations, excesses): (Vec<_>, Vec<_>) = columns.into_iter().unzip();
        Some(MeasuredJacobian {
            deviations: DMatrix::from_columns(&deviations),
            excesses: DMatrix::from_columns(&excesses),
        })
    }

    /// Finds the largest step size at which the deviations are small enough, to 0.5 %, from a step size nearby; `None` if
    /// shorter steps do not lead to small deviations.
    pub(crate) fn largest_step(&self, x: &DVector<f64>, near: f64) -> Option<f64> {
        let [least, most] = self.measure.step_range();
        let sum = |step: f64| {
            let found = self.deviations(x, step);
            found.map_or(f64::INFINITY, |found| found.iter().map(|deviation| deviation * deviation).sum::<f64>())
        };
        let is_good = |step: f64| sum(step) <= 1.0;
        let (mut good, mut bad) = (near.clamp(least, most), f64::INFINITY);
        let mut decrease = Decrease::default();
        loop {
            let found = sum(good);
            if found <= 1.0 {
                break;
            }
            bad = good;
            good /= SHORTER;
            if good < least || !decrease.may_reach_one(found, (good / least).log(SHORTER)) {
                return None;
            }
        }
        while bad.is_infinite() {
            let longer = good * 1.1;
            if longer > most {
                return Some(good);
            }
            if is_good(longer) { good = longer } else { bad = longer }
        }
        while bad > 1.005 * good {
            let middle = (good * bad).sqrt();
            if is_good(middle) { good = middle } else { bad = middle }
        }
        Some(good)
    }
}

/// Factor between step sizes when shorter ones are tried.
const SHORTER: f64 = 1.25;

/// The decrease of squared deviations with the step size. The work of a run grows as the step size shrinks, so the
/// search for an accurate one ends when the decrease cannot suffice.
#[derive(Default)]
struct Decrease {
    /// The last sum of squares of a run that did not break off.
    last: Option<f64>,
    /// The number of runs in sequence whose sum decreased too little.
    slow: usize,
}

impl Decrease {
    /// Records a sum and returns whether one is in reach within some further steps, even at twice the observed rate. Near
    /// the stability limit the sum may grow for some steps; at the rounding errors of the runs it stays.
    fn may_reach_one(&mut self, found: f64, further: f64) -> bool {
        const PATIENCE: usize = 8;
        const FASTER: f64 = 2.0;
        let Some(last) = self.last.replace(found).filter(|last| last.is_finite()) else { return true };
        let rate = (last / found).ln();
        let suffices = rate.is_finite() && FASTER * rate * further >= found.ln();
        self.slow = if suffices { 0 } else { self.slow + 1 };
        self.slow < PATIENCE
    }
}

impl MeasuredJacobian {
    /// Minimizes ½|r + Jy|² + ½μ|y|² + ½|(e + Gy)₊|², by Newton steps from piece to piece.
    fn step(&self, at: &MeasuredPoint, mu: f64) -> Option<DVector<f64>> {
        let n = self.deviations.ncols();
        let normal = self.deviations.transpose() * &self.deviations + DMatrix::identity(n, n) * mu;
        let slope = self.deviations.transpose() * &at.deviations;
        let value = |y: &DVector<f64>| {
            let runs = (&at.deviations + &self.deviations * y).norm_squared() + mu * y.norm_squared();
            runs + positive(&(&at.excesses + &self.excesses * y)).norm_squared()
        };
        let active = |y: &DVector<f64>| -> Vec<usize> {
            let excesses = &at.excesses + &self.excesses * y;
            (0..excesses.len()).filter(|&k| excesses[k] > 0.0).collect()
        };
        let mut y = DVector::zeros(n);
        for _ in 0..60 {
            let pieces = active(&y);
            let rows = self.excesses.select_rows(&pieces);
            let here = at.excesses.select_rows(&pieces);
            let target = (&normal + rows.transpose() * &rows).cholesky()?.solve(&-(&slope + rows.transpose() * here));
            let (before, mut fraction) = (value(&y), 1.0);
            let moved = |fraction: f64| &y + fraction * (&target - &y);
            while fraction > 1e-4 && value(&moved(fraction)) > before {
                fraction /= 2.0;
            }
            let next = moved(fraction);
            let is_done = fraction == 1.0 && active(&next) == pieces;
            y = next;
            if is_done {
                break;
            }
        }
        Some(y)
    }
}
