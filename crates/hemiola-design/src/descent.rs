//! Numerical optimisation with redundant equality constraints.
//!
//! Off the solutions redundant constraints contradict each other a little, and nothing tells their rank; damped steps on
//! all of them do not need it. On the solutions the rank is plain, and Newton's method for the Lagrangian converges.

use nalgebra::{DMatrix, DVector, SVD, SymmetricEigen};

use crate::equations::Equations;
use crate::pattern::Form;
use crate::tangent::Tangent;

/// Singular values below this part of the largest are zero: redundant rows leave about 1e-15, independent ones more than
/// 1e-7 at any useful solution.
const RANK_TOLERANCE: f64 = 1e-10;
/// Residuals of this size are the rounding of sums of some hundred products of numbers up to one.
const SATISFIED: f64 = 5e-15;
/// Where rounding stops the decrease, residuals may be larger by this factor.
const ROUNDING: f64 = 20.0;
/// A start is given up when so many steps take less than a fifth of the residual away: solutions at infinity and minima
/// that are none are approached that slowly.
const PATIENCE: usize = 100;
/// Inequalities push back once they are this near to their bound.
const BOUND_MARGIN: f64 = 0.004;
/// The weight of that push against the error coefficients, which are of size 0.01 to 0.1.
const BOUND_WEIGHT: f64 = 10.0;

/// Finds a point where all constraints hold, from a start, by Levenberg–Marquardt steps of minimal norm.
///
/// `None` where the iteration does not get there, or where coefficients grow beyond use.
pub(crate) fn restore(equations: &Equations, start: &[f64], iterations: usize) -> Option<Vec<f64>> {
    let mut x = DVector::from_column_slice(start);
    let mut damping = 1.0;
    let mut earlier = f64::INFINITY;
    for iteration in 0..iterations {
        let at = equations.constraints(x.as_slice());
        let size = at.residual.norm();
        if at.residual.amax() <= SATISFIED {
            return Some(x.as_slice().to_vec());
        }
        // The rounding of the normal equations only slows the last steps: each starts from a new residual.
        let normal = at.jacobian.tr_mul(&at.jacobian);
        let slope = at.jacobian.tr_mul(&at.residual);
        let least = f64::EPSILON * normal.trace();
        let mut accepted = false;
        for _ in 0..12 {
            // Damping in proportion to the residual (Fan & Yuan 2005) makes the last steps Newton's.
            let step = shifted_solution(&normal, &slope, (damping * size).max(least));
            let trial = step.map(|step| &x - step);
            let better = |trial: &DVector<f64>| equations.constraint_residuals(trial.as_slice()).norm() < size;
            if let Some(trial) = trial.filter(better) {
                (x, accepted) = (trial, true);
                damping = (damping * 0.25).max(1e-12);
                break;
            }
            damping *= 4.0;
        }
        // Rounding stops the decrease at last: then what is there is all there is.
        if !accepted {
            return (at.residual.amax() <= ROUNDING * SATISFIED).then(|| x.as_slice().to_vec());
        }
        if iteration % PATIENCE == 0 {
            if x.amax() > 1e3 || size > 0.8 * earlier {
                return None;
            }
            earlier = size;
        }
    }
    None
}

/// (N + μI)⁻¹g.
fn shifted_solution(normal: &DMatrix<f64>, slope: &DVector<f64>, mu: f64) -> Option<DVector<f64>> {
    let mut shifted = normal.clone();
    (0..shifted.nrows()).for_each(|i| shifted[(i, i)] += mu);
    Some(shifted.cholesky()?.solve(slope))
}

/// The Newton step of minimal norm for a given residual.
pub(crate) fn newton_step(jacobian: &DMatrix<f64>, residual: &DVector<f64>) -> Option<DVector<f64>> {
    let svd = SVD::try_new(jacobian.clone(), true, true, f64::EPSILON, 10_000)?;
    let cutoff = RANK_TOLERANCE * svd.singular_values.max();
    Some(-svd.solve(residual, cutoff).ok()?)
}

