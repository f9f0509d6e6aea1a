//! Numerical optimisation with redundant equality constraints.
//!
//! Off the solutions redundant constraints contradict each other a little, and nothing tells their rank; damped steps on
//! all of them do not need it. On the solutions the rank is plain, and Newton's method for the Lagrangian converges.

use nalgebra::{DMatrix, DVector, SVD, SymmetricEigen};

use crate::columns::Columns;
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
const PATIENCE: usize = 50;
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
        let normal = at.gradients.gram();
        let slope = at.gradients.times(at.residual.as_slice());
        let trace: f64 = (0..x.len()).map(|i| normal.get(i, i)).sum();
        let least = f64::EPSILON * trace;
        let mut accepted = false;
        for _ in 0..12 {
            // Damping in proportion to the residual (Fan & Yuan 2005) makes the last steps Newton's.
            let mu = (damping * size).max(least);
            let step = normal.shifted_solution(|_| mu, &slope);
            let trial = step.map(|step| &x - DVector::from_vec(step));
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
    let mut at = Point::new(equations, DVector::from_column_slice(start));
    let mut force = push(&at.x, walls);
    let (mut damping, mut converged) = (1e-2, false);
    for _ in 0..steps {
        let tangent = Tangent::new(equations.constraints(at.x.as_slice()).gradients);
        // What the constraints leave no direction is where it can be.
        converged = tangent.dimension() == 0;
        if converged {
            break;
        }
        let model = Model::new(equations, &tangent, &at.x, &force)?;
        let promise = model.promise()?;
        converged = promise <= tolerance * at.value;
        if converged {
            break;
        }
        let mut accepted = false;
        for _ in 0..12 {
            if let Some((better, pushed)) = model.better(damping, at.value) {
                (at, force, accepted) = (better, pushed, true);
                damping = (damping * 0.2).max(1e-10);
                break;
            }
            damping = (damping * 5.0).max(1e-6);
        }
        if !accepted {
            // Rounding ends the descent within half the digits of the objective.
            converged = promise <= 1e-8 * at.value;
            break;
        }
    }
    let merit = equations.merit(at.x.as_slice());
    Some(Minimum { x: at.x.as_slice().to_vec(), merit, converged })
}

/// A point that satisfies the constraints, with the objective and the penalty of the inequalities there.
struct Point {
    x: DVector<f64>,
    value: f64,
}

impl Point {
    fn new(equations: &Equations, x: DVector<f64>) -> Self {
        let value = equations.objective(x.as_slice()) + penalty(&x, equations.pattern.inequalities());
        Self { x, value }
    }
}

/// Back to the constraints, by Broyden's steps from the Jacobian of a point nearby, or from new ones where that is too far.
fn returned(equations: &Equations, tangent: &Tangent, mut x: DVector<f64>) -> Option<DVector<f64>> {
    /// How often the Jacobian is worth computing again: what needs more comes from too long a step.
    const RENEWED: usize = 4;
    let (mut last, mut renewed, mut own) = (f64::INFINITY, 0, None);
    let mut steps: Vec<DVector<f64>> = Vec::new();
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
            own = Some(Tangent::new(equations.constraints(x.as_slice()).gradients));
            renewed += 1;
            steps.clear();
        }
        last = size;
        let plain = own.as_ref().unwrap_or(tangent).newton_step(&residual);
        steps.push(corrected(plain, &steps));
        x += &steps[steps.len() - 1];
    }
    None
}

/// Broyden's step from the step with a Jacobian that was not updated and all steps before (Kelley 1995, §7.3).
fn corrected(mut step: DVector<f64>, earlier: &[DVector<f64>]) -> DVector<f64> {
    for pair in earlier.windows(2) {
        let share = pair[0].dot(&step) / pair[0].norm_squared();
        step.axpy(share, &pair[1], 1.0);
    }
    if let Some(last) = earlier.last() {
        let share = last.dot(&step) / last.norm_squared();
        step /= 1.0 - share;
    }
    step
}

/// The Lagrangian on the tangent space to second order, and the push of the inequalities as it is: piecewise quadratic.
struct Model<'a> {
    equations: &'a Equations<'a>,
    tangent: &'a Tangent,
    x: &'a DVector<f64>,
    walls: &'a [Form],
    /// Free directions, orthonormal and conjugate.
    free: Columns,
    /// The curvatures along them, …
    curvatures: Vec<f64>,
    /// … and the slopes of the objective.
    slopes: Vec<f64>,
}

