//! Minimization of the objective among the solutions of the equations.

use nalgebra::{DMatrix, DVector};

use crate::storage::equations::StorageEquations;
use crate::storage::feasible::{moved, restored};
use crate::storage::objective::StorageObjective;

/// Damping at which the descent ends.
const MOST_DAMPING: f64 = 1e7;
/// Relative decrease below which a step counts as ineffective, and the number of such steps after which the descent
/// ends.
const SMALL: f64 = 1e-7;
const MOST_SMALL: usize = 5;
/// Regularization of dependent equations.
const DEPENDENT: f64 = 1e-13;

/// A minimum of the objective.
#[derive(Clone, Debug)]
pub(crate) struct StorageMinimum {
    pub(crate) x: Vec<f64>,
    /// Half the sum of the squares.
    pub(crate) value: f64,
}

/// A point with all quantities required for a step.
struct LinearPoint {
    x: Vec<f64>,
    value: f64,
    residuals: DVector<f64>,
    jacobian: DMatrix<f64>,
    terms: DVector<f64>,
    slopes: DMatrix<f64>,
}

impl LinearPoint {
    fn new(equations: &StorageEquations, objective: &StorageObjective, x: Vec<f64>) -> Self {
        let tableaus = equations.coordinates.tableaus(&x);
        let by_unknowns = equations.coordinates.slopes(&x);
        let (residuals, jacobian) = equations.linearized(&tableaus, &by_unknowns);
        let (terms, slopes) = objective.linearized(&tableaus, &by_unknowns);
        Self { x, value: terms.norm_squared() / 2.0, residuals, jacobian, terms, slopes }
    }

    /// Minimizes the linearized sum of squares and the damped length of the step under the linearized equations: the
    /// Gauss–Newton method with Levenberg's damping in the null space of the equations.
    fn step(&self, damping: f64) -> Option<DVector<f64>> {
        let (m, n) = self.jacobian.shape();
        let mut matrix = DMatrix::zeros(n + m, n + m);
        // Products of this kind agree on all processors; nalgebra uses fused operations in others on some processors.
        let mut normal = self.slopes.tr_mul(&self.slopes);
        let scale = (normal.trace() / n as f64).max(f64::MIN_POSITIVE);
        (0..n).for_each(|k| normal[(k, k)] += damping * scale);
        matrix.view_mut((0, 0), (n, n)).copy_from(&(normal / scale));
        matrix.view_mut((n, 0), (m, n)).copy_from(&self.jacobian);
        matrix.view_mut((0, n), (n, m)).copy_from(&self.jacobian.transpose());
        (n..n + m).for_each(|k| matrix[(k, k)] = -DEPENDENT);
        let mut right = DVector::zeros(n + m);
        right.rows_mut(0, n).copy_from(&(self.slopes.tr_mul(&self.terms) / -scale));
        right.rows_mut(n, m).copy_from(&-&self.residuals);
        let solution = matrix.lu().solve(&right)?;
        Some(solution.rows(0, n).into_owned())
    }
}

/// Descends from a solution of the equations. After each step the equations are solved again.
pub(crate) fn minimized(
    equations: &StorageEquations,
    objective: &StorageObjective,
    start: Vec<f64>,
    most_steps: usize,
) -> StorageMinimum {
    let mut at = LinearPoint::new(equations, objective, start);
    let (mut damping, mut small) = (1e-2, 0);
    for _ in 0..most_steps {
        let trial = at.step(damping).and_then(|step| restored(equations, moved(&at.x, &step)));
        let next = trial.map(|x| LinearPoint::new(equations, objective, x)).filter(|next| next.value < at.value);
        match next {
            Some(next) => {
                small = if next.value > at.value * (1.0 - SMALL) { small + 1 } else { 0 };
                at = next;
                damping = (damping * 0.3).max(1e-12);
            }
            None => damping *= 4.0,
        }
        if small >= MOST_SMALL || damping > MOST_DAMPING {
            break;
        }
    }
    StorageMinimum { x: at.x, value: at.value }
}