/// The result of a descent.
#[derive(Clone, Debug)]
pub(crate) struct Minimum {
    pub(crate) x: Vec<f64>,
    /// √(2 × the objective): the principal error norm, where that is made small.
    pub(crate) merit: f64,
    /// Whether steps had become negligible.
    pub(crate) converged: bool,
}

/// Makes the objective small among the points that satisfy the constraints.
///
/// Each step is a damped Newton step for the Lagrangian within the null space of the constraints' Jacobian, followed by
/// a return to the constraints. Inequalities push back before they are reached. A descent ends early when a step promises to
/// take less than the part `tolerance` of the objective away.
pub(crate) fn minimize(equations: &Equations, start: &[f64], (steps, tolerance): (usize, f64)) -> Option<Minimum> {
    let walls = equations.pattern.inequalities();
    let objective = |x: &DVector<f64>| equations.objective(x.as_slice()) + penalty(x, walls);
    let mut x = DVector::from_column_slice(start);
    let mut value = objective(&x);
    let (mut damping, mut converged) = (1e-2, false);
    for _ in 0..steps {
        let tangent = Tangent::new(&equations.constraints(x.as_slice()).jacobian);
        // What the constraints leave no direction is where it can be.
        converged = tangent.free.is_empty();
        if converged {
            break;
        }
        let model = Model::new(equations, &tangent, &x)?;
        let promise = model.promise()?;
        converged = promise <= tolerance * value;
        if converged {
            break;
        }
        let mut accepted = false;
        for _ in 0..12 {
            let trial = returned(equations, &tangent, model.moved(&model.step(damping)?));
            let better = trial.map(|trial| (objective(&trial), trial)).filter(|trial| trial.0 < value);
            if let Some(better) = better {
                ((value, x), accepted) = (better, true);
                damping = (damping * 0.2).max(1e-10);
                break;
            }
            damping = (damping * 5.0).max(1e-6);
        }
        if !accepted {
            // Rounding ends the descent within half the digits of the objective.
            converged = promise <= 1e-8 * value;
            break;
        }
    }
    let merit = equations.merit(x.as_slice());
    Some(Minimum { x: x.as_slice().to_vec(), merit, converged })
}

/// Back to the constraints, by Newton steps with the Jacobian of a point nearby, or with new ones where that is too far.
fn returned(equations: &Equations, tangent: &Tangent, mut x: DVector<f64>) -> Option<DVector<f64>> {
    /// How often the Jacobian is worth computing again: what needs more comes from too long a step.
    const RENEWED: usize = 4;
    let (mut last, mut renewed, mut own) = (f64::INFINITY, 0, None);
    for _ in 0..30 {
        let residual = equations.constraint_residuals(x.as_slice());
        let size = residual.amax();
        if size <= SATISFIED {
            return Some(x);
        }
        if size.is_nan() || size > 0.5 * last {
            if size <= ROUNDING * SATISFIED {
                return Some(x);
            }
            if size.is_nan() || renewed == RENEWED || size > 4.0 * last {
                return None;
            }
            own = Some(Tangent::new(&equations.constraints(x.as_slice()).jacobian));
            renewed += 1;
        }
        last = size;
        x += own.as_ref().unwrap_or(tangent).newton_step(&residual)?;
    }
    None
}

/// The Lagrangian on the tangent space to second order, and the push of the inequalities as it is: piecewise quadratic.
struct Model<'a> {
    free: &'a DMatrix<f64>,
    x: &'a DVector<f64>,
    walls: &'a [Form],
    /// The gradients of the inequalities along the free directions.
    slopes: DMatrix<f64>,
    hessian: DMatrix<f64>,
    slope: DVector<f64>,
}