impl<'a> Model<'a> {
    /// `force` is the push of the inequalities that the constraints are to balance.
    fn new(equations: &'a Equations, tangent: &'a Tangent, x: &'a DVector<f64>, force: &DVector<f64>) -> Option<Self> {
        let (free, walls) = (tangent.free(), equations.pattern.inequalities());
        let errors = equations.objective_gradient(x.as_slice());
        let multipliers = tangent.multipliers(&(&errors + force));
        let reduced = free.transposed_times_columns(&equations.curvature(x.as_slice(), &multipliers, &free));
        let eigen = SymmetricEigen::try_new((&reduced + reduced.transpose()) / 2.0, f64::EPSILON, 10_000)?;
        // A direction of negative curvature is followed downhill like one of positive curvature; flat ones are noise.
        let least = 1e-7 * eigen.eigenvalues.amax();
        let curvatures = eigen.eigenvalues.iter().map(|curvature| curvature.abs().max(least)).collect();
        let free = free.times_matrix(&eigen.eigenvectors);
        let slopes = free.transposed_times(errors.as_slice());
        Some(Self { equations, tangent, x, walls, free, curvatures, slopes })
    }

    /// A better point after a damped step, with the push of the inequalities that the step expects; `None` where there is none.
    ///
    /// The constraints bend the way back away from where the inequalities were looked at. Since these are stiff, a step that
    /// fails for that reason is made once more with the bend that was met (the second-order correction of Fletcher 1982).
    fn better(&self, mu: f64, value: f64) -> Option<(Point, DVector<f64>)> {
        let mut bent = self.x.clone();
        for _ in 0..2 {
            let aim = self.moved(&bent, &self.step(mu, &bent)?);
            let reached = returned(self.equations, self.tangent, aim.clone())?;
            bent += &reached - &aim;
            let trial = Point::new(self.equations, reached);
            if trial.value < value {
                return Some((trial, push(&aim, self.walls)));
            }
        }
        None
    }

    /// The minimum of the model with curvatures raised by μ, by Newton steps from piece to piece. The inequalities are looked at
    /// from a point.
    fn step(&self, mu: f64, from: &DVector<f64>) -> Option<Vec<f64>> {
        let mut y = vec![0.0; self.free.count()];
        for _ in 0..100 {
            let moved = self.moved(from, &y);
            let pushed = self.pushed(&moved);
            let mut slope = self.free.transposed_times(push(&moved, self.walls).as_slice());
            for i in 0..y.len() {
                slope[i] += (self.curvatures[i] + mu) * y[i] + self.slopes[i];
            }
            let newton = self.gradients(&pushed).gram().shifted_solution(|i| self.curvatures[i] + mu, &slope)?;
            let shortened =
                |part: f64| -> Vec<f64> { y.iter().zip(&newton).map(|(y, step)| y - part * step).collect() };
            let (before, mut part) = (self.value(mu, from, &y), 1.0);
            while part > 1e-6 && self.value(mu, from, &shortened(part)) > before {
                part /= 2.0;
            }
            y = shortened(part);
            if part == 1.0 && self.pushed(&self.moved(from, &y)) == pushed {
                break;
            }
        }
        Some(y)
    }

    /// The inequalities that push back at a point.
    fn pushed(&self, x: &DVector<f64>) -> Vec<usize> {
        (0..self.walls.len()).filter(|&k| excess(&self.walls[k], x) > 0.0).collect()
    }

    /// The weighted gradients of inequalities along the free directions.
    fn gradients(&self, pushed: &[usize]) -> Columns {
        let mut gradients = Columns::zero(self.free.count(), pushed.len());
        for (k, &wall) in pushed.iter().enumerate() {
            let gradient = gradients.column_mut(k).as_flattened_mut();
            for &(j, factor) in &self.walls[wall].terms {
                (0..self.free.count()).for_each(|i| gradient[i] += BOUND_WEIGHT * factor * self.free.get(j, i));
            }
        }
        gradients
    }

    /// By how much the model with curvatures raised by μ exceeds the objective without the push.
    fn value(&self, mu: f64, from: &DVector<f64>, y: &[f64]) -> f64 {
        let along = |i: usize| ((self.curvatures[i] + mu) * y[i] / 2.0 + self.slopes[i]) * y[i];
        (0..y.len()).map(along).sum::<f64>() + penalty(&self.moved(from, y), self.walls)
    }

    /// By how much the objective falls at the minimum of the model.
    fn promise(&self) -> Option<f64> {
        Some(penalty(self.x, self.walls) - self.value(0.0, self.x, &self.step(0.0, self.x)?))
    }

    fn moved(&self, from: &DVector<f64>, y: &[f64]) -> DVector<f64> {
        from + DVector::from_vec(self.free.times(y))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corrected_steps_solve_linear_equations() {
        // Broyden's method ends in 2n steps for n linear equations (Gay 1979), also where plain steps lead nowhere.
        let matrix = DMatrix::from_row_slice(2, 2, &[3.0, 1.0, -1.0, 2.5]);
        let (mut x, mut steps) = (DVector::from_vec(vec![1.0, -2.0]), Vec::new());
        for _ in 0..4 {
            let step = corrected(-(&matrix * &x), &steps);
            x += &step;
            steps.push(step);
        }
        assert!(x.amax() < 1e-12);
    }
}
