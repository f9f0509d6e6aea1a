//! Iterative refinement with the factor of an earlier matrix: Pan & He, after Bowdler, Martin, Peters & Wilkinson (1966).

use crate::algebra::dense::solve_cholesky;
use crate::algebra::spatial::Motion;
use crate::dynamics::composite::{reduce, sum_from_tips};
use crate::dynamics::loops::follow;
use crate::dynamics::room::Room;
use crate::machine::tree::Tree;

/// How the equations R_zᵀ M R_z z̈ⁱ = F̂ of a step are solved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Solver {
    /// The fastest exact way: articulated inertias for trees, Cholesky's factorization for loops.
    Direct,
    /// Cholesky's factorization in all four evaluations of a step.
    Cholesky,
    /// Factorizations in the second and fourth evaluation; the third refines with the factor of the second, the first with that of the
    /// fourth evaluation of the step before.
    Refined(Refinement),
}

/// When refinement ends, and how it computes residuals.
///
/// It ends when √(Σ (eₖ/wₖ)²/f) < 1 for the last change e of z̈ⁱ, with wₖ = relative · |z̈ⁱₖ| + absolute.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Refinement {
    /// c₁.
    pub relative: f64,
    /// c₂, in m/s² and rad/s².
    pub absolute: f64,
    /// How residuals are computed.
    pub residual: Residual,
}

/// How the residual R_zᵀ M R_z z̈ⁱ − F̂ is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Residual {
    /// With the matrix R_zᵀ M^Σ R_z, as the paper does.
    Assembled,
    /// As R_zᵀ (M̄ R_z z̈ⁱ), body by body: in evaluations that refine no matrix is made at all.
    MatrixFree,
}

/// More iterations than refinement takes where it is faster than a factorization.
const MOST_ITERATIONS: u32 = 20;

impl Refinement {
    /// The same relative and absolute tolerance.
    #[must_use]
    pub fn new(tolerance: f64, residual: Residual) -> Self {
        Self { relative: tolerance, absolute: tolerance, residual }
    }

    /// z̈ⁱ for `room.reduced.right` with the factor; the number of iterations, or none where they do not converge.
    pub(crate) fn solve(&self, tree: &Tree, room: &mut Room<f64>) -> Option<u32> {
        let f = room.partition.independents.len();
        room.reduced.solution.copy_from_slice(&room.reduced.right);
        solve_cholesky(&room.reduced.factor, f, &mut room.reduced.solution);
        for iteration in 1..=MOST_ITERATIONS {
            match self.residual {
                Residual::Assembled => assembled(room, f),
                Residual::MatrixFree => matrix_free(tree, room),
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

/// R_zᵀ A R_z z̈ⁱ from the lower triangle.
fn assembled(room: &mut Room<f64>, f: usize) {
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

/// R_zᵀ Σ M̄ (accelerations of the bodies).
fn matrix_free(tree: &Tree, room: &mut Room<f64>) {
    let Room { partition, loops, reduced, b, relative, inertia, total, .. } = room;
    for (at, &k) in partition.independents.iter().enumerate() {
        reduced.full[k] = reduced.solution[at];
    }
    follow(partition, &loops.entries, &mut reduced.full);
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