impl<'a> Model<'a> {
    fn new(equations: &'a Equations, tangent: &'a Tangent, x: &'a DVector<f64>) -> Option<Self> {
        let (free, walls) = (&tangent.free, equations.pattern.inequalities());
        let errors = equations.objective_gradient(x.as_slice());
        let multipliers = tangent.multipliers(&(&errors + push(x, walls)))?;
        let reduced = free.tr_mul(&equations.curvature(x.as_slice(), &multipliers, free));
        let eigen = SymmetricEigen::try_new((&reduced + reduced.transpose()) / 2.0, f64::EPSILON, 10_000)?;
        // A direction of negative curvature is followed downhill like one of positive curvature; flat ones are noise.
        let least = 1e-7 * eigen.eigenvalues.amax();
        let curvatures = eigen.eigenvalues.map(|curvature| curvature.abs().max(least));
        let hessian = &eigen.eigenvectors * DMatrix::from_diagonal(&curvatures) * eigen.eigenvectors.transpose();
        let mut slopes = DMatrix::zeros(walls.len(), free.ncols());
        for (form, mut row) in walls.iter().zip(slopes.row_iter_mut()) {
            form.terms.iter().for_each(|&(j, factor)| row += free.row(j) * factor);
        }
        Some(Self { free, x, walls, slopes, hessian, slope: free.tr_mul(&errors) })
    }

    /// The minimum of the model with curvatures raised by μ, by Newton steps from piece to piece.
    fn step(&self, mu: f64) -> Option<DVector<f64>> {
        let (count, weight) = (self.free.ncols(), BOUND_WEIGHT * BOUND_WEIGHT);
        let hessian = &self.hessian + DMatrix::identity(count, count) * mu;
        let value = |y: &DVector<f64>| (&hessian * y / 2.0 + &self.slope).dot(y) + penalty(&self.moved(y), self.walls);
        let pushing = |x: &DVector<f64>| -> Vec<usize> {
            (0..self.walls.len()).filter(|&k| excess(&self.walls[k], x) > 0.0).collect()
        };
        let mut y = DVector::zeros(count);
        for _ in 0..100 {
            let moved = self.moved(&y);
            let pushed = pushing(&moved);
            let rows = self.slopes.select_rows(&pushed);
            let slope = &hessian * &y + &self.slope + self.free.tr_mul(&push(&moved, self.walls));
            let newton = (&hessian + rows.tr_mul(&rows) * weight).cholesky()?.solve(&slope);
            let (before, mut part) = (value(&y), 1.0);
            while part > 1e-6 && value(&(&y - &newton * part)) > before {
                part /= 2.0;
            }
            y -= newton * part;
            if part == 1.0 && pushing(&self.moved(&y)) == pushed {
                break;
            }
        }
        Some(y)
    }

    /// By how much the objective falls at the minimum of the model.
    fn promise(&self) -> Option<f64> {
        let y = self.step(0.0)?;
        let falls = -(&self.hessian * &y / 2.0 + &self.slope).dot(&y);
        Some(falls + penalty(self.x, self.walls) - penalty(&self.moved(&y), self.walls))
    }

    fn moved(&self, y: &DVector<f64>) -> DVector<f64> {
        self.x + self.free * y
    }
}

/// How far a point comes beyond the margin of an inequality.
fn excess(form: &Form, x: &DVector<f64>) -> f64 {
    (form.excess(x.as_slice()) + BOUND_MARGIN).max(0.0)
}

/// What inequalities near their bound add to the objective.
fn penalty(x: &DVector<f64>, walls: &[Form]) -> f64 {
    walls.iter().map(|form| (BOUND_WEIGHT * excess(form, x)).powi(2)).sum::<f64>() / 2.0
}

/// Its gradient.
fn push(x: &DVector<f64>, walls: &[Form]) -> DVector<f64> {
    let mut push = DVector::zeros(x.len());
    for form in walls {
        let force = BOUND_WEIGHT * BOUND_WEIGHT * excess(form, x);
        if force > 0.0 {
            form.terms.iter().for_each(|&(j, factor)| push[j] += force * factor);
        }
    }
    push
}
