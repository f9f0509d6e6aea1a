//! Iterative refinement with the factor of an earlier matrix: Pan & He, after Bowdler, Martin, Peters & Wilkinson
//! (1966).

use crate::algebra::dense::solve_cholesky;
use crate::algebra::spatial::Motion;
use crate::dynamics::composite::{reduce, sum_from_tips};
use crate::dynamics::evaluation_storage::EvaluationStorage;
use crate::dynamics::loops::set_dependents;
use crate::machine::tree::Tree;

/// Solver of the equations R_zᵀ M R_z z̈ⁱ = F̂ of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum AccelerationSolver {
    /// The fastest direct solution: articulated inertias for trees, Cholesky factorization for loops.
    Direct,
    /// Cholesky factorization in all four evaluations of a step.
    Cholesky,
    /// Factorizations in the second and fourth evaluations. The third refines with the factor of the second, and the
    /// first with that of the fourth evaluation of the previous step.
    Refined(Refinement),
}

/// Options of iterative refinement.
///
/// The iteration ends when √(Σ (eₖ/wₖ)²/f) < 1 for the last change e of z̈ⁱ, with wₖ = relative · |z̈ⁱₖ| + absolute.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Refinement {
    /// The relative tolerance c₁.
    pub relative: f64,
    /// The absolute tolerance c₂, in m/s² and rad/s².
    pub absolute: f64,
    /// The computation of residuals.
    pub residual: ResidualForm,
}

/// Computation of the residual R_zᵀ M R_z z̈ⁱ − F̂.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResidualForm {
    /// Multiplies by the matrix R_zᵀ M^Σ R_z, as in the paper.
    Assembled,
    /// Computes R_zᵀ (M̄ R_z z̈ⁱ) body by body. Refined evaluations then assemble no matrix.
    MatrixFree,
}

/// Maximum number of iterations, more than refinement takes where it is faster than a factorization.
const MOST_ITERATIONS: u32 = 20;

impl Refinement {
    /// Creates options with equal relative and absolute tolerances.
    #[must_use]
    pub fn new(tolerance: f64, residual: ResidualForm) -> Self {
        Self { relative: tolerance, absolute: tolerance, residual }
    }

    /// Solves for z̈ⁱ with right-hand side `room.reduced.right` by the factor. Returns the number of iterations, or
    /// `None` if they do not converge.
    pub(crate) fn solve(&self, tree: &Tree, room: &mut EvaluationStorage<f64>) -> Option<u32> {
        let f = room.partition.independents.len();
        room.reduced.solution.copy_from_slice(&room.reduced.right);
        solve_cholesky(&room.reduced.factor, f, &mut room.reduced.solution);
        for iteration in 1..=MOST_ITERATIONS {
            match self.residual {
                ResidualForm::Assembled => assembled(room, f),
                ResidualForm::MatrixFree => matrix_free(tree, room),
            }
            let reduced = &mut room.reduced;
            reduced.residual.iter_mut().zip(&reduced.right).for_each(|(residual, right)| *residual -= right);
            solve_cholesky(&reduced.factor, f, &mut reduced.residual);
            let mut sum = 0.0;
            for (solution, change) in reduced.solution.iter_mut().zip(&reduced.residual) {
                *solution -= change;
                sum += (change / (self.relative * solution.abs() + self.absolute)).powi(2);
            }
            if sum < f as f64 {
                return Some(iteration);
            }
            if !sum.is_finite() {
                return None;
            }
        }
        None
    }
}

/// Computes R_zᵀ A R_z z̈ⁱ from the lower triangle.
fn assembled(room: &mut EvaluationStorage<f64>, f: usize) {
    let reduced = &mut room.reduced;
    reduced.residual.fill(0.0);
    for row in 0..f {
        let entries = &reduced.matrix[row * f..row * f + row];
        let (x, mut sum) = (reduced.solution[row], reduced.matrix[row * f + row] * reduced.solution[row]);
        for (column, entry) in entries.iter().enumerate() {
            sum += entry * reduced.solution[column];
            reduced.residual[column] += entry * x;
        }
        reduced.residual[row] += sum;
    }
}

/// Computes R_zᵀ Σ M̄ (accelerations of the bodies).
fn matrix_free(tree: &Tree, room: &mut EvaluationStorage<f64>) {
    let EvaluationStorage { partition, loops, reduced, b, relative, inertia, total, .. } = room;
    for (at, &k) in partition.independents.iter().enumerate() {
        reduced.full[k] = reduced.solution[at];
    }
    set_dependents(partition, &loops.entries, &mut reduced.full);
    relative[0] = Motion::zero();
    for (body, node) in tree.nodes.iter().enumerate().skip(1) {
        let mut motion = relative[node.parent];
        for k in node.velocities() {
            motion = motion.plus(&b[k].times(reduced.full[k]));
        }
        relative[body] = motion;
        total[body] = inertia[body].times(&motion);
    }
    sum_from_tips(tree, total);
    for (k, full) in reduced.full.iter_mut().enumerate() {
        *full = b[k].dot(&total[tree.mover[k]]);
    }
    reduce(partition, &loops.entries, &reduced.full, &mut reduced.residual);
}
